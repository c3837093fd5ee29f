#!/usr/bin/env bash
# Create a page from a template.
set -o errexit -o nounset

main() {
  if (( $# < 1 || $# > 3 )); then
    echo "Usage: new-page.sh TITLE [TEMPLATE] [FOLDER]" >&2
    return 1
  fi
  local title="$1"
  local template="${2:-default}"
  local folder="${3:-pages}"
  local slug
  slug="$(slugify "$title")"
  sed "s/{{title}}/$title/" "templates/$template.html" > "$folder/$slug.html"
}

slugify() {
  echo "$1" | tr 'A-Z ' 'a-z-'
}

main "$@"
