#!/usr/bin/env bash
# A foreign CMake project finds the installed library by its name, builds and runs; other versions are refused: cmake.sh PREFIX
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v cmake >/dev/null; then
  echo "cmake: SKIPPED: cmake is not installed (Debian: cmake)"
  exit 0
fi
prefix=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(cat ../../VERSION)
configure() { cmake -S cmake -B "$work/$1" -DCMAKE_PREFIX_PATH="$2" -DWANTED="$3" -DCMAKE_BUILD_TYPE=Release >"$work/said" 2>&1; }
# Moved elsewhere it is found, too: the package names no folder.
cp -a "$prefix" "$work/moved"
for place in "$prefix" "$work/moved"; do
  rm -rf "$work/build"
  configure build "$place" "${version%.*}" || { cat "$work/said" >&2; exit 1; }
  cmake --build "$work/build" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  "$work/build/foreign_c" >/dev/null
  "$work/build/foreign_cpp" >/dev/null
done
for wrong in 99.0 "${version%.*}.99" 0.0.1; do
  if configure "wrong-$wrong" "$prefix" "$wrong"; then echo "cmake: version $wrong was found, there is only $version" >&2; exit 1; fi
done
configure newest "$prefix" "" || { cat "$work/said" >&2; exit 1; }
echo "cmake: a foreign project finds, builds and runs, and is refused other versions"
