#!/bin/bash
# Print in colour.
while [[ $# -gt 0 ]]; do
  case "$1" in
    --color) COLOR="always"; if [[ -n "$2" && "$2" != -* ]]; then COLOR="$2"; shift; fi; shift ;;
    *) shift ;;
  esac
done
echo "$COLOR"
