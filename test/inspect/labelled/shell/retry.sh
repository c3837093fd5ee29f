#!/bin/bash
# Ask a URL until it answers.
URL=""
ATTEMPTS=3
DELAY=2
VERBOSE=0

print_usage() {
  echo "Usage: $0 [-v] [-n attempts] [-d seconds] -u url"
  exit "${1:-1}"
}

while getopts "vn:d:u:" option; do
  case $option in
    v) VERBOSE=$((VERBOSE + 1)) ;;
    n)
      ATTEMPTS=$OPTARG
      ;;
    d) DELAY=$OPTARG ;;
    u) URL=$OPTARG ;;
    *) print_usage ;;
  esac
done

[[ -z $URL ]] && print_usage 1

for ((i = 1; i <= ATTEMPTS; i++)); do
  (( VERBOSE > 0 )) && echo "attempt $i"
  if curl -sf "$URL"; then exit 0; fi
  sleep "$DELAY"
done
exit 1
