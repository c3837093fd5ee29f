#!/bin/bash
# Publish a folder.
DIR="${1:-.}"
FORCE=false
[[ "$*" == *"--force"* ]] && FORCE=true
echo "$DIR $FORCE"
