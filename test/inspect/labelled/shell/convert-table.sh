#!/bin/bash
# Convert a table between formats.
#
# Usage: convert-table.sh <source> [format]
#
# Arguments:
#   source   the table to read
#   format   what to write (default: json)

source_file="$1"
format="${2:-json}"

case "$format" in
  json) jq -R -s . "$source_file" ;;
  csv) cat "$source_file" ;;
  tsv) tr ',' '\t' < "$source_file" ;;
  *)
    echo "Unsupported format: $format"
    exit 1
    ;;
esac
