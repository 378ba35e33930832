/// What the group does together; set by the application, carried as it is.
package struct Activity: Equatable, Sendable {
  /// 0 generic ... 9 workout together; numbers of `unisono_activity_type`.
  package var type: UInt8
  /// Reverse-DNS, 1...255 bytes.
  package var identifier: String
  package var title: String?
  package var subtitle: String?
  package var fallbackURL: String?
  package var previewImage: [UInt8]
  package var payload: [UInt8]
  /// 0 automatic, 1 ends with its initiator.
  package var lifetime: UInt8
  package var supportsContinuation: Bool

  package init(
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
