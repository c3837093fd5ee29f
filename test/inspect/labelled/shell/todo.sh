#!/usr/bin/env bash
# Keep a list of things to do.
set -euo pipefail
FILE="${TODO_FILE:-$HOME/todo.txt}"

show_help() {
  cat <<'EOT'
Usage: todo.sh <command> [arguments]

Commands:
  add <text> [priority]   add an entry
  done <number>           mark an entry as done
  list                    print all entries
EOT
}

cmd_add() {
  local text="${1:?text is missing}"
  local priority="${2:-normal}"
  printf '%s\t%s\n' "$priority" "$text" >> "$FILE"
}

cmd_done() {
  local number="$1"
  if [[ ! "$number" =~ ^[0-9]+$ ]]; then
    echo "not a number: $number" >&2
    exit 1
  fi
  sed -i "${number}d" "$FILE"
}

cmd_list() {
  nl "$FILE"
}

command="${1:-}"
[ $# -gt 0 ] && shift
case "$command" in
  add) cmd_add "$@" ;;
  done) cmd_done "$@" ;;
  list) cmd_list ;;
  -h | --help | help) show_help ;;
  *)
    show_help >&2
    exit 2
    ;;
esac
