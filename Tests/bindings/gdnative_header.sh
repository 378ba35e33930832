#!/bin/sh
# Makes the headers of Godot 3's GDNative in a folder, from Debian's sources of the engine: 22 MB are fetched, nothing is built or installed.
#   Tests/bindings/gdnative_header.sh build/gdnative
#   make test-bindings GODOT_HEADERS=build/gdnative/include
set -eu
mkdir -p "$1"
cd "$1"
here=$(pwd)
mkdir -p lists/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" > sources.list
apt="-qq -o Dir::Etc::sourcelist=$here/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$here/lists -o APT::Sandbox::User="
apt-get $apt update
apt-get $apt --download-only source godot
tar xzf godot_*.orig.tar.gz --strip-components=1 --wildcards '*/modules/gdnative/*' '*/methods.py' '*/platform_methods.py'
rm -rf include lists sources.list godot_*
cp -r modules/gdnative/include include
cd modules/gdnative
PYTHONPATH=$here python3 -c "
import gdnative_builders
gdnative_builders.build_gdnative_api_struct(['$here/include/gdnative_api_struct.gen.h', '/dev/null'], ['gdnative_api.json'], None)"
test -s "$here/include/gdnative_api_struct.gen.h"
cd "$here"
rm -rf modules methods.py platform_methods.py __pycache__
echo "GODOT_HEADERS=$here/include"
