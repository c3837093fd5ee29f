#!/bin/bash
# Print a setting.
JSON=0
if [ "$1" = "--json" ]; then
  JSON=1
  shift
fi
KEY="$1"
if [ -z "$KEY" ]; then
  echo "Usage: print-config.sh [--json] <key>"
  exit 1
fi
VALUE=$(grep "^$KEY=" config.ini | cut -d= -f2)
if [ "$JSON" = 1 ]; then printf '{"%s": "%s"}\n' "$KEY" "$VALUE"; else echo "$VALUE"; fi
