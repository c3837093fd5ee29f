#!/bin/bash
# Bring the stack up or down.
if [ "$1" = "up" ]; then
  docker compose up -d
elif [ "$1" = "down" ]; then
  docker compose down
elif [ "$1" = "logs" ]; then
  docker compose logs "$2"
else
  echo "Usage: stack.sh up|down|logs [service]"
  exit 1
fi
