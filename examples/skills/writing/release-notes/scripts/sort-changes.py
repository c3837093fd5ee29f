#!/usr/bin/env python3
"""Sort changes into added, changed and fixed; takes a JSON list of texts on stdin."""
import json
import sys

KINDS = {"added": ("add", "new", "introduce"), "fixed": ("fix", "repair", "correct")}

groups = {"added": [], "changed": [], "fixed": []}
for change in json.load(sys.stdin):
    words = change.lower().split()
    kind = next((kind for kind, starts in KINDS.items() if words and words[0].startswith(starts)), "changed")
    groups[kind].append(change)
print(json.dumps({"ok": True, "data": groups}))
