#!/usr/bin/env python3
"""Multiply numbers and print their product."""
import math
import sys
from decimal import Decimal, InvalidOperation

try:
    print(math.prod(Decimal(number) for number in sys.argv[1:]))
except InvalidOperation:
    sys.exit("multiply: every argument must be a number, for example: multiply 2 3.5")
