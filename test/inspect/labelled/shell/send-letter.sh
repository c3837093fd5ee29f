#!/bin/bash
# Send a letter.
cat <<DOC | mail -s "$1" "$2"
hello ${3:-there}
DOC
