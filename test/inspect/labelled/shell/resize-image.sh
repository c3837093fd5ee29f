#!/usr/bin/env bash
# Scale a picture to a given width.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "Usage: $0 <input> <output> [width]" >&2
  exit 1
fi

input="$1"
output="$2"
width="${3:-800}"

if [ ! -f "$input" ]; then
  echo "No such file: $input" >&2
  exit 1
fi
convert "$input" -resize "${width}x" "$output"
