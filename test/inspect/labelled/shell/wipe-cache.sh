#!/bin/bash
# Delete all caches after asking.
DIR="${1:-$HOME/.cache/demo}"
read -p "Delete $DIR? [y/N] " -r answer
if [[ "$answer" =~ ^[Yy]$ ]]; then
  rm -rf "$DIR"
fi
