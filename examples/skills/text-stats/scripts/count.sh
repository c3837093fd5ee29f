#!/bin/sh
# Count the lines, words and bytes of files.
[ $# -gt 0 ] || { echo "usage: count.sh FILE..." >&2; exit 2; }
wc -- "$@"
