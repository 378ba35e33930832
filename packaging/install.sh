#!/usr/bin/env bash
# packaging/install.sh install|remove
#
# Copies what `make` has built (BUILD) below DESTDIR, or removes it again: both from the one list at the end. Builds
# nothing and needs no compiler. The folders are those of the Makefile: PREFIX, BINDIR, LIBDIR, INCLUDEDIR, DATADIR, UNITDIR.
# ZSH_FOLDER is the one below share/zsh; Debian's packages have one of their own.
# With RELOCATABLE=1 nothing in what is installed names the folder that it is in; what cannot do without is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=$1
: "${BUILD:=build}" "${DESTDIR:=}" "${RELOCATABLE:=}" "${ZSH_FOLDER:=site-functions}"
: "${PREFIX:?}" "${BINDIR:?}" "${LIBDIR:?}" "${INCLUDEDIR:?}" "${DATADIR:?}" "${UNITDIR:?}" "${SONAME:?}"
version=$(cat VERSION)

fail() { echo "install: $*" >&2; exit 1; }

# --- What a line of the list does -----------------------------------------------------------------------------------
gone() { rm -f "$DESTDIR$1"; }

# put MODE FILE TARGET
put() {
  if [ "$mode" = remove ]; then gone "$3"; return; fi
  install -D -m "$1" "$2" "$DESTDIR$3"
}

# link NAME TARGET: a symbolic link
link() {
  if [ "$mode" = remove ]; then gone "$2"; return; fi
  mkdir -p "$(dirname "$DESTDIR$2")"
  ln -sfn "$1" "$DESTDIR$2"
}

# fill FILE.in TARGET: a text in which @NAMES@ stand for folders
fill() {
  if [ "$mode" = remove ]; then gone "$2"; return; fi
  mkdir -p "$(dirname "$DESTDIR$2")"
  sed -e "s|@PREFIX@|$pc_prefix|g" -e "s|@BINDIR@|$BINDIR|g" -e "s|@LIBDIR@|$pc_libdir|g" \
    -e "s|@INCLUDEDIR@|$pc_includedir|g" -e "s|@RELATIVE_INCLUDEDIR@|$relative_includedir|g" -e "s|@SONAME@|$SONAME|g" \
    -e "s|@VERSION@|$version|g" "$1" >"$DESTDIR$2"
  chmod 644 "$DESTDIR$2"
}

# folder NAME: one of ours, which goes when nothing is left in it
folder() {
  if [ "$mode" = remove ] && [ -d "$DESTDIR$1" ]; then rmdir --ignore-fail-on-non-empty "$DESTDIR$1"; fi
}

# --- What has to be there -------------------------------------------------------------------------------------------
if [ "$mode" = install ]; then
  for built in "$SONAME" unisono completions/unisono.fish man/man3/unisono.3 licenses/README; do
    [ -e "$BUILD/$built" ] || fail "$BUILD/$built is not there: run \`make\` first (that needs Swift, this does not)"
  done
  newer=$(find Sources include Package.swift -newer "$BUILD/$SONAME" \( -name '*.swift' -o -name '*.h' \) -print -quit)
  [ -e "$BUILD/unisono.so" ] ||
    echo "install: without mpv's plugin, which \`unisono watch\` needs: $BUILD/unisono.so is not built (libmpv-dev; \`make plugin\`)" >&2
  [ -z "$newer" ] || echo "install: $newer is newer than the build, which is installed as it is; \`make\` builds anew" >&2
