/// A version of mpv, as the first line of `mpv --version` says it.
struct MpvVersion: Comparable {
  /// The first that loads the plugin and takes requests through a descriptor.
  static let oldest = MpvVersion(major: 0, minor: 33)

  var major: Int
  var minor: Int

  init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Of "mpv 0.35.1 Copyright ..." and "mpv v0.38.0-12-g1234"; nil: of a build from a commit, which has no number.
  init?(printed: String) {
    let words = printed.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count >= 2, words[0] == "mpv" else { return nil }
    let number = words[1].drop { $0 == "v" }.split(separator: ".")
    guard number.count >= 2, let major = Int(number[0]), let minor = Int(number[1].prefix { $0.isNumber }) else { return nil }
    self.init(major: major, minor: minor)
  }

  static func < (one: Self, other: Self) -> Bool { (one.major, one.minor) < (other.major, other.minor) }
}
