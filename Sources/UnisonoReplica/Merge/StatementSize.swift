import UnisonoBase

/// How much a statement takes of whoever keeps it (wire 8.22).
extension Statement {
  /// Bytes of a body beside its texts and lists: more than any that this version writes has, and room for items of later versions.
  package static let bodyAllowance = 768

  /// What it counts where others than its author keep it: its texts and lists twice, as they are kept as they came and as they were
  /// read, and 512 bytes. Of what it says alone, so that it is the same for all, its author included.
  package var weight: Int { 512 + 2 * contents }

  /// What it takes here, about, with items that were not read.
  package var footprint: Int { 512 + 2 * (signed?.body.count ?? contents) }

  /// Whether what is not read of it is no way to fill memory. Of an Activity and of a participant there is one each, which may grow.
  package var isCompact: Bool {
    switch key {
    case .activity, .participant: true
    default: signed.map { $0.body.count <= contents + Self.bodyAllowance } ?? true
    }
  }

  /// Bytes of what has no fixed length, of its key and its value.
  private var contents: Int {
    let item = key.item?.utf8.count ?? 0
    switch value {
    case .rate(let value): return item + Self.bytes(of: value.waits) + 16 * value.named.count
    case .position(let value): return item + Self.bytes(of: value.waits) + 16 * value.named.count
    case .playlistEntry(let entry): return entry.weight
    case .attachment(let value): return value.map { $0.name.utf8.count + $0.type.utf8.count } ?? 0
    case .scheduledStart(let value): return value?.item.utf8.count ?? 0
    case .audience(let value): return value?.hubs.reduce(0) { $0 + 32 + $1.address.utf8.count } ?? 0
    case .activity(let value):
      return value.identifier.utf8.count + (value.title?.utf8.count ?? 0) + (value.subtitle?.utf8.count ?? 0)
        + (value.fallbackURL?.utf8.count ?? 0) + value.previewImage.count + value.payload.count
    case .clock, .end, .stallPolicy, .actionAtEnd, .startPolicy, .skipPolicy, .continuation, .participant, .playlistCurrent:
      return item
    }
  }

  /// With the heads of their items.
  private static func bytes(of waits: [Wait]) -> Int { waits.reduce(0) { $0 + 16 + $1.reason.utf8.count } }
}
