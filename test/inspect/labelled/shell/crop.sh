#!/bin/bash
# Cut a part out of a picture.
while [ $# -gt 0 ]; do
  case "$1" in
    --size) WIDTH="$2"; HEIGHT="$3"; shift 3 ;;
    --file) FILE="$2"; shift 2 ;;
    *) exit 1 ;;
  esac
done
convert "$FILE" -crop "${WIDTH}x${HEIGHT}" out.png
