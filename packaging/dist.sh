#!/usr/bin/env bash
# packaging/dist.sh: BUILD/unisono-VERSION-linux-PROCESSOR.tar.gz from a finished build: runs wherever it is unpacked, on any
# Linux with a C library as new as this one's and without Swift. libuv is in it.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${BUILD:=build}" "${SONAME:?}"
name=unisono-$(cat VERSION)-linux-$(uname -m)
root=$BUILD/dist/$name
rm -rf "$BUILD/dist"
mkdir -p "$root"
export BUILD SONAME DESTDIR=$BUILD/dist PREFIX=/$name
BINDIR=$PREFIX/bin LIBDIR=$PREFIX/lib INCLUDEDIR=$PREFIX/include DATADIR=$PREFIX/share UNITDIR=$PREFIX/lib/systemd/system \
  RELOCATABLE=1 packaging/install.sh install

# The system's libuv, which the library finds beside itself where no other one is loaded yet.
libuv=$(ldd "$BUILD/$SONAME" | awk '$1 == "libuv.so.1" { print $3 }')
[ -n "$libuv" ] || { echo "dist: libuv.so.1 was not found" >&2; exit 1; }
install -m 644 "$(readlink -f "$libuv")" "$root/lib/libuv.so.1"
licence=/usr/share/doc/libuv1/copyright
[ -f $licence ] || { echo "dist: $licence is not there: the licence of libuv has to go with it" >&2; exit 1; }
install -m 644 $licence "$root/share/doc/unisono/licenses/libuv.txt"

# The Python package finds the library beside itself.
python=$root/lib/python/unisono
mkdir -p "$python/examples"
install -m 644 bindings/python/unisono/*.py bindings/python/unisono/py.typed "$python"
install -m 644 bindings/python/unisono/examples/*.py "$python/examples"
ln -s "../../$SONAME" "$python/$SONAME"
ln -s ../../libuv.so.1 "$python/libuv.so.1"

# What one begins with: the tutorial with its program, and hosts in one file.
doc=$root/share/doc/unisono
install -m 644 docs/tutorial.md "$doc"
awk '/^<!-- example: together.c -->/ { ours = 1 } /^```$/ { inside = ours = 0 } inside { print } /^```c$/ { inside = ours }' \
  docs/tutorial.md >"$doc/together.c"
mkdir -p "$doc/templates"
install -m 644 bindings/c/template_*.c bindings/python/templates/*.py "$doc/templates"

cat >"$root/README" <<EOF
Unisono $(cat VERSION): the library, its headers and manual, the command, and the package for Python.
This folder can be put anywhere.

    bin/unisono --help
    export PKG_CONFIG_PATH=\$PWD/lib/pkgconfig
    cc hello.c \$(pkg-config --cflags --libs unisono) -Wl,-rpath,\$PWD/lib
    PYTHONPATH=\$PWD/lib/python python3 hello.py
    MANPATH=\$PWD/share/man man unisono

Without -rpath the loader has to be told: export LD_LIBRARY_PATH=\$PWD/lib. hello.c and hello.py are in share/doc/unisono/README.md, a film in step
with mpv in tutorial.md and together.c there, hosts in one file in templates/; for CMake: -DCMAKE_PREFIX_PATH=\$PWD. Needs the C library $(
  objdump -T "$BUILD/$SONAME" "$BUILD/unisono" "$root/lib/libunisono.so" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -1 | sed 's/GLIBC_//') or newer.
EOF
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}"
tar -C "$BUILD/dist" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" | gzip -9n >"$BUILD/$name.tar.gz"
rm -rf "$BUILD/dist"
ls -l "$BUILD/$name.tar.gz" | awk '{ printf "%s %.1f MB\n", $NF, $5 / 1e6 }'
