#!/bin/bash
# Build the site.
OUT_DIR=public
MINIFY=true
DRAFTS=false
JOBS=4
while (( "$#" )); do
  case "$1" in
    -o|--out-dir)
      if [ -n "$2" ] && [ "${2:0:1}" != "-" ]; then
        OUT_DIR=$2
        shift 2
      else
        echo "Error: no value for $1" >&2
        exit 1
      fi
      ;;
    --no-minify) MINIFY=false; shift ;;
    --drafts) DRAFTS=true; shift ;;
    -j|--jobs) JOBS=$2; shift 2 ;;
    --jobs=*) JOBS=${1#*=}; shift ;;
    -*|--*=)
      echo "Error: unknown flag $1" >&2
      exit 1
      ;;
    *)
      SOURCES+=("$1")
      shift
      ;;
  esac
done
for (( n = 0; n < JOBS; n++ )); do echo "worker $n"; done
hugo --destination "$OUT_DIR" --buildDrafts="$DRAFTS" --minify="$MINIFY" -- "${SOURCES[@]}"
