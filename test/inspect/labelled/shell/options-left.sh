#!/bin/bash
# Forgets to shift its options away.
while getopts "a:b" o; do
  case $o in
    a) AMOUNT=$OPTARG ;;
    b) BRIEF=1 ;;
  esac
done
echo "$1 $AMOUNT $BRIEF"
