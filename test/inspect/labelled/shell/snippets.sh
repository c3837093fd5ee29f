#!/bin/bash
# Store and find pieces of code.

die() { echo "$1" >&2; exit 1; }

save() {
  local title="" lang="text" tags=()
  while [ $# -gt 0 ]; do
    case "$1" in
      --title) title="$2"; shift 2 ;;
      --lang) lang="$2"; shift 2 ;;
      --tag) tags+=("$2"); shift 2 ;;
      *) die "save: unknown option $1" ;;
    esac
  done
  [ -n "$title" ] || die "save: --title is missing"
  cat > "snippets/$lang/$title"
  printf '%s\n' "${tags[@]}" > "snippets/$lang/$title.tags"
}

find_snippet() {
  local ignore_case=""
  if [ "$1" = "-i" ]; then
    ignore_case="-i"
    shift
  fi
  grep -r $ignore_case -- "$1" snippets
}

case "$1" in
  save) shift; save "$@" ;;
  find) shift; find_snippet "$@" ;;
  *) die "Usage: snippets.sh save|find …" ;;
esac
