#!/usr/bin/env bash
# Installs a finished build into an empty prefix on a PATH without Swift, builds a foreign C and C++ program with nothing but
# pkg-config, runs both and the installed command, reads the manual, uninstalls, and finds nothing left.
set -euo pipefail
cd "$(dirname "$0")/../.."
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

# Make and what a script needs, and no Swift: were anything built, it would fail here. What stands for Swift says so.
mkdir "$prefix/tools"
printf '#!/bin/sh\necho "install: swift was called" >&2\nexit 1\n' >"$prefix/tools/swift"
cp "$prefix/tools/swift" "$prefix/tools/swiftc"
chmod 755 "$prefix"/tools/*
without_swift="$prefix/tools:/usr/sbin:/usr/bin:/sbin:/bin"
PATH=$without_swift make -s install PREFIX="$prefix/usr" 2>"$prefix/said" >&2 || { cat "$prefix/said" >&2; fail "make install failed"; }
grep -q "swift was called" "$prefix/said" && fail "make install calls swift"
grep -q "LD_LIBRARY_PATH=$prefix/usr/lib" "$prefix/said" || fail "no hint that $prefix/usr/lib is nowhere the system looks"
# Where the system does look there, however long its list is, it is told of the new library, or the person how to do that.
printf '#!/bin/sh\n[ $# = 0 ] && echo "ldconfig was run" >&2\necho "%s: (from here)"\nseq -f "/lib/%%.0f:" 20000\n' "$prefix/usr/lib" >"$prefix/tools/ldconfig"
chmod 755 "$prefix/tools/ldconfig"
PATH=$without_swift make -s install PREFIX="$prefix/usr" 2>&1 | cat >"$prefix/said"
grep -q "does not look" "$prefix/said" && fail "says that the system does not look in $prefix/usr/lib, and it does"
grep -qE "ldconfig was run|run .ldconfig. as root" "$prefix/said" || fail "the system is not told of the new library"
rm "$prefix/tools/ldconfig"

export PKG_CONFIG_PATH=$prefix/usr/lib/pkgconfig LD_LIBRARY_PATH=$prefix/usr/lib
# Who only links needs no package of libuv: with no other pkg-config file on the machine this still answers.
flags=$(PKG_CONFIG_LIBDIR="$PKG_CONFIG_PATH" PKG_CONFIG_PATH='' pkg-config --cflags --libs unisono) || fail "unisono.pc needs something else"
read -ra flags <<<"$flags"
cc -std=c11 -Wall -Wextra -Werror Tests/install/foreign.c -o "$prefix/foreign" "${flags[@]}"
c++ -std=c++17 -x c++ -Wall -Wextra -Werror Tests/install/foreign.c -o "$prefix/foreign++" "${flags[@]}"
"$prefix/foreign"
"$prefix/foreign++"
for exceptions in -fexceptions -fno-exceptions; do
  c++ -std=c++17 $exceptions -Wall -Wextra -Werror Tests/install/foreign.cpp -o "$prefix/foreign++" "${flags[@]}"
  "$prefix/foreign++"
done

unisono=$prefix/usr/bin/unisono
[ "$("$unisono" --version)" = "$(cat VERSION)" ] || fail "unisono --version is not $(cat VERSION)"
grep -qx "Exec=$prefix/usr/bin/unisono open %u" "$prefix/usr/share/applications/unisono.desktop"
if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate "$prefix/usr/share/applications/unisono.desktop"
fi
grep -qE '^_unisono\b' "$prefix/usr/share/bash-completion/completions/unisono" || fail "bash has nothing to complete with"
bash -euc '. "$1"; COMP_WORDS=(unisono wa); COMP_CWORD=1 COMP_LINE="unisono wa" COMP_POINT=10; _unisono unisono wa unisono; [ "${COMPREPLY[*]}" = watch ]' \
  - "$prefix/usr/share/bash-completion/completions/unisono" || fail "bash does not complete \`unisono wa\`"
for shell in zsh/site-functions/_unisono fish/vendor_completions.d/unisono.fish; do
  grep -q watch "$prefix/usr/share/$shell" || fail "$shell does not know \`unisono watch\`"
done
# mpv's plugin is found by the command and finds the library, both from where they are installed.
if [ -e build/unisono.so ]; then
  plugin=$prefix/usr/lib/unisono/unisono.so
  grep -q "libunisono.so.0 => $prefix/usr/lib/" <<<"$(env -u LD_LIBRARY_PATH ldd "$plugin")" || fail "the plugin of mpv does not find the library"
  if command -v mpv >/dev/null; then
    : >"$prefix/film.mkv"
    XDG_RUNTIME_DIR=$prefix DISPLAY='' WAYLAND_DISPLAY='' "$unisono" watch "$prefix/film.mkv" --config /dev/null \
      -- --no-config --vo=null --ao=null >"$prefix/said" 2>&1 && fail "\`unisono watch\` does not tell how mpv ended"
    grep -q "^invite unisono://" "$prefix/said" || { cat "$prefix/said" >&2; fail "\`unisono watch\` did not host with the installed plugin"; }
  fi
fi
# What drives VLC, and what VLC reads for that, lie together, and the library is found from there.
if [ -e build/unisono-vlc ]; then
  driver=$prefix/usr/lib/unisono/unisono-vlc
  grep -q "libunisono.so.0 => $prefix/usr/lib/" <<<"$(env -u LD_LIBRARY_PATH ldd "$driver")" || fail "what drives VLC does not find the library"
  [ -r "$prefix/usr/lib/unisono/unisono.lua" ] || fail "what VLC reads is not installed"
fi
Tests/install/linked.py "$prefix/usr/lib/libunisono.so.0" "$unisono"
Tests/install/manual.py "$unisono" "$prefix/usr/share/man" "$prefix/usr/include"
Tests/install/cmake.sh "$prefix/usr"
Tests/install/service.sh "$prefix/usr/lib/systemd/system/unisono-hub.service"
for licence in BoringSSL XKCP swift-crypto swift-collections swift-argument-parser swift-log swift-asn1 swift-runtime; do
  [ -s "$prefix/usr/share/doc/unisono/licenses/$licence.txt" ] || fail "the licence of $licence is not installed"
done

PATH=$without_swift make -s uninstall PREFIX="$prefix/usr"
left=$(find "$prefix/usr" ! -type d)
[ -z "$left" ] || fail "uninstall left: $left"
left=$(find "$prefix/usr" -type d -path '*unisono*')
[ -z "$left" ] || fail "uninstall left the folders: $left"
if PATH=$without_swift make -s install PREFIX="$prefix/usr" BUILD="$prefix/nothing" 2>"$prefix/said"; then fail "installed what was not built"; fi
grep -q "run \`make\` first" "$prefix/said" || fail "does not say what to do before make install"
echo "install: without Swift; a foreign C and a foreign C++ program build and run; uninstall leaves nothing"
