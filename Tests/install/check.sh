#!/usr/bin/env bash
# Installs into an empty prefix, builds a foreign C and C++ program with nothing but pkg-config, runs both and the
# installed command, uninstalls, and finds nothing left.
set -euo pipefail
cd "$(dirname "$0")/../.."
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
make -s install PREFIX="$prefix"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
read -ra flags <<<"$(pkg-config --cflags --libs unisono)"
cc -std=c11 -Wall -Wextra -Werror Tests/install/foreign.c -o "$prefix/foreign" "${flags[@]}"
c++ -std=c++17 -x c++ -Wall -Wextra -Werror Tests/install/foreign.c -o "$prefix/foreign++" "${flags[@]}"
"$prefix/foreign"
"$prefix/foreign++"
"$prefix/bin/unisono" --help >/dev/null
grep -qx "Exec=$prefix/bin/unisono open %u" "$prefix/share/applications/unisono.desktop"
if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate "$prefix/share/applications/unisono.desktop"
fi
rm "$prefix/foreign" "$prefix/foreign++"
make -s uninstall PREFIX="$prefix"
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || { echo "uninstall left: $left" >&2; exit 1; }
echo "install: a foreign C and a foreign C++ program build, run, and uninstall leaves nothing"
