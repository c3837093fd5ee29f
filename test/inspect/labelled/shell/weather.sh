#!/bin/bash
# Print the weather of today.
set -euo pipefail
: "${WEATHER_KEY:?set WEATHER_KEY first}"
for tool in curl jq; do
  command -v "$tool" > /dev/null || { echo "install $tool" >&2; exit 1; }
done
curl -s "https://weather.example/today?key=$WEATHER_KEY" | jq -r .summary
