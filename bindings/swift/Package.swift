// swift-tools-version: 6.1
import PackageDescription

// A package of its own that depends on Unisono, as yours would: with `.package(url: "…", from: "…")` instead of a path.
let kit = Target.Dependency.product(name: "UnisonoKit", package: "unisono")
let package = Package(
  name: "hosts",
  dependencies: [.package(name: "unisono", path: "../..")],
  targets: [
    .target(name: "GroupLines", dependencies: [kit]),
    .executableTarget(name: "console-host", dependencies: [kit, "GroupLines"]),
    .executableTarget(name: "player-host", dependencies: [kit, "GroupLines"]),
  ],
  swiftLanguageModes: [.v6]
)
