// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "core-bench",
  dependencies: [
    .package(name: "unisono", path: "../.."),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc", path: "Sources/CMalloc"),
    .executableTarget(
      name: "core-bench",
      dependencies: [
        "CMalloc", .product(name: "UnisonoCore", package: "unisono"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
