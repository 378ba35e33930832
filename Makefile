# The front door of Unisono.
#
#   make            the self-contained shared library build/libunisono.so.0, the command, the manual, the sample hosts
#   make demo       sets up what is missing, builds, plays three hosts in step and judges the result
#   make test       everything that must hold
#   make install    what was built: library, headers, command, manual, service (PREFIX=/usr/local, DESTDIR=); docs/install.md
#   make help       the rest

SHELL := /bin/bash
.DEFAULT_GOAL := all

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
UNITDIR ?= $(PREFIX)/lib/systemd/system
DESTDIR ?=
# NATS: the command may be one of several hubs, and needs libnats (docs/decisions/hub.md, DH69).
TRAITS ?=
CC ?= cc
CXX ?= c++
PYTHON ?= python3

VERSION := $(shell cat VERSION)
SONAME := libunisono.so.0
# unisono.h first: the manual begins with its essay.
HEADERS := include/unisono.h $(filter-out include/unisono.h,$(wildcard include/*.h))
BUILD := build
LIBRARY := $(BUILD)/$(SONAME)
# Sources of what is linked in.
CHECKOUTS := .build/checkouts

# The link line of the self-contained library; kept here because unsafe flags in Package.swift would stop others from
# depending on the package. A section for every function, none of which is kept but for what calls it, in our code and in
# Swift's own libraries (packaging/thin.py), so that the linker leaves out the rest and folds what is alike. Everything is bound
# at the start, so that the tables of addresses can be made read-only.
THIN := $(CURDIR)/$(BUILD)/thin
# Debug builds, for tests: the C of dependencies is optimised all the same, as unoptimised ML-KEM takes most of a run's time.
DEBUG := -Xcc -O2
# Builds of `make test`: what is tested is optimised as well (Package.swift). Without it, what changed is built sooner and runs slower: in
# another folder, as objects of both do not go together.
TESTED := UNISONO_OPTIMISED=1 swift
# With the way between hubs through NATS where libnats is installed.
HAS_NATS := $(shell pkg-config --exists libnats 2>/dev/null && echo yes)
TESTS := $(DEBUG) --scratch-path $(BUILD)/tests $(if $(HAS_NATS),--traits NATS)
RELEASE := -c release --scratch-path $(BUILD)/swift $(if $(TRAITS),--traits $(TRAITS)) -Xswiftc -static-stdlib -Xswiftc -use-ld=lld -Xswiftc -ld-path=$(THIN)/ld.lld \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xcc -ffunction-sections -Xcc -fdata-sections -Xlinker --gc-sections -Xlinker --icf=all -Xlinker -z -Xlinker now
SELF_CONTAINED := $(RELEASE) -Xlinker --version-script=$(CURDIR)/Sources/Unisono/exports.map \
  -Xlinker -soname=$(SONAME) -Xlinker -z -Xlinker nodelete
# The command of an archive that can be put anywhere finds the archive's libraries; packages take this out again.
COMMAND := $(RELEASE) -Xlinker -rpath='$$ORIGIN/../lib'

SWIFT_SOURCES := $(shell find Sources Package.swift -name '*.swift' 2>/dev/null)

.PHONY: all builds library command completions man licenses hosts plugin vlc port wasm wasm-tests web setup demo hubs test test-scenarios test-rooms test-embedded \
  test-web \
  test-docs test-swift test-seeds test-random-rooms test-random-hubs test-drain simulator fingerprint soak search \
  test-capi test-python \
  test-e2e test-crowd test-bindings docs-swift generate test-processes monkey chaos \
  test-install test-abi test-cpp \
  test-sanitizers fuzz fuzz-build fuzz-corpus \
  scenario mutation bench-core bench-web bench-clock bench-clock-live bench-time bench-players bench-hub bench-audience bench-audience-model bench-load bench-session bench-flood bench-attacks bench-bindings \
  format lint \
  install uninstall deb dist wheel clean help

all: library command completions man licenses hosts

# What takes longest of all that `make test` and `make fuzz` build, two at once: most of each keeps one processor busy.
builds: | setup $(CHECKOUTS)/swift-crypto
	$(MAKE) -j2 command wasm-tests fuzz-build

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -7
	@echo "  make hubs            three hubs that are one, live: kill one, or their NATS server, and see what happens (HUBS_SECONDS=20: by itself)"
	@echo "  make bench-players   skew and latency of two mpv hosts beside Syncplay, skew of eight (root; BENCH_ARGS=…)"
	@echo "  make bench-hub       what it costs a hub to deliver a frame, beside writing the same bytes, nats-server and mosquitto"
	@echo "  make bench-audience  one who speaks to 5,000 who listen: when all have it, and what a delivery costs the hub"
	@echo "  make bench-audience-model  100,000 who listen at the hubs of a set, by a model of what was measured"
	@echo "  make bench-load      what a hub takes: 10,000 idle participants, 1,000 rooms of eight, a room of 500, and where it breaks"
	@echo "  make bench-session   how long joining takes, what an idle room says, what a re-key of 256 takes; on virtual time"
	@echo "  make bench-flood     a hub under 4,061 connections that begin a frame and do not end it, judged"
	@echo "  make bench-attacks   what those in a hub's rooms notice of eight kinds of attack, judged; memory and processor"
	@echo "  make bench-web       the page in Chromium beside mpv over emulated networks, a hub that dies, a device that sleeps (root)"
	@echo "  make bench-bindings  two processes of each language: how far apart, and the cost of a frame's poll"
	@echo "  make bench-core      the core's speed, memory and messages by the size of the group"
	@echo "  make scenario ID=C13  the tests of one scenario, over the core alone (a minute from nothing)"
	@echo "  make mutation        deliberate faults in the core, and what notices each (slow)"
	@echo "  make bench-clock     the clock filter beside others, on modelled paths (five minutes)"
	@echo "  make bench-clock-live  two processes with different clocks beside GStreamer's (root); make bench-time: call_at"
	@echo "  make test-sanitizers threads and memory (slow); make fuzz FUZZ_SECONDS=60: random bytes for every reader, for so long each"
	@echo "  make test-seeds      random sessions under the simulator (SEEDS=3000); make soak: for an hour (SOAK_SECONDS=3600),"
	@echo "                       and then 100,000 random rooms (SOAK_ROOMS=), which takes some hours"
	@echo "  make search          random rooms with a hub, a member and a stranger that do what they like (SEARCH_RUNS=2000)"
	@echo "  make test-random-hubs  random rooms at sets of hubs of which anything fails (HUB_ROOMS=10000)"
	@echo "  make test-drain      5,000 leave a hub that ends, on virtual time; CROWD_ROOM=256 make test-crowd: a re-key of as many processes"
	@echo "  make monkey          processes that play, leave, die and come at random (MONKEY_SECONDS=180 MONKEY_SEEDS='1 2')"
	@echo "  make chaos           rooms on machines with hubs: killed, stopped, cut off, clocks set (root; CHAOS_SECONDS=600, CHAOS_ARGS=--nats)"
	@echo "  make web             the package for browsers; make wasm: all modules in WebAssembly, with sizes; make test-web runs them"
	@echo "  make fingerprint     a hash of all that is decided in 5,000 seeds: did a change change anything? (FINGERPRINT=)"
	@echo "  make generate        writes the low-level layers of Python, LuaJIT, C# and Rust from the headers"
	@echo "  make format | lint   swift-format over the Swift sources"
	@echo "  make uninstall       removes what install wrote; make deb: Debian packages; make dist: an archive that runs anywhere"
	@echo "  make wheel           the package for Python with the library in it"

# --- What a bare Debian lacks ---------------------------------------------------------------------------------------
setup:
	@.ci/setup

$(CHECKOUTS)/swift-crypto: Package.swift | setup
	swift package resolve
	@touch $@

# --- Building ---------------------------------------------------------------------------------------------------------
library: $(LIBRARY)

$(LIBRARY): $(SWIFT_SOURCES) $(HEADERS) Sources/Unisono/exports.map | setup $(THIN)/ld.lld
	@echo "building $(SONAME) (the first time: about four minutes, most of it swift-crypto)"
	swift build $(SELF_CONTAINED) --product unisono
	@mkdir -p $(BUILD)
	strip --strip-unneeded -R .comment -R .note -o $@.tmp $(BUILD)/swift/release/libunisono.so
	mv -f $@.tmp $@
	ln -sf $(SONAME) $(BUILD)/libunisono.so

$(THIN)/ld.lld: packaging/thin.py | setup
	$(PYTHON) packaging/thin.py $(THIN)

command: $(BUILD)/unisono

$(BUILD)/unisono: $(SWIFT_SOURCES) | $(LIBRARY)
	swift build $(COMMAND) --product unisono-cli
	strip -R .comment -R .note -o $@ $(BUILD)/swift/release/unisono-cli

# What shells complete a command line with, as the command itself knows it.
completions: $(BUILD)/completions/unisono.fish

$(BUILD)/completions/unisono.fish: $(BUILD)/unisono
	@mkdir -p $(@D)
	@# bash reads it into itself: it is no program.
	$(BUILD)/unisono --generate-completion-script bash | sed '1{/^#!/d}' >$(@D)/unisono.bash
	$(BUILD)/unisono --generate-completion-script zsh >$(@D)/_unisono
	$(BUILD)/unisono --generate-completion-script fish >$@

# The manual's third section is the headers' own text. Its pages are made anew together.
man: $(BUILD)/man/man3/unisono.3

$(BUILD)/man/man3/unisono.3: $(HEADERS) packaging/man3.py packaging/declarations.py VERSION
	$(PYTHON) packaging/man3.py $(@D) $(VERSION) $(HEADERS)

# The licences of what is linked in, from where it was fetched to and from the toolchain.
licenses: $(BUILD)/licenses/README

$(BUILD)/licenses/README: packaging/licenses.py Package.swift | $(LIBRARY)
	$(PYTHON) packaging/licenses.py $(BUILD)/swift/checkouts $(@D)

HOST_FLAGS := -std=c11 -O2 -g -Wall -Wextra -Wpedantic -Werror -Iinclude

# What this machine has the libraries for: bindings/c/README.md says which package each host needs.
has = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
HOSTS := console_host pcm_host $(if $(call has,mpv),mpv_host) $(if $(call has,gstreamer-1.0),gst_host) \
  $(if $(call has,sdl2 SDL2_ttf),sdl_host)
HOST_SHELL := bindings/c/host_shell.c bindings/c/host_status.c bindings/c/telling.c
HOST_FILES := bindings/c/host_file.c bindings/c/player_statistics.c
HOST_LINK = $(CC) $(HOST_FLAGS) $(filter %.c,$^) -o $@ -L$(BUILD) -lunisono -Wl,-rpath,'$$ORIGIN'

hosts: $(HOSTS:%=$(BUILD)/%) plugin vlc port

# One who watches, whatever the player is.
WATCHING := $(wildcard bindings/watch/*.c) bindings/c/telling.c $(wildcard bindings/c/*.h bindings/watch/*.h)

# mpv loads it and has libmpv's functions itself: of libmpv only the headers are needed. The library is beside it, or one folder up.
plugin: $(if $(call has,mpv),$(BUILD)/unisono.so)

$(BUILD)/unisono.so: bindings/mpv/unisono.c bindings/c/mpv_renderer.c $(WATCHING) $(LIBRARY)
	$(CC) $(HOST_FLAGS) -fPIC -fvisibility=hidden -shared $(filter %.c,$^) -o $@ -L$(BUILD) -lunisono \
	  -Wl,-rpath,'$$ORIGIN:$$ORIGIN/..' -Wl,-z,nodelete $$(pkg-config --cflags mpv) -lm
	strip --strip-unneeded -R .comment $@

# It drives VLC through a script that VLC reads: neither headers nor libraries of VLC's are needed.
vlc: $(BUILD)/unisono-vlc

$(BUILD)/unisono-vlc: $(wildcard bindings/vlc/*) $(WATCHING) $(LIBRARY)
	$(CC) $(HOST_FLAGS) $(filter %.c,$^) -o $@ -L$(BUILD) -lunisono -Wl,-rpath,'$$ORIGIN:$$ORIGIN/..' -lm
	strip -R .comment $@
	cp bindings/vlc/unisono.lua $(BUILD)/unisono.lua

# What asks the router for a port, a process of its own with the distribution's libraries: neither library nor command needs them.
port: $(if $(call has,miniupnpc),$(if $(wildcard /usr/include/natpmp.h),$(BUILD)/unisono-port))

$(BUILD)/unisono-port: $(wildcard Sources/unisono-port/*.c Sources/unisono-port/*.h)
	@mkdir -p $(@D)
	$(CC) $(HOST_FLAGS) $(filter %.c,$^) -o $@ $$(pkg-config --cflags --libs miniupnpc) -lnatpmp
	strip -R .comment $@

$(HOSTS:%=$(BUILD)/%): $(BUILD)/%: bindings/c/%.c $(wildcard bindings/c/*.h) $(LIBRARY)

$(BUILD)/console_host: $(HOST_SHELL)
	$(HOST_LINK) -lm

$(BUILD)/pcm_host: $(addprefix bindings/c/,pcm_renderer.c player_statistics.c telling.c)
	$(HOST_LINK) -lm

$(BUILD)/mpv_host: bindings/c/mpv_renderer.c $(HOST_FILES) $(HOST_SHELL)
	$(HOST_LINK) $$(pkg-config --cflags --libs mpv) -lm

$(BUILD)/gst_host: bindings/c/gst_renderer.c bindings/c/gst_session_clock.c $(HOST_FILES) $(HOST_SHELL)
	$(HOST_LINK) $$(pkg-config --cflags --libs gstreamer-1.0) -lm

$(BUILD)/sdl_host: $(addprefix bindings/c/,sdl_model.c sdl_view.c sdl_paint.c pcm_renderer.c) $(HOST_SHELL)
	$(HOST_LINK) $$(pkg-config --cflags --libs sdl2 SDL2_ttf) -lm

# The low-level layer of each language, from the headers.
generate:
	$(PYTHON) bindings/generate

# --- Running -----------------------------------------------------------------------------------------------------------
demo: library hosts
	$(PYTHON) bindings/demo/demo.py --build $(BUILD) $(DEMO_ARGS)

# Three hubs that are one, on this machine, and people in a room at them; by itself for so many seconds, with a verdict.
HUBS_SECONDS ?=

hubs: | setup
	$(if $(HAS_NATS),$(TESTED) build $(TESTS) --build-tests)
	.ci/python Tests/processes/hubs.py $(if $(HUBS_SECONDS),--seconds $(HUBS_SECONDS))

# The core alone: speed, memory, messages by the size of the group; SIZES="2 16" measures others.
SIZES ?=

bench-core: | setup
	UNISONO_PART=core swift build -c release --product core-bench --scratch-path $(BUILD)/core
	$(BUILD)/core/release/core-bench $(SIZES)

bench-players: library command hosts plugin
	$(PYTHON) Benchmarks/players/bench_players.py --build $(BUILD) $(BENCH_ARGS)

# The pure clock filter with nothing but the types it is made of: built in seconds, and it sees no more than the traces.
CLOCK_SOURCES := $(wildcard Sources/UnisonoBase/Time/*.swift Sources/UnisonoBase/Clock/*.swift)

$(BUILD)/clock-replay: $(CLOCK_SOURCES) Benchmarks/clock/replay.swift
	@mkdir -p $(BUILD)
	swiftc -O -wmo -parse-as-library -package-name unisono $^ -lm -o $@

bench-clock: $(BUILD)/clock-replay
	$(PYTHON) Benchmarks/clock/bench_clock.py --replay $< $(BENCH_ARGS)

# Two processes with different raw clocks beside GStreamer's. SETUP_BENCH=1: install what it needs first.
bench-clock-live: library
	$(if $(SETUP_BENCH),.ci/setup python3-gi gir1.2-gst-plugins-base-1.0 iproute2 util-linux)
	$(PYTHON) Benchmarks/clock/bench_clock_live.py --build $(BUILD) $(BENCH_ARGS)

# Beside nats-server and mosquitto, too, where they are installed. A minute.
bench-hub: command $(BUILD)/bench_writer
	.ci/python Benchmarks/hub/fanout.py $(BUILD)/unisono $(BUILD)/bench_writer $(BENCH_ARGS)

# One who speaks, 5,000 who listen, and 1,000 in rooms beside: two minutes; several thousand open files.
bench-audience: command
	.ci/python Benchmarks/hub/audience.py $(BUILD)/unisono $(BENCH_ARGS)

# 100,000 who listen at the hubs of a set, by a model of what was measured: BENCH_ARGS="--hubs 10 --cost 5".
bench-audience-model:
	.ci/python Benchmarks/hub/audience_model.py $(BENCH_ARGS)

# What a hub takes: 10,000 idle participants, 1,000 rooms of eight, one of 500, and where it breaks: BENCH_ARGS="--only idle curve".
bench-load: command $(BUILD)/bench_drain
	.ci/python Benchmarks/hub/load.py $(BUILD)/unisono $(BUILD)/bench_drain $(BENCH_ARGS)

$(BUILD)/bench_writer $(BUILD)/bench_drain: $(BUILD)/bench_%: Benchmarks/hub/%.c
	@mkdir -p $(BUILD)
	$(CC) $(HOST_FLAGS) $< -o $@

# On virtual time, but for joining on this machine's own sockets. Some minutes, most of them for 256 participants:
# BENCH_ARGS="--only join idle".
bench-session: library
	$(PYTHON) Benchmarks/session/session_costs.py $(LIBRARY) $(BENCH_ARGS)

# Z31 at its full size: a hub whose places are all taken by connections that begin a frame and do not end it. As root with
# BENCH_ARGS=--real-time what else the machine does is kept out of it.
bench-flood: command
	.ci/python Benchmarks/hub/flood.py $(BUILD)/unisono $(BENCH_ARGS)

# What those who talk through a hub notice while it is attacked: BENCH_ARGS="--real-time" as root, or "--only strangers keepers".
bench-attacks: command
	.ci/python Benchmarks/hub/attacks.py $(BUILD)/unisono $(BENCH_ARGS)

# Node drives the browser, as in its tests. A quarter of an hour.
bench-web: command plugin web
	$(PYTHON) Benchmarks/web/bench_web.py --build $(BUILD) $(BENCH_ARGS)

# Lateness of call_at, cost of reading the expected position, and how late a loop sees datagrams.
bench-time: $(BUILD)/bench_time $(BUILD)/receive_times
	$(BUILD)/receive_times
	$(BUILD)/bench_time

$(BUILD)/bench_time: Benchmarks/clock/bench_time.c $(LIBRARY)
	$(CC) $(HOST_FLAGS) $< -o $@ -L$(BUILD) -lunisono -Wl,-rpath,'$$ORIGIN' $$(pkg-config --cflags --libs libuv) -pthread

$(BUILD)/receive_times: Benchmarks/clock/receive_times.c
	@mkdir -p $(BUILD)
	$(CC) $(HOST_FLAGS) $< -o $@ -pthread

# --- Testing -----------------------------------------------------------------------------------------------------------

# In this order; how long each took is said at the end. What runs beside the others needs no time but a processor's.
BESIDE ?= test-seeds test-random-rooms
STAGES := test-scenarios test-rooms test-docs test-embedded test-swift simulator library command \
  --beside $(BESIDE) -- \
  test-abi test-capi test-cpp test-web test-python+test-bindings test-processes test-e2e test-install+test-crowd

test:
	@.ci/stages "$(MAKE)" $(STAGES)
	@echo "all tests passed"

# Every row of docs/scenarios.md has a test; the deliberate faults of `make mutation` are of the sources as they are.
test-scenarios:
	Tests/scenarios/check.py
	Tests/mutation/mutate.py --check

# The core as Embedded Swift for wasm32.
test-embedded: | setup
	packaging/wasm.py --folder $(BUILD)/web core

# The same Swift in WebAssembly: built, with its sizes; skipped where this machine lacks what it takes.
wasm: | setup $(CHECKOUTS)/swift-crypto
	packaging/wasm.py --folder $(BUILD)/web --checkouts $(CHECKOUTS) all

# The package for browsers, to be served as it is: build/web/unisono.
web: | setup $(CHECKOUTS)/swift-crypto
	packaging/wasm.py check && packaging/wasm.py --folder $(BUILD)/web --checkouts $(CHECKOUTS) web
	@rm -rf $(BUILD)/web/unisono && mkdir -p $(BUILD)/web/unisono
	cp -r bindings/web/*.js bindings/web/unisono.d.ts bindings/web/package.json bindings/web/README.md bindings/web/page LICENSE \
	  $(BUILD)/web/unisono.wasm $(BUILD)/web/unisono

# What node runs in its tests.
wasm-tests: | setup $(CHECKOUTS)/swift-crypto
	@if packaging/wasm.py check; then packaging/wasm.py --folder $(BUILD)/web --checkouts $(CHECKOUTS) tests; fi

# Run by node: random sessions beside the native ones, Tests/vectors, and sessions at a hub, in Chromium as well (where `make command` and
# `make library` were run).
test-web: library command plugin simulator wasm-tests
	@if ! command -v node >/dev/null; then echo "skipped: there is no node"; \
	elif packaging/wasm.py check; then \
	  UNISONO_WEB=$(CURDIR)/$(BUILD)/web UNISONO_SIM=$(CURDIR)/$(SIMULATOR) UNISONO_COMMAND=$(CURDIR)/$(BUILD)/unisono \
	  UNISONO_LIBRARY=$(CURDIR)/$(BUILD)/libunisono.so.0 node --test $(wildcard Tests/web/*.test.mjs); \
	fi

# No file writes the state of another file's room.
test-rooms:
	Tests/rooms/check.py

# Citations, links, anchors and tables of sources, tests and documentation lead somewhere.
test-docs:
	Tests/docs/check.py
	packaging/reference.py --check

# Before: what Sources/CAEAD says of BoringSSL's functions is what their own header says.
test-swift: | setup $(CHECKOUTS)/swift-crypto
	@mkdir -p $(BUILD)
	$(CLANG) -fsyntax-only -Werror -I .build/checkouts/swift-crypto/Sources/CCryptoBoringSSL/include -include CCryptoBoringSSL_aead.h \
	  -x c-header Sources/CAEAD/aead.h
	$(if $(HAS_NATS),,@echo "skipped: tests of hubs that hear each other through NATS; on Debian: apt install libnats-dev nats-server")
	@# Functions of hosts run on the same threads as tests of virtual time, which leave them none for minutes: one after the other.
	@set -o pipefail; { $(TESTED) test $(TESTS) --skip 'UnisonoKitTests|RoomSearchTests' && \
	  $(TESTED) test $(TESTS) --skip-build --filter UnisonoKitTests; } 2>&1 | \
	  tee $(BUILD)/swift-test.log || \
	  { echo; echo "what failed:"; grep -E '✘|error:' $(BUILD)/swift-test.log; exit 1; }

# Z86: so many random rooms of the real secure channel, with a hub, a member and a stranger that do what they like. The program itself is
# run, as `swift test` keeps others from building meanwhile.
ROOMS ?= 2000
ROOMS_SEED ?= 0

test-random-rooms: | setup $(CHECKOUTS)/swift-crypto
	$(TESTED) build $(TESTS) --build-tests
	UNISONO_SEARCH_RUNS=$(ROOMS) UNISONO_SEARCH_SEED=$(ROOMS_SEED) $(BUILD)/tests/debug/unisonoPackageTests.xctest \
	  --testing-library swift-testing --filter RoomSearchTests

# N3: so many random rooms at sets of hubs of which anything fails.
HUB_ROOMS ?= 10000
HUB_ROOMS_SEED ?= 0

test-random-hubs: | setup $(CHECKOUTS)/swift-crypto
	$(TESTED) build $(TESTS) --build-tests
	UNISONO_SEARCH_RUNS=$(HUB_ROOMS) UNISONO_SEARCH_SEED=$(HUB_ROOMS_SEED) $(BUILD)/tests/debug/unisonoPackageTests.xctest \
	  --testing-library swift-testing --filter HubSetRandomTests

# N13 at its full size: so many leave a hub that ends, on virtual time; at most 6,375.
DRAIN_MEMBERS ?= 5000

test-drain: | setup $(CHECKOUTS)/swift-crypto
	$(TESTED) build $(TESTS) --build-tests
	UNISONO_DRAIN_MEMBERS=$(DRAIN_MEMBERS) $(BUILD)/tests/debug/unisonoPackageTests.xctest \
	  --testing-library swift-testing --filter HubsTests/crowd

# Random sessions on virtual time, on all processors; docs/simulation.md. A seed that fails is made short and printed.
SEEDS ?= 3000
SIMULATOR := $(BUILD)/swift/release/unisono-sim

# Seeds that broke a rule once; docs/simulation.md says what each found.
MENDED_SEEDS = $(shell sed -n '/^| [0-9]/p' docs/simulation.md | cut -d'|' -f2 | grep -oE '[0-9]{9,}') \
  77700003003 88800007554 1795400000060714 1795400000072036 501736 706788 725038 806212 807826 850647 855520 \
  873682 878910 891658 892162 902438 902981 905605 906399 909284 \
  915549 919671 926164 1074444 969756 1066608 1072881 1090199 \
  1092760 1095746 1099988 1106541 1110947 1113235 \
  1121390 1123636

simulator: | setup $(THIN)/ld.lld
	swift build $(RELEASE) --product unisono-sim

test-seeds: simulator
	@for seed in $(MENDED_SEEDS); do $(SIMULATOR) --seeds 1 --seed $$seed --quiet >$(BUILD)/seed.log || { cat $(BUILD)/seed.log; exit 1; }; done
	@echo "$(words $(MENDED_SEEDS)) seeds that broke a rule once break none"
	$(SIMULATOR) --seeds $(SEEDS)
	$(SIMULATOR) --seeds 200 --profile byzantine
	@# Each process hashes otherwise: an order of a set that leaks into a decision shows here.
	@for profile in "" "--profile byzantine"; do \
	  one=$$($(SIMULATOR) --fingerprint 100 $$profile | tail -1); other=$$($(SIMULATOR) --fingerprint 100 $$profile | tail -1); \
	  echo "$$one $$profile"; [ "$$one" = "$$other" ] || { echo "another process decides otherwise: $$other"; exit 1; }; \
	done

# A hash of all that is decided in so many seeds: equal before and after a change that is to change nothing.
FINGERPRINT ?= 5000

fingerprint: simulator
	$(SIMULATOR) --fingerprint $(FINGERPRINT)

# Sessions, as many as fit into an hour, and then rooms, from seeds that nobody ran yet.
SOAK_SECONDS ?= 3600
SOAK_SEED ?= $(shell date +%s)000000
SOAK_ROOMS ?= 100000

soak: simulator
	$(SIMULATOR) --seconds $(SOAK_SECONDS) --seed $(SOAK_SEED)
	$(MAKE) search SEARCH_RUNS=$(SOAK_ROOMS)

# Rooms as those of Z86, from a seed that nobody ran yet, on all processors. They have a build of their own, of the channel alone: all is
# optimised in it, dependencies and tests, too, assertions stay in, and what was verified once is remembered (Tests/CRemembered).
SEARCH_RUNS ?= 2000
SEARCH_SEED ?= $(shell date +%s)000
ROOMS_BUILT := $(BUILD)/rooms

search: | setup $(CHECKOUTS)/swift-crypto
	UNISONO_PART=rooms swift build -c release --scratch-path $(ROOMS_BUILT) --build-tests
	UNISONO_SEARCH_RUNS=$(SEARCH_RUNS) UNISONO_SEARCH_SEED=$(SEARCH_SEED) $(ROOMS_BUILT)/release/unisonoPackageTests.xctest \
	  --testing-library swift-testing --filter RoomSearchTests

test-abi: library
	Tests/abi/check.sh $(LIBRARY)

test-capi: library
	$(MAKE) -j2 --output-sync=target -C Tests/capi LIBDIR=$(CURDIR)/$(BUILD) run

test-cpp: library
	$(MAKE) -C Tests/cpp LIBDIR=$(CURDIR)/$(BUILD) run

test-python: library hosts licenses
	@$(MAKE) --no-print-directory wheel
	.ci/python -m pytest -q Tests/python

# The low-level layers are those of the headers; LuaJIT, C#, Godot: two processes in step, with what this machine has of them.
# GODOT_HEADERS: the engine's own, for the native extension; bindings/godot/README.md.
export GODOT_HEADERS

test-bindings: library docs-swift
	$(PYTHON) bindings/generate --check
	.ci/python -m pytest -q -rs Tests/bindings

# The reference of UnisonoKit, by DocC, out of its debug build's symbols; a warning fails.
DOCC ?= $(firstword $(wildcard $(dir $(realpath $(shell command -v swift)))docc) $(shell command -v docc))

docs-swift: | setup
	@[ -n "$(DOCC)" ] || { echo "docs-swift: skipped, there is no docc on this machine"; exit 0; }; \
	set -e; $(TESTED) build $(TESTS) --target UnisonoKit; rm -rf $(BUILD)/swift-symbols; mkdir -p $(BUILD)/swift-symbols; \
	swift symbolgraph-extract -module-name UnisonoKit -target $$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1) \
	  -I $(BUILD)/tests/debug/Modules -Xcc -fmodule-map-file=include/module.modulemap -I include -output-dir $(BUILD)/swift-symbols; \
	$(DOCC) convert Sources/UnisonoKit/UnisonoKit.docc --additional-symbol-graph-dir $(BUILD)/swift-symbols \
	  --output-path $(BUILD)/swift-docs --fallback-display-name UnisonoKit --fallback-bundle-identifier org.unisono.kit --warnings-as-errors

# The same for half a minute each: how far apart two processes are, and what a frame's poll costs.
bench-bindings: library
	BINDINGS_FRAMES=1800 .ci/python -m pytest -q -rs Tests/bindings -k 'in_step or one_river or idle_poll'

# Groups of hosts in processes, over real sockets, some of them with machines of their own (root): killed, frozen, cut off.
test-processes: library command
	.ci/python -m pytest -q Tests/processes

# Sixteen processes and what comes into a monkey's mind, for so many seconds with each seed.
MONKEY_SECONDS ?= 180
MONKEY_SEEDS ?=
monkey: library
	.ci/python Tests/processes/monkey.py --seconds $(MONKEY_SECONDS) $(MONKEY_SEEDS)

# Six rooms on six machines, two hubs, and every fault that processes, cables and clocks can have; as root.
CHAOS_SECONDS ?= 600
chaos: library command
	.ci/python Tests/processes/chaos.py --seconds $(CHAOS_SECONDS) $(CHAOS_ARGS)

test-e2e: library command hosts
	.ci/python -m pytest -q Tests/e2e --ignore Tests/e2e/test_crowd.py

# An evening's newcomers, in minutes of a processor.
test-crowd: library
	.ci/python -m pytest -q Tests/e2e/test_crowd.py

test-install: library command completions plugin vlc port man licenses
	Tests/install/check.sh
	BUILD='$(BUILD)' Tests/install/debian.sh

# Deliberate faults in a copy of the core, one at a time: each must be noticed. Half an hour; WORDS="gather stamps" picks some.
scenario: | setup
	Tests/scenarios/run.py $(ID)

mutation: | setup
	$(PYTHON) Tests/mutation/mutate.py $(WORDS)

# Threads and memory, slow: two instrumented builds. The C functions are stormed from several threads, the C tests run on
# instrumented memory. What Swift's Mutex does is told to the thread sanitizer by Tests/sanitizers.
CLANG := $(shell dirname "$$(readlink -f "$$(command -v swift 2>/dev/null || echo /usr/bin/swift)")")/clang
SWIFT_TESTS := debug/unisonoPackageTests.xctest --testing-library swift-testing

test-sanitizers: | setup
	swift build $(DEBUG) --build-tests --sanitize=thread --scratch-path $(BUILD)/tsan
	$(CLANG) -shared -fPIC -O1 -Wall -o $(BUILD)/tsan/libtsan_mutex.so Tests/sanitizers/tsan_mutex.c -ldl
	LD_PRELOAD=$(CURDIR)/$(BUILD)/tsan/libtsan_mutex.so timeout 1200 $(BUILD)/tsan/$(SWIFT_TESTS) \
	  --filter '^UnisonoTests|^UnisonoRuntimeTests'
	swift build $(DEBUG) --build-tests --sanitize=address --scratch-path $(BUILD)/asan
	timeout 1200 $(BUILD)/asan/$(SWIFT_TESTS) --filter '^UnisonoTests'
	ASAN_OPTIONS=detect_leaks=0 timeout 1200 $(BUILD)/asan/$(SWIFT_TESTS) --filter '^UnisonoRuntimeTests'
	$(MAKE) -C Tests/capi CC=$(CLANG) SANITIZE=-fsanitize=address LIBDIR=$(CURDIR)/$(BUILD)/asan/debug \
	  BUILD=$(CURDIR)/$(BUILD)/asan/capi run-c11

# Random bytes for every reader of bytes from outside, for every struct of the C API, and for what a member may say:
# FUZZ_SECONDS each, as many at once as there are processors; FUZZ_TARGETS picks some (Tests/fuzz/seeds.py names them). What
# is found stays in build/fuzz-corpus; `make fuzz-corpus` keeps the least of it that reaches as much in Tests/fuzz/corpus.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
FUZZ_BUILD := $(BUILD)/fuzz/release
FUZZER := $(BUILD)/unisono-fuzz

# Optimised, so that it tries thirty times as much; traps and assertions stay in. SwiftPM leaves the objects of files that
# are gone, which would be linked, too.
fuzz-build: | setup
	swift build -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug \
	  -Xswiftc -sanitize=fuzzer,address --target Unisono --scratch-path $(BUILD)/fuzz
	@for object in $$(find $(FUZZ_BUILD)/Unisono*.build -name '*.swift.o'); do \
	  find Sources -name "$$(basename "$${object%.o}")" | grep -q . || rm "$$object"; done
	find $(FUZZ_BUILD)/ -name '*.o' -printf '"%p"\n' > $(BUILD)/fuzz/objects
	$(CLANG) -c -g -O1 -std=gnu11 -Wall -Wextra -Werror -fsanitize=fuzzer-no-link,address -Iinclude Tests/fuzz/options.c \
	  -o $(BUILD)/fuzz-options.o
	swiftc -O -assert-config Debug -g -parse-as-library -sanitize=fuzzer,address -use-ld=lld -I $(FUZZ_BUILD)/Modules \
	  -Xcc -fmodule-map-file=Sources/CUV/module.modulemap -Xcc -fmodule-map-file=Sources/CAEAD/module.modulemap \
	  -import-objc-header Tests/fuzz/options.h -module-name Fuzz Tests/fuzz/Fuzz.swift Tests/fuzz/RoomFuzz.swift \
	  $(BUILD)/fuzz-options.o @$(BUILD)/fuzz/objects -lstdc++ -luv -o $(FUZZER)

fuzz: fuzz-build
	Tests/fuzz/seeds.py $(BUILD)/fuzz-corpus
	Tests/fuzz/run.py $(FUZZER) $(FUZZ_SECONDS) $(BUILD)/fuzz-corpus $(FUZZ_TARGETS)

fuzz-corpus: fuzz-build
	Tests/fuzz/keep.py $(FUZZER) $(BUILD)/fuzz-corpus

# --- Style --------------------------------------------------------------------------------------------------------------
format:
	swift format -i -r -p Sources Tests Package.swift

lint:
	swift format lint -s -r -p Sources Tests Package.swift

# --- Installing ----------------------------------------------------------------------------------------------------------
# All from a finished build: none of these needs Swift. docs/install.md.
INSTALL_SETTINGS = BUILD='$(BUILD)' SONAME='$(SONAME)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' BINDIR='$(BINDIR)' \
  LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DATADIR='$(DATADIR)' UNITDIR='$(UNITDIR)'

install:
	@$(INSTALL_SETTINGS) packaging/install.sh install

uninstall:
	@$(INSTALL_SETTINGS) packaging/install.sh remove

deb:
	@BUILD='$(BUILD)' packaging/deb.sh

dist:
	@BUILD='$(BUILD)' SONAME='$(SONAME)' packaging/dist.sh

# The package for Python with the library in it; build and auditwheel come from PyPI into build/wheel-tools.
wheel:
	@BUILD='$(BUILD)' SONAME='$(SONAME)' PYTHON='$(PYTHON)' packaging/wheel.sh

clean:
	rm -rf $(BUILD) .build
