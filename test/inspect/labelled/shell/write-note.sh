#!/bin/bash
# Write a word to a file.
[ $# -ge 2 ] && OUT=$2 || OUT=out.txt
echo "$1" > "$OUT"
