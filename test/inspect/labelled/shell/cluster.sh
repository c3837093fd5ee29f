#!/usr/bin/env bash
# Look after the cluster.
set -euo pipefail
CONTEXT="default"
while [[ "${1:-}" == -* ]]; do
  case "$1" in
    --context) CONTEXT="$2"; shift 2 ;;
    --help) echo "cluster.sh [--context NAME] pods|scale"; exit 0 ;;
    *) echo "unknown flag $1" >&2; exit 1 ;;
  esac
done

command="${1:-}"
case "$command" in
  pods)
    kubectl --context "$CONTEXT" get pods
    ;;
  scale)
    name="$2"
    replicas="$3"
    if [ "$replicas" -lt 0 ]; then
      echo "negative" >&2
      exit 1
    fi
    kubectl --context "$CONTEXT" scale "deployment/$name" --replicas "$replicas"
    ;;
  *)
    echo "unknown command: $command" >&2
    exit 1
    ;;
esac
