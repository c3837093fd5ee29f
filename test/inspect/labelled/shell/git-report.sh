#!/bin/bash
# Report the commits of an author.
SINCE="1 week ago"
AUTHOR=""
POSITIONAL=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --since)
      SINCE="$2"; shift; shift ;;
    --author)
      AUTHOR="$2"; shift; shift ;;
    *)
      POSITIONAL+=("$1"); shift ;;
  esac
done
set -- "${POSITIONAL[@]}"
REPO="${1:-.}"
git -C "$REPO" log --since "$SINCE" ${AUTHOR:+--author "$AUTHOR"} --oneline
