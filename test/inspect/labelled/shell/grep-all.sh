#!/bin/bash
# Search for a word in files.
set -euo pipefail
pattern="${1:?pattern missing}"
files=("${@:2}")
for file in "${files[@]}"; do
  grep -n -- "$pattern" "$file" || true
done
