#!/bin/bash
# Run kubectl in an environment.
ARGS=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --env) ENV="$2"; shift 2 ;;
    *) ARGS+=("$1"); shift ;;
  esac
done
exec kubectl --context "$ENV" "${ARGS[@]}"
