#!/bin/bash
# Manage accounts.
usage() {
  cat <<TEXT
Usage:
  accounts.sh user add NAME [SHELL]
  accounts.sh user remove NAME
  accounts.sh group list
TEXT
  exit 1
}

case "${1:-}" in
  user)
    case "${2:-}" in
      add)
        [ -n "$3" ] || usage
        useradd -s "${4:-/bin/sh}" "$3"
        ;;
      remove)
        [ -n "$3" ] || usage
        userdel "$3"
        ;;
      *) usage ;;
    esac
    ;;
  group)
    case "${2:-}" in
      list) getent group ;;
      *) usage ;;
    esac
    ;;
  *) usage ;;
esac
