// swift-tools-version: 6.1
import PackageDescription

/// The core: pure, without cryptography, sockets or clocks; each target imports those named for it, and no others.
let core: [Target] = [
  .target(name: "UnisonoBase"),
  .target(name: "UnisonoReplica", dependencies: ["UnisonoBase"]),
  .target(name: "UnisonoWire", dependencies: ["UnisonoBase", "UnisonoReplica"]),
  .target(name: "UnisonoNearby", dependencies: ["UnisonoBase", "UnisonoWire"]),
  .target(name: "UnisonoCoordination", dependencies: ["UnisonoBase", "UnisonoReplica"]),
  .target(name: "UnisonoPlayer", dependencies: ["UnisonoBase", "UnisonoReplica", "UnisonoCoordination"]),
  .target(
    name: "UnisonoSimulator",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoCoordination", "UnisonoPlayer",
      .product(name: "HeapModule", package: "swift-collections"),
    ]),
  .executableTarget(
    name: "unisono-sim",
    dependencies: [
      "UnisonoBase", "UnisonoSimulator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]),
  .testTarget(
    name: "UnisonoCoreTests",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "UnisonoPlayer",
    ]),
  .testTarget(
    name: "UnisonoSimulatorTests",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoCoordination", "UnisonoPlayer", "UnisonoSimulator",
    ]),
]

let library: [Target] = [
  .systemLibrary(name: "CUV", path: "Sources/CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
  .systemLibrary(name: "CUnisono", path: "include"),
  // Its functions are in swift-crypto's BoringSSL (docs/decisions/hub.md, DH26).
  .systemLibrary(name: "CAEAD"),
  .target(
    name: "UnisonoCrypto",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "CAEAD",
      .product(name: "Crypto", package: "swift-crypto"),
    ]),
  .target(
    name: "UnisonoRuntime",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "UnisonoCrypto", "CUV",
      .product(name: "HeapModule", package: "swift-collections"),
    ]),
  .target(
    name: "Unisono",
    dependencies: [
      "CUnisono", "UnisonoBase", "UnisonoReplica", "UnisonoNearby", "UnisonoCoordination", "UnisonoPlayer",
      "UnisonoCrypto", "UnisonoRuntime", .product(name: "DequeModule", package: "swift-collections"),
    ],
    exclude: ["exports.map"]),
  // The face for Swift: it calls the C API, and is no part of libunisono.
  .target(name: "UnisonoKit", dependencies: ["CUnisono", "Unisono"], exclude: ["UnisonoKit.docc"]),
  // The way between hubs of a set, with the trait NATS alone: nothing of libnats is needed or built without (docs/decisions/hub.md, DH69).
  .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
  .target(
    name: "UnisonoNATS",
    dependencies: ["UnisonoBase", "UnisonoRuntime", .target(name: "CNATS", condition: .when(traits: ["NATS"]))]),
  // Installed as `unisono`; the library's product has that name here.
  .executableTarget(
    name: "unisono-cli",
    dependencies: [
      "CUV", "CUnisono", "UnisonoBase", "UnisonoNearby", "UnisonoCrypto", "UnisonoRuntime", "Unisono",
      .target(name: "UnisonoNATS", condition: .when(traits: ["NATS"])),
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "Logging", package: "swift-log"),
    ]),
  .testTarget(
    name: "UnisonoCryptoTests",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "UnisonoCrypto",
      .product(name: "Crypto", package: "swift-crypto"),
    ]),
  .testTarget(
    name: "UnisonoRuntimeTests",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "UnisonoCrypto",
      "UnisonoRuntime",
    ]),
  .testTarget(name: "UnisonoTests", dependencies: ["CUnisono", "UnisonoBase", "UnisonoCoordination", "Unisono"]),
  .testTarget(name: "UnisonoKitTests", dependencies: ["UnisonoKit"]),
  .testTarget(name: "UnisonoNATSTests", dependencies: ["UnisonoBase", "UnisonoRuntime", "UnisonoNATS"]),
  .testTarget(
    name: "UnisonoCommandTests",
    dependencies: [
      "UnisonoBase", "UnisonoReplica", "UnisonoCoordination", "UnisonoCrypto", "UnisonoRuntime", "unisono-cli",
    ]),
]

