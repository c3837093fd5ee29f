#!/bin/bash
# Pack a folder into an archive.

usage() {
  echo "Usage: $(basename "$0") [-z] [-v] [-o FILE] [-k COUNT] FOLDER"
  echo "  -z         compress"
  echo "  -v         say what is packed"
  echo "  -o FILE    where to write"
  echo "  -k COUNT   how many old archives to keep"
}

compress=""
verbose=0
out="backup.tar"
keep=5
while getopts ":zvo:k:h" opt; do
  case "$opt" in
    z) compress=z ;;
    v) verbose=1 ;;
    o) out="$OPTARG" ;;
    k) keep="$OPTARG" ;;
    h) usage; exit 0 ;;
    \?) echo "unknown option -$OPTARG" >&2; usage; exit 2 ;;
    :) echo "-$OPTARG needs a value" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))

folder="$1"
[ -n "$folder" ] || { usage >&2; exit 2; }
[ "$verbose" -eq 1 ] && echo "packing $folder"
tar -c${compress}f "$out" "$folder"
ls -t "$out".* 2>/dev/null | tail -n +$((keep + 1)) | xargs -r rm --
