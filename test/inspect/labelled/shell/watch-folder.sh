#!/bin/bash
# Call a command when files change.
dir=$1; shift
inotifywait -m "$dir" | while read -r _; do
  "$@"
done
