#!/usr/bin/env python3
"""Builds Unisono's Swift for WebAssembly: no operating system below it, no SDK beside the toolchain.

    packaging/wasm.py [--folder build/web] [--checkouts .build/checkouts] check | core | web | tests | all

check   says what is missing on this machine; exit status 1: something is
core    compiles the core as Embedded Swift for wasm32 and links nothing: what Embedded Swift lacks does not come into it
web     unisono.wasm: a session and its player, for bindings/web
tests   that, and the modules of Tests/web: random runs of the simulator, readers of Tests/vectors
all     all of it

What is linked in of swift-crypto is its BoringSSL, behind Sources/UnisonoWeb/Primitives. A module is compiled again when its sources,
its flags or what it imports changed. Linking needs Debian's wasi-libc, libc++-14-dev-wasm32 and libclang-rt-14-dev-wasm32, and what is
fetched is made smaller by its binaryen; where they or the standard library of Embedded Swift are missing, that is said and nothing is
built: exit status 0. Exit status 1: something does not compile or link, or is larger than it may be.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TRIPLE = "wasm32-unknown-none-wasm"
WASI = Path("/usr/lib/wasm32-wasi")
BUILTINS = "lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a"
HEADERS = Path("/usr/include/wasm32-wasi")
PRIMITIVES = ROOT / "Sources/UnisonoWeb/Primitives"
AEAD = ROOT / "Sources/CAEAD"
EMBEDDED = ["-target", TRIPLE, "-enable-experimental-feature", "Embedded", "-wmo", "-Osize", "-parse-as-library", "-package-name",
            "unisono", "-Xfrontend", "-disable-stack-protector", "-Xcc", f"-I{PRIMITIVES}", "-Xcc", f"-I{AEAD}", "-Xcc", "-isystem", "-Xcc", str(HEADERS)]
# As swift-crypto's own manifest has it for WASI; the module has one thread.
BORINGSSL = ["--target=wasm32-wasi", "-isystem", str(HEADERS / "c++/v1"), "-isystem", str(HEADERS), "-Os", "-ffunction-sections",
             "-fdata-sections", "-fno-exceptions", "-fno-rtti", "-std=c++17", "-DOPENSSL_NO_ASM",
             "-DOPENSSL_NO_THREADS_CORRUPT_MEMORY_AND_LEAK_SECRETS_IF_THREADED"]
# Where the functions are that primitives.cc calls, and what these call.
BORINGSSL_PARTS = ["aes", "bytestring", "cipher", "curve25519", "digest", "err", "evp", "fipsmodule", "hpke", "lhash", "mlkem", "rand",
                   "sha", "stack", "xwing", "crypto.cc", "ex_data.cc", "fuzzer_mode.cc", "mem.cc", "refcount.cc", "thread.cc",
                   "thread_none.cc"]
# 1 MiB below everything else: a stack that is full ends the module instead of growing into its data.
LINK = ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", "-z", "stack-size=1048576", "--export=_initialize"]
# What the toolchain's clang and swiftc make use of beyond the first WebAssembly: binaryen is told, as --strip-all leaves no word of it.
SQUEEZE = ["-Oz", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals"]
# What may have to be fetched, gzipped, of the wire format and the room's cryptography; and of a session with its player, which is more
# than was wanted (docs/decisions/browser.md, DB11).
MOST = 500_000
MOST_OF_SESSION = 1_270_000
WHAT_IS_LACKING = "key paths, 'as', 'is', 'any', 'weak', untyped 'throws' and uniquingKeysWith are what it lacks; " \
    "each file imports the modules whose members it uses"


class Failed(Exception):
    """In words for whoever builds."""


class Module:
    """One Swift module: where its sources are (`parts`: only these folders and files of them, or beside them; `without`: not the files
    of these names), and which modules it imports, in the order of their imports."""

    def __init__(self, name, sources, imports=(), flags=("-swift-version", "6"), parts=(".",), without=()):
        self.name, self.sources, self.imports, self.flags, self.parts = name, sources, imports, list(flags), parts
        self.without = without

    def files(self):
        found = [self.sources / part for part in self.parts]
        files = sorted(file for each in found for file in ([each] if each.suffix else each.rglob("*.swift")))
        return [file for file in files if file.name not in self.without]


CORE = ["UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "UnisonoPlayer"]
WEB = ROOT / "Sources/UnisonoWeb"
# Of UnisonoRuntime a session and its place at hubs; streams and timers are the place's own, behind `Environment`. A browser has no
# hub of its own, speaks to no audience and has no files: `Sources/UnisonoWeb/Runtime` says so under the names that a session knows them by.
SESSION = ["Audience/AudienceKeeping.swift", "Audience/AudienceListener.swift", "Audience/AudienceNews.swift",
           "Audience/ElsewhereSearch.swift", "Audience/GroupTimeCheck.swift", "Audience/ListenerCounting.swift",
           "Audience/ListenerHands.swift", "Audience/SessionAudience.swift", "Audience/TallyPace.swift",
           "Client", "Session", "Messages", "Environment/Environment.swift", "Environment/HostAndPort.swift",
           "Environment/Multicast.swift", "Environment/WeakReference.swift", "Files/CopySamples.swift", "Hub/HubLimits.swift", "Hub/HubLog.swift",
           "Hub/HubRefusal.swift", WEB / "Runtime"]
NATIVE = ["AttachmentPart.swift"]
COLLECTIONS = ["InternalCollectionsUtilities", "HeapModule"]


def all_modules(checkouts):
    modules = [Module(name, ROOT / "Sources" / name, CORE[:place]) for place, name in enumerate(CORE)]
    # With the settings of its own manifest, as far as they matter here.
    settings = ["-swift-version", "5", "-enable-experimental-feature", "Lifetimes", "-suppress-warnings"]
    for place, name in enumerate(COLLECTIONS):
        modules.append(Module(name, checkouts / "swift-collections/Sources" / name, COLLECTIONS[:place], settings))
    modules.append(Module("UnisonoSimulator", ROOT / "Sources/UnisonoSimulator", CORE + COLLECTIONS))
    modules.append(Module("SimulationModule", ROOT / "Tests/web/Simulation", CORE + COLLECTIONS + ["UnisonoSimulator"]))
    modules.append(Module("Crypto", ROOT / "Sources/UnisonoWeb/Crypto"))
    modules.append(Module("UnisonoCrypto", ROOT / "Sources/UnisonoCrypto", [*CORE, "Crypto"]))
    calls = WEB / "Calls"
    modules.append(Module("VectorModule", ROOT / "Tests/web/Vectors", [*CORE, "Crypto", "UnisonoCrypto"], parts=[".", calls]))
    modules.append(Module("UnisonoRuntime", ROOT / "Sources/UnisonoRuntime", [*CORE, "Crypto", "UnisonoCrypto"], parts=SESSION,
                          without=NATIVE))
    modules.append(Module("UnisonoWeb", WEB, [*CORE, "Crypto", "UnisonoCrypto", "UnisonoRuntime"], parts=["Session", calls]))
    return {module.name: module for module in modules}


class Compiler:
    """Compiles what is out of date, each module once, after what it imports.

    The object of a module has all that it calls of those it imports, too: that is how Embedded Swift works. So of what is imported
    nothing but the interface is made, which takes a third of the time."""

    def __init__(self, folder, checkouts):
        self.folder, self.modules, self.stamps = folder, all_modules(checkouts), {}
        self.boringssl = checkouts / "swift-crypto/Sources/CCryptoBoringSSL"
        # Another compiler's modules are not read.
        self.compiler = f"{toolchain()} {(toolchain() / 'bin/swiftc').stat().st_mtime_ns}"
        folder.mkdir(parents=True, exist_ok=True)

    def object(self, name):
        """The object file of a module, up to date."""
        self._compile(name, wants_object=True)
        return self.folder / f"{name}.o"

    def primitives(self):
        """The objects of primitives.cc and of BoringSSL, up to date."""
        crypto = self.boringssl / "crypto"
        files = [*(file for part in BORINGSSL_PARTS for file in ([crypto / part] if part.endswith(".cc") else (crypto / part).rglob("*.cc"))),
                 *(self.boringssl / "gen").rglob("*.cc")]
        if not crypto.is_dir():
            raise Failed(f"there is no {crypto}; `swift package resolve` fetches it")
        objects = {PRIMITIVES / "primitives.cc": self.folder / "primitives.o"}
        (self.folder / "boringssl").mkdir(exist_ok=True)
        for file in sorted(files):
            objects[file] = self.folder / "boringssl" / (str(file.relative_to(self.boringssl)).replace("/", "_") + ".o")
        stamp = hashlib.sha256("\0".join([*BORINGSSL, *BORINGSSL_PARTS]).encode())
        for file in [*sorted(self.boringssl.rglob("*.h")), *objects, PRIMITIVES / "primitives.h"]:
            stamp.update(str(file).encode() + b"\0" + file.read_bytes())
        kept = self.folder / "boringssl.stamp"
        if kept.exists() and kept.read_text() == stamp.hexdigest():
            return list(objects.values())
        kept.unlink(missing_ok=True)
        began = time.monotonic()
        clang = str(toolchain() / "bin/clang++")

        def one(pair):
            source, target = pair
            warnings = ["-Wall", "-Wextra", "-Werror", f"-isystem{self.boringssl / 'include'}"] if source.parent == PRIMITIVES else \
                ["-w", f"-I{self.boringssl / 'include'}"]
            return subprocess.run([clang, *BORINGSSL, *warnings, "-c", str(source), "-o", str(target)]).returncode == 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            if not all(list(pool.map(one, objects.items()))):
                raise Failed("BoringSSL does not compile for wasm32-wasi")
        kept.write_text(stamp.hexdigest())
        print(f"BoringSSL: {len(objects)} files, {time.monotonic() - began:.0f} s", flush=True)
        return list(objects.values())

    def _compile(self, name, wants_object=False):
        module = self.modules[name]
        for imported in module.imports:
            self._compile(imported)
        files = module.files()
        if not files:
            raise Failed(f"{name}: there are no sources in {module.sources}; `swift package resolve` fetches those of others")
        command = ["swiftc", *EMBEDDED, *module.flags, "-module-name", name, "-I", str(self.folder), "-emit-module",
                   "-emit-module-path", str(self.folder / f"{name}.swiftmodule")]
        if name not in self.stamps:
            stamp = hashlib.sha256("\0".join([self.compiler, *command, *(self.stamps[each] for each in module.imports)]).encode())
            for file in files:
                stamp.update(str(file).encode() + b"\0" + file.read_bytes())
            self.stamps[name] = stamp.hexdigest()
        made = [self.folder / f"{name}.{kind}" for kind in (["swiftmodule", "o"] if wants_object else ["swiftmodule"])]
        # What a file was made of stands beside it.
        kept = [file.with_name(f"{file.name}.stamp") for file in made]
        if all(file.exists() and stamp.exists() and stamp.read_text() == self.stamps[name] for file, stamp in zip(made, kept)):
            return
        for stamp in kept:
            stamp.unlink(missing_ok=True)
        listed = self.folder / f"{name}.sources"
        listed.write_text("".join(f'"{file}"\n' for file in files))
        began = time.monotonic()
        run([*command, *(["-c", "-o", str(made[1])] if wants_object else []), f"@{listed}"],
            f"{name} does not compile as Embedded Swift: {WHAT_IS_LACKING}")
        for stamp in kept:
            stamp.write_text(self.stamps[name])
        print(f"{name}: {len(files)} files, {time.monotonic() - began:.0f} s", flush=True)


def run(command, failure):
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise Failed(failure)


def toolchain():
    """The folder of the toolchain that `swiftc` is of; None: there is none."""
    found = shutil.which("swiftc")
    return Path(found).resolve().parent.parent if found else None


def builtins():
    """The compiler's own functions for wasm32: 128-bit products and the like."""
    found = [file for base in [Path("/usr"), *sorted(Path("/usr/lib").glob("llvm-*"))] for file in sorted(base.glob(BUILTINS))]
    return found[-1] if found else None


