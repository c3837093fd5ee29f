#!/bin/bash
# Send a message to a channel.
#
# Usage:
#   notify.sh [options] <message>
#
# Options:
#   --channel NAME    channel to write to (default: general)
#   --level LEVEL     info, warn or error
#   --mention USER    somebody to mention; may be given several times

CHANNEL="general"
LEVEL="info"
MENTIONS=()
MESSAGE=""

while [[ $# -gt 0 ]]; do
  key="$1"
  case $key in
    --channel)
      CHANNEL="$2"
      shift
      shift
      ;;
    --level)
      LEVEL="$2"
      shift
      shift
      ;;
    --mention)
      MENTIONS+=("@$2")
      shift 2
      ;;
    -*)
      echo "Unknown option $1" >&2
      exit 1
      ;;
    *)
      MESSAGE="$1"
      shift
      ;;
  esac
done

if [[ "$LEVEL" != "info" && "$LEVEL" != "warn" && "$LEVEL" != "error" ]]; then
  echo "bad level" >&2
  exit 1
fi
[[ -n "$MESSAGE" ]] || { echo "message missing" >&2; exit 1; }
curl -s -d "[$LEVEL] $MESSAGE ${MENTIONS[*]}" "https://chat.example/$CHANNEL"
