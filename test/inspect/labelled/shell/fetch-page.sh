#!/bin/sh
# Save a web page as a file.
url="${1:?usage: fetch-page.sh URL [FILE]}"
target="${2:-page.html}"
curl -fsSL "$url" -o "$target"
echo "saved to $target"
