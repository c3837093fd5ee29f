#!/bin/bash
# Run docker compose.
run() { echo "+ $*"; "$@"; }
run docker compose "$@"
