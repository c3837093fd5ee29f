#!/bin/sh
# Check which ports of a host answer.
host=$1
shift
while [ $# -gt 0 ]; do
  port=$1
  if nc -z "$host" "$port"; then
    echo "$port open"
  fi
  shift
done
