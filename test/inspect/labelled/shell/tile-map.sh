#!/bin/bash
# Load the tiles of a map.
case $# in
  3) style=plain ;;
  4) style=$4 ;;
  *) echo "usage: tile-map.sh ZOOM X Y [STYLE]" >&2; exit 2 ;;
esac
zoom=$1
x=$2
y=$3
wget -q "https://tiles.example/$style/$zoom/$x/$y.png"
