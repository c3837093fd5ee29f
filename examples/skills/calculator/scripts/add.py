#!/usr/bin/env python3
"""Add numbers and print their sum."""
import sys
from decimal import Decimal, InvalidOperation

try:
    print(sum((Decimal(number) for number in sys.argv[1:]), Decimal(0)))
except InvalidOperation:
    sys.exit("add: every argument must be a number, for example: add 1 2.5 3")
