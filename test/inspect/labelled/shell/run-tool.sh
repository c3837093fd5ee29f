#!/bin/bash
# Run the tool in its own environment.
DIR="$(cd "$(dirname "$0")" && pwd)"
source "$DIR/.venv/bin/activate"
exec python "$DIR/tool.py" "$@"
