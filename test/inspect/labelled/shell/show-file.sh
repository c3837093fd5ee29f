#!/bin/bash
# Show a file.
DEBUG=0
if [[ "${1:-}" == "-d" ]]; then DEBUG=1; shift; fi
if [[ "${1:-}" == "-n" ]]; then N="$2"; shift 2; fi
FILE="$1"
cat "$FILE" "$N"
