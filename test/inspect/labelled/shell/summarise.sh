#!/bin/bash
# Sum up a text from stdin in a few words.
MAX_WORDS="${1:-50}"
INPUT=$(cat)
if [ -z "$INPUT" ]; then
  echo "nothing on stdin" >&2
  exit 1
fi
WORDS=$(echo "$INPUT" | wc -w)
if [ "$WORDS" -le "$MAX_WORDS" ]; then
  echo "$INPUT"
else
  echo "$INPUT" | tr '\n' ' ' | cut -d' ' -f1-"$MAX_WORDS"
fi
