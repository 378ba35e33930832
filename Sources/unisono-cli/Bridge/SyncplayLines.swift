/// Takes a stream of bytes apart into its lines.
struct SyncplayLines {
  /// Bytes. A list of everybody on a public server is the longest that a server sends.
  static let longest = 1 << 20

  private var rest: [UInt8] = []

  /// Without what ends them, and without empty ones; nil: one is longer than `longest`.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]]? {
    let searched = rest.count
    rest += bytes
    var (lines, begin) = ([[UInt8]](), 0)
    for place in searched..<rest.count where rest[place] == UInt8(ascii: "\n") {
      var line = rest[begin..<place]
      if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
      if line.count > Self.longest { return nil }
      if !line.isEmpty { lines.append(Array(line)) }
      begin = place + 1
    }
    rest.removeFirst(begin)
    return rest.count > Self.longest ? nil : lines
  }
}
