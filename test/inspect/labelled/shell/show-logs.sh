#!/bin/bash
# Show the log of a service.
SERVICE=""
LINES=100
FOLLOW=0
for arg in "$@"; do
  case $arg in
    --service=*) SERVICE="${arg#*=}" ;;
    --lines=*) LINES="${arg#--lines=}" ;;
    --follow) FOLLOW=1 ;;
    *) echo "unknown argument $arg"; exit 1 ;;
  esac
done
if [ -z "$SERVICE" ]; then
  echo "give --service=NAME"
  exit 1
fi
if [ "$FOLLOW" -eq 1 ]; then
  tail -n "$LINES" -f "/var/log/$SERVICE.log"
else
  tail -n "$LINES" "/var/log/$SERVICE.log"
fi
