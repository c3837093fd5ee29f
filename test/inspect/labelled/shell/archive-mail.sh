#!/bin/bash
# Move old mail to an archive.
OPTS=$(getopt -o d:n --long days:,folder:,dry-run -- "$@") || exit 1
eval set -- "$OPTS"
DAYS=30
FOLDER=INBOX
DRY=0
while true; do
  case "$1" in
    -d | --days) DAYS=$2; shift 2 ;;
    --folder) FOLDER=$2; shift 2 ;;
    -n | --dry-run) DRY=1; shift ;;
    --) shift; break ;;
    *) echo "internal error"; exit 1 ;;
  esac
done
TARGET="${1:-archive}"
find "$HOME/mail/$FOLDER" -mtime "+$DAYS" -print | while read -r mail; do
  [ "$DRY" = 1 ] || mv "$mail" "$TARGET/"
done
