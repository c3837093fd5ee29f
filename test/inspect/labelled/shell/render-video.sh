#!/usr/bin/env bash
# Render frames to a video.
set -e

FRAMES_DIR="$1"
if [ -z "$FRAMES_DIR" ]; then
  echo "Usage: render-video.sh <frames-dir> [--fps N] [--out FILE] [--loop]" >&2
  exit 1
fi
shift

FPS=25
OUT=video.mp4
LOOP=no
while [ "$#" -gt 0 ]; do
  case "$1" in
    --fps) FPS="$2"; shift ;;
    --out) OUT="$2"; shift ;;
    --loop) LOOP=yes ;;
    *) echo "what is $1?" >&2; exit 1 ;;
  esac
  shift
done
DELAY=$((1000 / FPS))
echo "a frame every $DELAY ms, loop: $LOOP"
ffmpeg -framerate "$FPS" -i "$FRAMES_DIR/%04d.png" "$OUT"
