#!/bin/sh
# Fails when the ABI changed unnoticed: headers against the record, the contract and the list of changes; exported symbols
# against the headers.
#   Tests/abi/check.sh [LIBRARY]             LIBRARY: the self-contained one; without it only the header is looked at
#   Tests/abi/record.py include/*.h > Tests/abi/unisono.abi     after a change that is meant
set -eu
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$here/record.py" "$include"/*.h > "$work/now"
if ! diff -u "$here/unisono.abi" "$work/now"; then
  echo "abi: the headers are not what Tests/abi/unisono.abi records" >&2
  exit 1
fi

python3 "$here/contract.py" "$include"
python3 "$here/changes.py"
python3 "$here/names.py"

# No diagnostic in any language version, of each header alone and of all in any order.
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I$include"
for order in "unisono" "unisono_player" "unisono_nearby" "unisono_simulation" \
  "unisono_simulation unisono_nearby unisono_player unisono unisono_nearby"; do
  : > "$work/one.c"
  for header in $order; do echo "#include \"$header.h\"" >> "$work/one.c"; done
  echo 'int main(void) { unisono_timing t = UNISONO_TIMING_INIT; return t.size == sizeof t ? 0 : 1; }' >> "$work/one.c"
  cp "$work/one.c" "$work/one.cc"
  for compiler in cc gcc clang; do
    command -v $compiler > /dev/null || continue
    for version in c99 c11 c17 c2x; do $compiler -std=$version $strict "$work/one.c"; done
  done
  for compiler in c++ g++ clang++; do
    command -v $compiler > /dev/null || continue
    casts=-Wold-style-cast
    [ $compiler = clang++ ] || casts="$casts -Wuseless-cast"
    for version in c++11 c++14 c++17 c++20; do $compiler -std=$version $strict $casts "$work/one.cc"; done
  done
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
