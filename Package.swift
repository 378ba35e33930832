// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "unisono",
  products: [
    .library(name: "UnisonoCore", targets: ["UnisonoCore"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(
      name: "UnisonoCore",
      dependencies: [
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "DequeModule", package: "swift-collections"),
      ]),
    .testTarget(name: "UnisonoCoreTests", dependencies: ["UnisonoCore"]),
  ],
  swiftLanguageModes: [.v6]
)
