#!/bin/bash
# Mirror a folder.
DELETE=false
while [[ $# -gt 0 ]]; do
  case $1 in
    --delete) DELETE=true; shift ;;
    *) SRC="$1"; DST="$2"; shift 2 ;;
  esac
done
if [ -z "$SRC" ] || [ -z "$DST" ]; then
  echo "Usage: mirror.sh [--delete] <source> <target>"
  exit 1
fi
$DELETE && rm -rf "$DST"
cp -r "$SRC" "$DST"
