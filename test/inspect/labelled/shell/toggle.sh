#!/bin/bash
# Switch a feature on or off.
feature="$1"
state="$2"
if [ -z "$feature" ] || [ -z "$state" ]; then
  echo "Usage: toggle.sh <feature> <on|off>"
  exit 1
fi
if [ "$state" != "on" ] && [ "$state" != "off" ]; then
  echo "on or off"
  exit 1
fi
echo "$feature=$state" >> features.conf
