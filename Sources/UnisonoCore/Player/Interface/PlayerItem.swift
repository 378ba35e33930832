/// What a player plays: the identifier is what the group compares, the rest is its own host's.
public struct PlayerItem: Equatable, Sendable {
  public var id: ItemID
  /// For the renderer alone, never sent; empty: the identifier.
  public var uri: [UInt8]
  /// Item time is the date of the content.
  public var isLive: Bool
  /// The position proposed to the group, ns.
  public var startTime: ItemTime
  /// ns; nil: unknown.
  public var duration: Nanoseconds?

  public init(
    id: ItemID, uri: [UInt8] = [], isLive: Bool = false, startTime: ItemTime = 0, duration: Nanoseconds? = nil
  ) {
    self.id = id
    self.uri = uri
    self.isLive = isLive
    self.startTime = startTime
    self.duration = duration
  }
}