def missing(links):
    """What this machine lacks, in words; None: nothing."""
    swift = toolchain()
    if swift is None:
        return "there is no swiftc on the PATH"
    library = swift / "lib/swift/embedded" / TRIPLE
    if not library.is_dir():
        return f"this Swift has no standard library for {TRIPLE} ({library})"
    if not links:
        return None
    packages = [package for package, there in [
        ("wasi-libc", (WASI / "libc.a").exists()), ("libc++-14-dev-wasm32", (HEADERS / "c++/v1").is_dir()),
        ("libclang-rt-14-dev-wasm32", builtins() is not None), ("binaryen", shutil.which("wasm-opt"))] if not there]
    return f"what Debian has in {' and '.join(packages)} is not installed" if packages else None


def squeezed(linked, target):
    """The same by binaryen, once for the same bytes."""
    stamp, kept = hashlib.sha256(linked.read_bytes() + " ".join(SQUEEZE).encode()).hexdigest(), target.with_suffix(".stamp")
    if target.exists() and kept.exists() and kept.read_text() == stamp:
        return
    kept.unlink(missing_ok=True)
    began = time.monotonic()
    run(["wasm-opt", *SQUEEZE, str(linked), "-o", str(target)], f"{target.name} is not made smaller")
    kept.write_text(stamp)
    print(f"{target.name}: by binaryen, {time.monotonic() - began:.0f} s", flush=True)


