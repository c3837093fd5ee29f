#!/bin/bash
# Print one or two words.
if [ "$#" -lt 1 ] || [ "$#" -gt 2 ]; then echo "usage"; exit 1; fi
echo "$1" "$2"
