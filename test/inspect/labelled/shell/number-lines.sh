#!/bin/bash
# Number the lines that come in.
count=0
while IFS= read -r line; do
  count=$((count + 1))
  printf '%4d %s\n' "$count" "$line"
done
