#!/bin/bash
# Show something, or all of it.
case $1 in
  -a) ls -a; exit ;;
  -s) du -s "$2"; exit ;;
esac
ls "$1"
