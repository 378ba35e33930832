/// What the group does together; set by the application, carried as it is.
public struct Activity: Equatable, Sendable {
  /// 0 generic ... 9 workout together; numbers of `unisono_activity_type`.
  public var type: UInt8
  /// Reverse-DNS, 1...255 bytes.
  public var identifier: String
  public var title: String?
  public var subtitle: String?
  public var fallbackURL: String?
  public var previewImage: [UInt8]
  public var payload: [UInt8]
  /// 0 automatic, 1 ends with its initiator.
  public var lifetime: UInt8
  public var supportsContinuation: Bool

  public init(
    type: UInt8 = 0, identifier: String, title: String? = nil, subtitle: String? = nil, fallbackURL: String? = nil,
    previewImage: [UInt8] = [], payload: [UInt8] = [], lifetime: UInt8 = 0, supportsContinuation: Bool = false
  ) {
    self.type = type
    self.identifier = identifier
    self.title = title
    self.subtitle = subtitle
    self.fallbackURL = fallbackURL
    self.previewImage = previewImage
    self.payload = payload
    self.lifetime = lifetime
    self.supportsContinuation = supportsContinuation
  }
}
