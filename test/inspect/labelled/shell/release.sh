#!/usr/bin/env bash
set -euo pipefail

VERSION=""
CHANNEL="stable"
DRY_RUN=false
NOTES_FILE=""

usage() {
  cat <<USAGE
Publish a release of the project.

Usage: release.sh --version VERSION [options]

Options:
  --version VERSION      version to publish (required)
  -c, --channel NAME     one of stable, beta, nightly (default: stable)
  --notes FILE           file with the release notes
  --dry-run              only print what would happen
  -h, --help             show this text
USAGE
}

while [[ $# -gt 0 ]]; do
  case "$1" in
    --version)
      VERSION="$2"
      shift 2
      ;;
    -c | --channel)
      CHANNEL="$2"
      shift 2
      ;;
    --notes)
      NOTES_FILE="$2"
      shift 2
      ;;
    --dry-run)
      DRY_RUN=true
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      echo "Unknown option: $1" >&2
      usage >&2
      exit 1
      ;;
  esac
done

if [[ -z "$VERSION" ]]; then
  echo "--version is required" >&2
  exit 1
fi
case "$CHANNEL" in
  stable | beta | nightly) ;;
  *)
    echo "bad channel: $CHANNEL" >&2
    exit 1
    ;;
esac

run() { if $DRY_RUN; then echo "+ $*"; else "$@"; fi; }
run git tag "v$VERSION"
if [[ -n "$NOTES_FILE" ]]; then
  run gh release create "v$VERSION" --notes-file "$NOTES_FILE"
fi
