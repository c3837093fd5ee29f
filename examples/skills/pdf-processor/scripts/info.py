#!/usr/bin/env python3
"""Print version, number of pages and title of a PDF file as JSON."""
import json
import re
import sys
import zlib
from pathlib import Path


def objects(data: bytes) -> bytes:
    """The file with its compressed streams unpacked, as far as they are plain deflate."""
    parts = [data]
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S):
        try:
            parts.append(zlib.decompress(match.group(1)))
        except zlib.error:
            continue
    return b"\n".join(parts)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: info.py FILE.pdf")
    data = Path(sys.argv[1]).read_bytes()
    if not data.startswith(b"%PDF-"):
        sys.exit(f"{sys.argv[1]} is not a PDF")
    text = objects(data)
    title = re.search(rb"/Title\s*\(((?:[^()\\]|\\.)*)\)", text)
    print(json.dumps({
        "version": data[5:8].decode("ascii"),
        "pages": len(re.findall(rb"/Type\s*/Page(?![a-zA-Z])", text)),
        "title": title.group(1).decode("latin-1") if title else None,
    }))


if __name__ == "__main__":
    main()
