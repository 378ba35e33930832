import UnisonoBase

/// The way between the item time of the own copy and that of its content alone, without the ranges that are not the group's.
///
/// A range is one place of the content: where it was cut in. That place is at the range's beginning, so that whoever comes there sees the
/// range; once the range was seen (`past`) it is at its end.
struct InterstitialMap: Sendable {
  private struct Break: Sendable {
    var range: InterstitialRange
    /// In the content.
    var place: ItemTime
    /// Of this range and those before it.
    var length: Nanoseconds
  }

  private let breaks: [Break]

  /// In order, none touching another.
  init(_ ranges: [InterstitialRange]) {
    var breaks: [Break] = []
    var length: Nanoseconds = 0
    for range in ranges {
      let place = range.start.subtracting(length)
      length = length.adding(range.end.subtracting(range.start))
      breaks.append(Break(range: range, place: place, length: length))
    }
    self.breaks = breaks
  }

  var isEmpty: Bool { breaks.isEmpty }
  var count: Int { breaks.count }
  func range(_ index: Int) -> InterstitialRange { breaks[index].range }
  func place(_ index: Int) -> ItemTime { breaks[index].place }

  /// Where a place of the content is in the own copy. A group that stands a frame before the range that was seen stands at its end.
  func own(of content: ItemTime, past: Int?) -> ItemTime {
    if let past, isAtEnd(of: past, content) { return content.adding(breaks[past].length) }
    return content.adding(breaks.last { $0.place < content }?.length ?? 0)
  }

  /// The place in the content of a place in the own copy; of all of a range it is where that was cut in.
  func content(of own: ItemTime, past: Int?) -> ItemTime {
    if let past {
      let content = own.subtracting(breaks[past].length)
      if isAtEnd(of: past, content) { return content }
    }
    guard let index = breaks.lastIndex(where: { $0.range.start <= own }) else { return own }
    return max(own.subtracting(breaks[index].length), breaks[index].place)
  }

  /// Index of the range that a place of the own copy is in.
  func index(at own: ItemTime) -> Int? { breaks.firstIndex { $0.range.start <= own && own < $0.range.end } }

  /// Index of the range that ends there.
  func index(endingAt own: ItemTime) -> Int? { breaks.firstIndex { $0.range.end == own } }

  /// Index of the range that whoever runs from a place of the content comes to first; one that was seen and lies just there is behind.
  func next(from content: ItemTime, backwards: Bool, past: Int?) -> Int? {
    if backwards { return breaks.lastIndex { $0.place < content } }
    let next = breaks.firstIndex { $0.place >= content }
    guard let past, isAtEnd(of: past, content) else { return next }
    return past + 1 < breaks.count ? past + 1 : nil
  }

  func isBefore(_ index: Int, _ content: ItemTime) -> Bool {
    content < breaks[index].place.subtracting(Parameters.sameFrame)
  }

  private func isAtEnd(of index: Int, _ content: ItemTime) -> Bool {
    !isBefore(index, content) && content <= breaks[index].place
  }
}
