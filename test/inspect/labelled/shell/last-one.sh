#!/bin/bash
# Print the last argument.
echo "${!#}"
