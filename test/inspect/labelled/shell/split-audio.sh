#!/bin/bash
# Cut an audio file into pieces.
INPUT=""
SECONDS_EACH=60
PREFIX="part"
KEEP=false

while [ $# -gt 0 ]; do
  if [ "$1" = "--seconds" ] || [ "$1" = "-s" ]; then
    SECONDS_EACH="$2"
    shift 2
  elif [ "$1" = "--prefix" ]; then
    PREFIX="$2"
    shift 2
  elif [ "$1" = "--keep" ]; then
    KEEP=true
    shift
  else
    INPUT="$1"
    shift
  fi
done

if [ -z "$INPUT" ]; then
  echo "Usage: split-audio.sh [--seconds N] [--prefix NAME] [--keep] <input>"
  exit 1
fi
ffmpeg -i "$INPUT" -f segment -segment_time "$SECONDS_EACH" "${PREFIX}%03d.wav"
$KEEP || rm "$INPUT"
