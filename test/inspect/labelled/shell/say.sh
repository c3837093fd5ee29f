#!/bin/bash
# Say a sentence aloud.
TEXT="$*"
if [ -z "$TEXT" ]; then
  echo "Usage: say.sh words to say..."
  exit 1
fi
espeak "$TEXT"
