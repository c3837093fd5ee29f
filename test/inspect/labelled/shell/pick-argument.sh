#!/bin/bash
# Print one of the arguments.
n=$1
echo "${!n}"
