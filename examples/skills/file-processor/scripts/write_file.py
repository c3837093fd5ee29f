#!/usr/bin/env python3
"""Write text to a file; takes {"path", "text"} as JSON on stdin."""
import json
import sys
from pathlib import Path

request = json.load(sys.stdin)
path = Path(request["path"])
path.parent.mkdir(parents=True, exist_ok=True)
path.write_text(request["text"], encoding="utf-8")
print(json.dumps({"ok": True, "data": {"path": str(path), "bytes": path.stat().st_size}}))
