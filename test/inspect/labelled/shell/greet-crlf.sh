#!/bin/sh
# Greet somebody.
name="$1"
echo "hello $name"
