#!/bin/bash
# Never finished.
if [ -z "$1" ]; then
  echo "no name
fi
