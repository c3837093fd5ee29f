#!/bin/bash
# Print the checksum of every file.
if [[ $# -eq 0 ]]; then
  echo "usage: checksums.sh FILE..." >&2
  exit 1
fi
for file in "$@"; do
  sha256sum "$file"
done
