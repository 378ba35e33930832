#!/usr/bin/env bash
# packaging/deb.sh: Debian packages from a finished build (BUILD), in BUILD/deb. Needs debhelper, dh-python and chrpath, no
# Swift. DEBEMAIL names who packs.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${BUILD:=build}"
version=$(cat VERSION)
missing=()
for package in debhelper dh-python chrpath dpkg-dev; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -ne 0 ]; then
  echo "deb: missing ${missing[*]}; as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
stage=$BUILD/deb/unisono-$version
rm -rf "$BUILD/deb"
mkdir -p "$stage"
cp -r packaging/debian "$stage/debian"
email=${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || true)}
sed -i "s|@EMAIL@|${email:-unisono@packages.debian.org}|" "$stage/debian/control"
# Built twice from one commit the packages are the same.
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}"
export SOURCE_DATE_EPOCH
cat >"$stage/debian/changelog" <<EOF
unisono ($version-0unisono1) unstable; urgency=medium

  * Packed from the build of the project; what changed is in changelog.gz.

 -- $(sed -n 's/^Maintainer: //p' "$stage/debian/control")  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
EOF
log=$BUILD/deb/log
UNISONO_ROOT=$PWD UNISONO_BUILD=$(realpath "$BUILD") bash -c "cd '$stage' && dpkg-buildpackage -b -us -uc" >"$log" 2>&1 || {
  tail -30 "$log" >&2
  exit 1
}
rm -rf "$stage"
ls -l "$BUILD"/deb/*.deb | awk '{ printf "%s %.1f MB\n", $NF, $5 / 1e6 }'
