#!/bin/bash
# Print random words.
args=("$@")
amount="${args[0]:-5}"
list="${args[1]:-/usr/share/dict/words}"
shuf -n "$amount" "$list"
