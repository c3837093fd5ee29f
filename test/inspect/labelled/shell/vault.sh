#!/bin/bash
# Write a note.
title="" body=""
for word in "$@"; do
  case "$word" in
    title=*) title="${word#title=}" ;;
    body=*) body="${word#*=}" ;;
    *) echo "what is $word?" >&2; exit 1 ;;
  esac
done
[ -n "$title" ] || { echo "title= is missing" >&2; exit 1; }
printf '%s\n' "$body" > "$title.md"
