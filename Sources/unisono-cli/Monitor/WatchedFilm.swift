/// What an activity's payload says of a film, as mpv's plugin writes it: the item, a zero byte, and fields "size=", "duration=" and
/// "url=", each with a zero byte behind it.
struct WatchedFilm: Equatable {
  var item: String
  /// ns; nil: not said, or nothing that could be so.
  var duration: Int64?

  init?(payload: some Sequence<UInt8>) {
    let fields = payload.split(separator: 0, omittingEmptySubsequences: false)
    guard let first = fields.first, let item = String(validating: first, as: UTF8.self), !item.isEmpty else { return nil }
    self.item = item
    for field in fields.dropFirst() {
      let text = String(decoding: field, as: UTF8.self)
      guard text.hasPrefix("duration=") else { continue }
      duration = Int64(text.dropFirst("duration=".count)).flatMap { $0 > 0 ? $0 : nil }
    }
  }
}
