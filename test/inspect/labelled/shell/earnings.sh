#!/bin/bash
# Report what was earned.
ACTION=summary
FORMAT=text
while [ $# -gt 0 ]; do
  case "$1" in
    history) ACTION=history; shift ;;
    export) ACTION=export; shift ;;
    --format) FORMAT="$2"; shift 2 ;;
    *) echo "unknown: $1" >&2; exit 1 ;;
  esac
done
echo "$ACTION as $FORMAT"
