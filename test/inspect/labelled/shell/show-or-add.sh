#!/bin/bash
# Show a file, or add a name.
case "$1" in
  list) ls ;;
  add)
    shift
    while [ $# -gt 0 ]; do case $1 in --name) N=$2; shift 2;; *) exit 1;; esac; done
    echo "$N" ;;
  *) FILE="$1"; cat "$FILE" ;;
esac
