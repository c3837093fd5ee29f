#!/bin/bash
# Look for flags one by one.
for word in "$@"; do
  if [[ "$word" == --name=* ]]; then NAME="${word#--name=}"; fi
  if [[ "$word" == "-v" || "$word" == "--verbose" ]]; then VERBOSE=1; fi
done
echo "$NAME $VERBOSE"
