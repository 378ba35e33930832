/// What a person wanted of the playlist before group time was known, in its order: it is written once it can be stamped.
struct PendingEdits: Sendable {
  static let capacity = 1_000

  private var edits: [PlaylistEdit] = []

  /// False: there are too many.
  mutating func keep(_ edit: PlaylistEdit) -> Bool {
    guard edits.count < Self.capacity else { return false }
    edits.append(edit)
    return true
  }

  /// All of them, which are done now.
  mutating func take() -> [PlaylistEdit] {
    defer { edits = [] }
    return edits
  }
}
