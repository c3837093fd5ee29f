#!/usr/bin/env python3
"""Print the text of a file."""
import sys
from pathlib import Path

if len(sys.argv) != 2:
    sys.exit("usage: read_file.py PATH")
try:
    print(Path(sys.argv[1]).read_text(encoding="utf-8"), end="")
except OSError as error:
    sys.exit(f"read_file: {error.strerror}: {sys.argv[1]}")
