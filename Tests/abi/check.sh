#!/bin/sh
# Fails when the ABI changed unnoticed: header against the record, exported symbols against the header.
#   Tests/abi/check.sh [LIBRARY]             LIBRARY: the self-contained one; without it only the header is looked at
#   Tests/abi/record.py include/unisono.h > Tests/abi/unisono.abi     after a change that is meant
set -eu
here=$(cd "$(dirname "$0")" && pwd)
header=$here/../../include/unisono.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$here/record.py" "$header" > "$work/now"
if ! diff -u "$here/unisono.abi" "$work/now"; then
  echo "abi: the header is not what Tests/abi/unisono.abi records" >&2
  exit 1
fi

# No diagnostic in any language version.
echo '#include "unisono.h"' > "$work/one.c"
echo 'int main(void) { unisono_timing t = UNISONO_TIMING_INIT; return (int)t.size - (int)sizeof t; }' >> "$work/one.c"
cp "$work/one.c" "$work/one.cc"
strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$(dirname "$header")"
for compiler in cc gcc clang; do
  command -v $compiler > /dev/null || continue
  for version in c99 c11 c17 c2x; do $compiler -std=$version $strict "$work/one.c"; done
done
for compiler in c++ g++ clang++; do
  command -v $compiler > /dev/null || continue
  for version in c++11 c++14 c++17 c++20; do $compiler -std=$version $strict "$work/one.cc"; done
done

if [ $# -gt 0 ]; then
  sed -n 's/^function .*\b\(unisono_[a-z_]*\)(.*/\1/p' "$work/now" | sort > "$work/declared"
  nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort > "$work/exported"
  if ! diff -u "$work/declared" "$work/exported"; then
    echo "abi: $1 does not export exactly what the header declares" >&2
    exit 1
  fi
fi
echo "abi: $(grep -c '^function' "$work/now") functions, $(grep -c '^struct' "$work/now") structs," \
  "$(grep -c '^constant' "$work/now") constants as recorded"
