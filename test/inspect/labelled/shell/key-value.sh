#!/bin/bash
# Keep values in files.
main() {
  local cmd="${1:-}"; shift || true
  case "$cmd" in
    get) get "$@" ;;
    put) put "$@" ;;
    *) echo "Usage: b.sh get|put"; return 1 ;;
  esac
}
get() { local key="$1"; [ -z "$key" ] && { echo "key missing"; return 1; }; cat "$key"; }
put() { local key="$1" value="${2:-}"; echo "$value" > "$key"; }
main "$@"
