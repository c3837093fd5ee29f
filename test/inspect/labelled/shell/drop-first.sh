#!/bin/bash
# Print the arguments without the first few.
count=$1
shift "$count"
echo "$@"