fi
pc_prefix=$PREFIX
[ -z "$RELOCATABLE" ] || pc_prefix=\${pcfiledir}/$(realpath -m --relative-to="$LIBDIR/pkgconfig" "$PREFIX")
pc_libdir=${LIBDIR/#"$PREFIX/"/\$\{prefix\}/}
pc_includedir=${INCLUDEDIR/#"$PREFIX/"/\$\{prefix\}/}
relative_includedir=$(realpath -m --relative-to="$LIBDIR" "$INCLUDEDIR")

# --- The list -------------------------------------------------------------------------------------------------------
put 755 "$BUILD/unisono" "$BINDIR/unisono"
put 644 "$BUILD/$SONAME" "$LIBDIR/$SONAME"
link "$SONAME" "$LIBDIR/libunisono.so"
# mpv's plugin looks for the library one folder up.
if [ "$mode" = remove ] || [ -e "$BUILD/unisono.so" ]; then put 644 "$BUILD/unisono.so" "$LIBDIR/unisono/unisono.so"; fi
# What asks the router for a port, found by the command there.
if [ "$mode" = remove ] || [ -e "$BUILD/unisono-port" ]; then put 755 "$BUILD/unisono-port" "$LIBDIR/unisono/unisono-port"; fi
# What drives VLC, and what VLC reads for that.
if [ "$mode" = remove ] || [ -e "$BUILD/unisono-vlc" ]; then
  put 755 "$BUILD/unisono-vlc" "$LIBDIR/unisono/unisono-vlc"
  put 644 bindings/vlc/unisono.lua "$LIBDIR/unisono/unisono.lua"
fi
folder "$LIBDIR/unisono"
for header in include/*.h include/*.hpp; do
  [ ! -e "$header" ] || put 644 "$header" "$INCLUDEDIR/$(basename "$header")"
done
fill packaging/unisono.pc.in "$LIBDIR/pkgconfig/unisono.pc"
fill packaging/unisono-config.cmake.in "$LIBDIR/cmake/unisono/unisono-config.cmake"
fill packaging/unisono-config-version.cmake.in "$LIBDIR/cmake/unisono/unisono-config-version.cmake"
folder "$LIBDIR/cmake/unisono"
# The page for browsers, where `make web` was run.
for name in README.md LICENSE package.json engine.js link.js unisono.js unisono.d.ts video.js worker.js unisono.wasm page/index.html \
  page/listen.html page/page.css page/page.js page/listen.js page/attachments.js page/countdown.js page/films.js page/subtitles.js \
  page/telling.js page/words.js; do
  if [ "$mode" = remove ] || [ -e "$BUILD/web/unisono/$name" ]; then put 644 "$BUILD/web/unisono/$name" "$DATADIR/unisono/web/$name"; fi
done
folder "$DATADIR/unisono/web/page"
folder "$DATADIR/unisono/web"
folder "$DATADIR/unisono"
put 644 "$BUILD/completions/unisono.bash" "$DATADIR/bash-completion/completions/unisono"
put 644 "$BUILD/completions/_unisono" "$DATADIR/zsh/$ZSH_FOLDER/_unisono"
put 644 "$BUILD/completions/unisono.fish" "$DATADIR/fish/vendor_completions.d/unisono.fish"
for page in packaging/man/*.1.in; do
  fill "$page" "$DATADIR/man/man1/$(basename "$page" .in)"
done
for page in "$BUILD"/man/man3/*.3; do
  put 644 "$page" "$DATADIR/man/man3/$(basename "$page")"
done
for text in "$BUILD"/licenses/*; do
  put 644 "$text" "$DATADIR/doc/unisono/licenses/$(basename "$text")"
done
folder "$DATADIR/doc/unisono/licenses"
for text in LICENSE README.md CHANGELOG.md; do
  put 644 "$text" "$DATADIR/doc/unisono/$text"
done
# For whoever runs a hub: a sample of its settings, and a dashboard.
put 644 packaging/hub.toml "$DATADIR/doc/unisono/hub.toml"
put 644 packaging/grafana/unisono-hub.json "$DATADIR/doc/unisono/hub-dashboard.json"
folder "$DATADIR/doc/unisono"
if [ -z "$RELOCATABLE" ]; then
  fill packaging/unisono.desktop.in "$DATADIR/applications/unisono.desktop"
  fill packaging/unisono-hub.service.in "$UNITDIR/unisono-hub.service"
fi

# --- Whether the library will be found ------------------------------------------------------------------------------
if [ "$mode" = install ] && [ -z "$DESTDIR" ]; then
  PATH=$PATH:/usr/sbin:/sbin
  looked_in=$(ldconfig -N -X -v 2>/dev/null || true)
  if ! grep -q "^$LIBDIR:" <<<"$looked_in"; then
    echo "install: the system does not look for libraries in $LIBDIR. Link with -Wl,-rpath,$LIBDIR, or set"
    echo "install: LD_LIBRARY_PATH=$LIBDIR, or (root) write $LIBDIR into /etc/ld.so.conf.d/unisono.conf and run ldconfig."
  elif [ "$(id -u)" = 0 ]; then
    ldconfig
  else
    echo "install: run \`ldconfig\` as root, so that programs find $LIBDIR/$SONAME"
  fi
fi
