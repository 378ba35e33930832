#!/usr/bin/env bash
# The core compiles as Embedded Swift for wasm32: no reflection, no dynamic casts, no existential that needs either. That is what the
# browser and small devices build on.
#
#   Tests/embedded/check.sh [FOLDER]    where the objects go (build/embedded); exit status 1: one target does not compile
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-build/embedded}
triple=wasm32-unknown-none-wasm
library=$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/embedded/$triple
if [ ! -d "$library" ]; then
  echo "skipped: this Swift has no standard library for $triple ($library)"
  exit 0
fi
mkdir -p "$out"
# In the order of their imports.
for target in UnisonoBase UnisonoReplica UnisonoWire UnisonoNearby UnisonoCoordination UnisonoPlayer; do
  find "Sources/$target" -name '*.swift' | sort > "$out/$target.sources"
  if ! swiftc -target $triple -enable-experimental-feature Embedded -wmo -Osize -parse-as-library -swift-version 6 \
    -package-name unisono -module-name $target -I "$out" -emit-module -emit-module-path "$out/$target.swiftmodule" \
    -c -o "$out/$target.o" "@$out/$target.sources"; then
    echo "$target does not compile as Embedded Swift: key paths, 'as', 'is', 'any' and uniquingKeysWith are what it lacks;" \
      "each file imports the modules whose members it uses" >&2
    exit 1
  fi
done
echo "6 targets compile as Embedded Swift for $triple: $(cat "$out"/*.o | wc -c) bytes of objects"
