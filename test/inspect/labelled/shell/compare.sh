#!/bin/bash
# Compare two files.
if [[ "$1" == "-h" || "$1" == "--help" ]]; then
  echo "Usage: compare.sh LEFT RIGHT"
  exit 0
fi
if [ "$#" -ne 2 ]; then
  echo "two files, please" >&2
  exit 1
fi
diff -u "$1" "$2"
