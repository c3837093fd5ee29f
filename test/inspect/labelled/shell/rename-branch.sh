#!/usr/bin/env bash
set -euo pipefail
# Rename a branch here and on the server.
old=$1
new=$2
remote=${3-origin}
git branch -m "$old" "$new"
git push "$remote" ":$old" "$new"
