#!/usr/bin/env python3
"""Split a text into its words."""
import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("--text", required=True)
print(json.dumps({"ok": True, "data": parser.parse_args().text.split()}))
