#!/bin/sh
#
# copy-keys.sh - copy a public key to a machine
#
# Usage: copy-keys.sh <user@host> [key-file]
#
test $# -ge 1 || { echo "host missing" >&2; exit 64; }
if [ -z "$2" ]; then
  key="$HOME/.ssh/id_ed25519.pub"
else
  key="$2"
fi
ssh-copy-id -i "$key" "$1"