/// Figures of the core (`make bench-core`).
let bench: [Target] = [
  .systemLibrary(name: "CMalloc", path: "Benchmarks/core/Sources/CMalloc"),
  .executableTarget(
    name: "core-bench",
    dependencies: [
      "CMalloc", "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoCoordination",
      .product(name: "HeapModule", package: "swift-collections"),
    ],
    path: "Benchmarks/core/Sources/core-bench"),
]

// Exact, because all of it is linked in: what was tested is what is shipped.
let coreDependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")
]
let toolDependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
]
let libraryDependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
  .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
]

/// UNISONO_PART: a part of the package alone, for what works on copies or is to build fast. `core`: without cryptography
/// (`make bench-core`, `make mutation`); `scenarios`: of that only what scenarios need (`make scenario`); `secure`: channel and session on
/// top of the core, with their tests alone (`make mutation`); `rooms`: the channel alone with its tests, and with a memory of signatures
/// that were verified (`make search`).
let part = Context.environment["UNISONO_PART"]
let beyondScenarios = ["unisono-sim", "UnisonoCoreTests"]
let secure = ["CUV", "CAEAD", "UnisonoCrypto", "UnisonoRuntime", "UnisonoCryptoTests", "UnisonoRuntimeTests"]
let rooms = [
  "UnisonoBase", "UnisonoReplica", "UnisonoWire", "UnisonoNearby", "UnisonoCoordination", "CAEAD", "UnisonoCrypto", "UnisonoCryptoTests",
]
/// Functions of BoringSSL that are asked through a memory in that part (Tests/CRemembered).
let remembered = ["CCryptoBoringSSL_ED25519_sign", "CCryptoBoringSSL_ED25519_verify", "CCryptoBoringSSL_XWING_decap"]

let targets: [Target] =
  switch part {
  case "core": core + bench
  case "scenarios": core.filter { !beyondScenarios.contains($0.name) }
  case "secure": core.filter { $0.type == .regular } + library.filter { secure.contains($0.name) }
  case "rooms": (core + library).filter { rooms.contains($0.name) } + [.target(name: "CRemembered", path: "Tests/CRemembered")]
  default: core + library
  }

// UNISONO_OPTIMISED=1: debug builds of fast code, which `make test` runs: virtual time costs a quarter. Tests stay as they are, and
// assertions stay in. By the environment, as others could not depend on a package with such settings.
if Context.environment["UNISONO_OPTIMISED"] != nil {
  for target in targets where target.type == .regular {
    target.swiftSettings = [
      .unsafeFlags(["-O", "-assert-config", "Debug", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))
    ]
  }
}

if part == "rooms" {
  for target in targets where target.type == .test {
    target.dependencies.append("CRemembered")
    target.linkerSettings = [.unsafeFlags(remembered.flatMap { ["-Xlinker", "--wrap=\($0)"] })]
  }
  // Built for speed with what tests see and assertions in; by itself, what tests see into is not inlined anywhere else.
  for target in targets where target.type == .regular && target.name != "CRemembered" {
    target.swiftSettings = [.unsafeFlags(["-enable-testing", "-assert-config", "Debug", "-cross-module-optimization"])]
  }
}

let package = Package(
  name: "unisono",
  products: (["scenarios", "secure", "rooms"].contains(part) ? [] : [.executable(name: "unisono-sim", targets: ["unisono-sim"])])
    + (part != nil
      ? []
      : [
        .library(name: "unisono", type: .dynamic, targets: ["Unisono"]),
        .library(name: "UnisonoKit", targets: ["UnisonoKit"]),
        .executable(name: "unisono-cli", targets: ["unisono-cli"]),
      ]),
  traits: [.trait(name: "NATS", description: "`unisono hub` as one of several, which hear each other through NATS; needs libnats.")],
  dependencies: (part == "scenarios" || part == "rooms" ? [] : toolDependencies) + coreDependencies
    + ([nil, "secure", "rooms"].contains(part) ? libraryDependencies : []),
  targets: targets,
  swiftLanguageModes: [.v6]
)
