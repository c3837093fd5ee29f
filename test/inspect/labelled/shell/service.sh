#!/bin/sh
# Control the demo server.
PIDFILE=/tmp/demo.pid

case "$1" in
  start)
    python3 -m http.server 8000 &
    echo $! > "$PIDFILE"
    ;;
  stop)
    kill "$(cat "$PIDFILE")"
    rm -f "$PIDFILE"
    ;;
  status)
    [ -f "$PIDFILE" ] && echo running || echo stopped
    ;;
  *)
    echo "Usage: $0 {start|stop|status}"
    exit 1
    ;;
esac
