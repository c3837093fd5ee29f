#!/bin/bash
# Translate a text.
# Usage: translate.sh [-f lang] -t lang text...
from=auto
while getopts f:t: o; do
  case $o in
    f) from=$OPTARG ;;
    t) to=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND-1))
: "${to:?-t is missing}"
text="$*"
[ -z "$text" ] && { echo "text missing" >&2; exit 2; }
curl -s --data-urlencode "q=$text" "https://translate.example/?from=$from&to=$to"
