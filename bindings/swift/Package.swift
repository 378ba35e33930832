// swift-tools-version: 6.1
import PackageDescription

// A package of its own that depends on Unisono, as yours would: with `.package(url: "…", from: "…")` instead of a path.
let package = Package(
  name: "console-host",
  dependencies: [.package(name: "unisono", path: "../..")],
  targets: [
    .executableTarget(name: "console-host", dependencies: [.product(name: "UnisonoKit", package: "unisono")])
  ],
  swiftLanguageModes: [.v6]
)
