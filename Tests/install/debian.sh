#!/usr/bin/env bash
# On another Debian, without Swift: an empty root is made with debootstrap (once, kept in BUILD/debian-root). In one copy of it
# the archive of `make dist` is unpacked, in another the packages of `make deb` are installed; in both hello.c, hello.cpp and
# hello.py run as README prints them, two of each, and play together. The root itself is never written to.
set -euo pipefail
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
MIRROR=${MIRROR:-http://deb.debian.org/debian}
# What somebody has who writes a program for it, and nothing else.
INCLUDED=g++,libc6-dev,pkgconf,python3

skip() { echo "debian: SKIPPED: $*"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "an empty Debian can only be tried as root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (apt-get install debootstrap)"
missing=()
for package in debhelper dh-python chrpath lintian libuv1; do dpkg -s $package >/dev/null 2>&1 || missing+=($package); done
[ ${#missing[@]} -eq 0 ] || skip "missing ${missing[*]}"
# Everything is mounted in a namespace of mounts and processes of its own, and goes when that ends. Nothing here is ever removed
# recursively, and nothing of this machine's own /dev is mounted: what removed it would remove the machine's.
if [ -z "${UNISONO_ROOM:-}" ]; then
  unshare --mount-proc --pid --fork --propagation private true 2>/dev/null || skip "no mount namespace can be made here"
  over=$(mktemp -d)
  status=0
  UNISONO_ROOM=$over unshare --mount-proc --pid --fork --kill-child --propagation private "$0" "$@" || status=$?
  rmdir "$over"
  exit $status
fi
[ $$ -eq 1 ] || { echo "debian: UNISONO_ROOM is set by this script alone" >&2; exit 1; }
over=$UNISONO_ROOM

begun=$SECONDS
root=$(realpath "$BUILD")/debian-root
if [ "$(cat "$root/complete" 2>/dev/null)" != $INCLUDED ]; then
  # debootstrap mounts things in it, the machine's devices among them where it may make none: never through a mount.
  if grep -qF " $root/" /proc/self/mountinfo; then echo "debian: something is mounted below $root" >&2; exit 1; fi
  rm -rf --one-file-system "$root"
  mkdir -p "$root/tree" "$root/packages"
  echo "debian: an empty root is made in $root (a minute or two; it is kept)"
  debootstrap --variant=minbase --include=$INCLUDED bookworm "$root/tree" "$MIRROR" >"$root/log" 2>&1 || {
    tail -5 "$root/log" >&2
    skip "debootstrap did not succeed; is $MIRROR reachable?"
  }
  # The one package of Debian that ours need and the root has not.
  (cd "$root/packages" && apt-get -qq download libuv1 2>/dev/null) || skip "libuv1 cannot be fetched"
  rm -rf --one-file-system "$root"/tree/var/cache/apt "$root"/tree/var/lib/apt/lists
  echo $INCLUDED >"$root/complete"
fi
[ ! -e "$root/tree/usr/bin/swift" ] && ! find "$root/tree" -name 'libuv.so*' -o -name 'libswift*' | grep -q . || {
  echo "debian: the root is not empty" >&2
  exit 1
}

BUILD=$BUILD packaging/deb.sh
make -s dist BUILD="$BUILD"
lintian --fail-on error,warning "$BUILD"/deb/*.changes >"$BUILD/deb/lintian" 2>&1 || {
  cat "$BUILD/deb/lintian" >&2
  exit 1
}

# Writing goes to memory: $over is empty again when this namespace ends.
mount -t tmpfs none "$over"
# fresh NAME: an empty Debian at $over/NAME/at, with the device nodes that debootstrap made in it
fresh() {
  mkdir -p "$over/$1/up" "$over/$1/work" "$over/$1/at"
  mount -t overlay overlay -o "lowerdir=$root/tree,upperdir=$over/$1/up,workdir=$over/$1/work" "$over/$1/at" 2>/dev/null ||
    cp -a "$root/tree/." "$over/$1/at"
  [ -c "$over/$1/at/dev/null" ] || { echo "debian: $root/tree has no /dev/null" >&2; exit 1; }
  mount -t proc proc "$over/$1/at/proc"
  mkdir -p "$over/$1/at/try"
  cp README.md Tests/install/hello.py "$over/$1/at/try/"
}
# within NAME COMMAND...: in that Debian, with nothing of this machine's environment
within() {
  local at=$over/$1/at
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$at" "$@"
}

fresh archive
tar -C "$over/archive/at/opt" -xzf "$BUILD"/unisono-*-linux-*.tar.gz
within archive bash -euc '
  mv /opt/unisono-* /opt/moved
  /opt/moved/bin/unisono --version >/dev/null
  export PKG_CONFIG_PATH=/opt/moved/lib/pkgconfig
  python3 /try/hello.py /try/README.md "-Wl,-rpath,/opt/moved/lib" PYTHONPATH=/opt/moved/lib/python /opt/moved/bin/unisono'

fresh packages
cp "$BUILD"/deb/*.deb "$root"/packages/*.deb "$over/packages/at/try/"
within packages bash -euc '
  dpkg -i $(ls /try/*.deb | grep -vE "unisono-(mpv|vlc|port)") >/try/log 2>&1 || { cat /try/log; exit 1; }
  python3 /try/hello.py /try/README.md "" "" unisono
  dpkg -P unisono python3-unisono libunisono-dev libunisono0 >/try/log 2>&1 || { cat /try/log; exit 1; }
  left=$(find / -xdev -name "*unisono*" ! -path "/try/*" ! -path "/var/lib/dpkg/*" ! -path "/var/log/*" ! -path "/proc/*")
  [ -z "$left" ] || { echo "dpkg -P left: $left"; exit 1; }'
echo "debian: the archive and the packages run on an empty Debian, hello.c, hello.cpp and hello.py play ($((SECONDS - begun)) s)"
