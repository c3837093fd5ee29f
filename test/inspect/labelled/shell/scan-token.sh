#!/bin/bash
# Look a token up.
TOKEN="$1"
MODE="$2"
if [ -z "$TOKEN" ]; then
  echo "Usage: scan-token.sh <token> [--json]"
  exit 1
fi
RESULT=$(curl -s "https://tokens.example/$TOKEN")
if [ "$MODE" == "--json" ]; then echo "$RESULT"; else echo "$RESULT" | head -n 1; fi