def link(compiler, name, output, most=None, squeezes=False):
    """One wasm file of a module with everything that it imports, of at most so many bytes gzipped. `squeezes`: it is to be fetched."""
    unicode = toolchain() / "lib/swift/embedded" / TRIPLE / "libswiftUnicodeDataTables.a"
    target = compiler.folder / output
    linked = target.with_suffix(".linked.wasm") if squeezes else target
    command = [str(toolchain() / "bin/wasm-ld"), *LINK, str(WASI / "crt1-reactor.o"),
               str(compiler.object(name)), *(map(str, compiler.primitives()) if "Crypto" in compiler.modules[name].imports else []),
               str(unicode), str(WASI / "libc++.a"), str(WASI / "libc++abi.a"), str(WASI / "libc.a"), str(builtins()), "-o", str(linked)]
    run(command, f"{output} does not link")
    if squeezes:
        squeezed(linked, target)
    data = target.read_bytes()
    packed = len(gzip.compress(data, 9, mtime=0))
    print(f"{output}: {len(data):,} bytes, {packed:,} gzipped", flush=True)
    if most is not None and packed > most:
        target.unlink()
        raise Failed(f"{output} may have {most:,} bytes gzipped")


def build(what, folder, checkouts):
    compiler = Compiler(folder, checkouts)
    if what in ("core", "all"):
        size = sum(compiler.object(name).stat().st_size for name in CORE)
        print(f"{len(CORE)} targets compile as Embedded Swift for {TRIPLE}: {size:,} bytes of objects")
    if what in ("web", "tests", "all"):
        link(compiler, "UnisonoWeb", "unisono.wasm", most=MOST_OF_SESSION, squeezes=True)
    if what in ("tests", "all"):
        link(compiler, "SimulationModule", "simulation.wasm")
        link(compiler, "VectorModule", "vectors.wasm", most=MOST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "core", "web", "tests", "all"])
    parser.add_argument("--folder", type=Path, default=ROOT / "build/web")
    parser.add_argument("--checkouts", type=Path, default=ROOT / ".build/checkouts")
    options = parser.parse_args()
    lacking = missing(links=options.what != "core")
    if lacking:
        print(f"skipped: {lacking}")
        return 1 if options.what == "check" else 0
    if options.what == "check":
        return 0
    try:
        build(options.what, options.folder.resolve(), options.checkouts.resolve())
    except Failed as failed:
        print(f"wasm: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
