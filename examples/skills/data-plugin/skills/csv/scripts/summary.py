#!/usr/bin/env python3
"""Print the columns and the number of rows of a CSV file as JSON."""
import csv
import json
import sys

if len(sys.argv) != 2:
    sys.exit("usage: summary.py FILE.csv")
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file))
print(json.dumps({"columns": rows[0] if rows else [], "rows": max(0, len(rows) - 1)}))
