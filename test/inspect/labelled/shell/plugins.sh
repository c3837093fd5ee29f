#!/bin/bash
# Run one of the plug-ins.
plugin_hello() { echo "hello ${1:-world}"; }
plugin_date() { date; }
name="$1"
shift
"plugin_$name" "$@"
