#!/usr/bin/env bash
# The hub's service is one that systemd understands, and is let do little: service.sh UNIT
set -euo pipefail
if ! command -v systemd-analyze >/dev/null; then
  echo "service: systemd-analyze is not installed (Debian: systemd); the unit was not looked at"
  exit 0
fi
unit=$1
said=$(systemd-analyze verify --man=no "$unit" 2>&1 | grep -F unisono-hub || true)
[ -z "$said" ] || { echo "service: $said" >&2; exit 1; }
# From 0.0 (can do nothing) to 10.0 (everything); the network alone is 0.9.
exposure=$(systemd-analyze security --offline=yes "$unit" 2>/dev/null | sed -n 's/.*Overall exposure level for .*: \([0-9.]*\) .*/\1/p')
[ -n "$exposure" ] || { echo "service: systemd-analyze says no exposure" >&2; exit 1; }
awk -v level="$exposure" 'BEGIN { exit level > 1.2 }' || { echo "service: exposure $exposure is more than 1.2" >&2; exit 1; }
echo "service: understood, exposure $exposure of 10"
