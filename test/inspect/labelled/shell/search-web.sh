#!/usr/bin/env bash
# Search the web.
set -euo pipefail
QUERY=""
COUNT=10
while [[ $# -gt 0 ]]; do
  case "$1" in
    -n|--count) COUNT="$2"; shift 2 ;;
    *) QUERY="${QUERY:+$QUERY }$1"; shift ;;
  esac
done
[[ -z "$QUERY" ]] && { echo "query missing" >&2; exit 1; }
curl -s "https://search.example/?q=$QUERY&n=$COUNT"
