#!/bin/bash
# Remove what a build has left.
FORCE=0
QUIET=0
for arg in "$@"; do
  case "$arg" in
    --force|-f) FORCE=1 ;;
    --quiet) QUIET=1 ;;
  esac
done
[ "$QUIET" = 0 ] && echo "cleaning"
if [ "$FORCE" = 1 ]; then rm -rf dist node_modules; else rm -rf dist; fi
