#!/usr/bin/env bash
# Print the lines of a file that are longer than a limit (120 unless told).
set -euo pipefail
file="${1:?usage: long-lines.sh FILE [LIMIT]}"
limit="${2:-120}"
awk -v limit="$limit" 'length($0) > limit { print FNR ": " length($0) }' "$file"
