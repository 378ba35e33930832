// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "unisono",
  products: [
    .library(name: "unisono", type: .dynamic, targets: ["Unisono"]),
    .library(name: "UnisonoCore", targets: ["UnisonoCore"]),
    .executable(name: "unisono-cli", targets: ["unisono-cli"]),
    .executable(name: "unisono-sim", targets: ["unisono-sim"]),
  ],
  // Exact, because all of it is linked in: what was tested is what is shipped.
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CUV", path: "Sources/CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CUnisono", path: "include"),
    .target(
      name: "UnisonoCore",
      dependencies: [
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "DequeModule", package: "swift-collections"),
      ]),
    .target(name: "UnisonoCrypto", dependencies: ["UnisonoCore", .product(name: "Crypto", package: "swift-crypto")]),
    .target(
      name: "UnisonoRuntime",
      dependencies: [
        "UnisonoCore", "UnisonoCrypto", "CUV", .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .target(
      name: "Unisono",
      dependencies: [
        "CUnisono", "UnisonoCore", "UnisonoCrypto", "UnisonoRuntime",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      exclude: ["exports.map"]),
    // Installed as `unisono`; the library's product has that name here.
    .executableTarget(
      name: "unisono-cli",
      dependencies: [
        "CUV", "UnisonoCore", "UnisonoCrypto", "UnisonoRuntime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "UnisonoSimulator",
      dependencies: ["UnisonoCore", .product(name: "HeapModule", package: "swift-collections")]),
    .executableTarget(
      name: "unisono-sim",
      dependencies: ["UnisonoSimulator", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .testTarget(name: "UnisonoCoreTests", dependencies: ["UnisonoCore"]),
    .testTarget(name: "UnisonoCryptoTests", dependencies: ["UnisonoCore", "UnisonoCrypto"]),
    .testTarget(name: "UnisonoRuntimeTests", dependencies: ["UnisonoCore", "UnisonoCrypto", "UnisonoRuntime"]),
    .testTarget(name: "UnisonoTests", dependencies: ["CUnisono", "Unisono"]),
    .testTarget(name: "UnisonoCommandTests", dependencies: ["UnisonoCore", "UnisonoCrypto", "unisono-cli"]),
    .testTarget(name: "UnisonoSimulatorTests", dependencies: ["UnisonoCore", "UnisonoSimulator"]),
  ],
  swiftLanguageModes: [.v6]
)
