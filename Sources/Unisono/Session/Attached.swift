import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

/// What is offered to the group, as far as calls of any thread have to know.
struct Attached {
  private var lastRequest: UInt64 = 0
  /// In the order in which they were offered.
  var listed: [ListedAttachment] = []

  mutating func nextRequest() -> UInt64 {
    lastRequest += 1
    return lastRequest
  }

  func offer(of id: AttachmentID) throws(Failure) -> ListedAttachment {
    guard let found = listed.first(where: { $0.offer.value.id == id }) else {
      throw Failure(.UNISONO_ENOTFOUND, "no attachment of that id is offered")
    }
    return found
  }
}

/// Attachments.
extension SessionObject {
  /// The longest path of a file, bytes.
  static let longestPath = 4_095
  /// Of bytes that are kept in memory for as long as they are offered.
  static let mostBytes = 1_048_576

  func attach(
    path pointer: UnsafePointer<CChar>?, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?
  ) throws(Failure) -> UInt64 {
    let path = try InputText.required(pointer, atMost: Self.longestPath, "path")
    let last = path.utf8.split(separator: 0x2F).last.map { String(Substring($0)) }
    return try attach(.file(path: path), name, type, otherwise: last, cost: .plain)
  }

  func attach(
    bytes pointer: UnsafeRawPointer?, length: Int, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?
  ) throws(Failure) -> UInt64 {
    let bytes = try InputText.bytes(pointer, count: length, atMost: Self.mostBytes, "data")
    return try attach(.bytes(bytes), name, type, otherwise: nil, cost: CallCost(bytes: bytes.count))
  }

  private func attach(
    _ source: AttachmentSource, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, otherwise: String?, cost: CallCost
  ) throws(Failure) -> UInt64 {
    let given = try InputText.optional(name, atMost: WireLimits.attachmentName, "name") ?? otherwise
    guard let name = given, AttachmentValue.isPlain(name: name), name.utf8.count <= WireLimits.attachmentName else {
      throw Failure(
        .UNISONO_EINVAL, "name is not that of a file: give 1...\(WireLimits.attachmentName) bytes without control characters, /, \\ and :")
    }
    let type = try InputText.visible(type, atMost: WireLimits.attachmentType, "media_type") ?? ""
    try requireJoined()
    let request = attached.withLock { $0.nextRequest() }
    try submit(cost: cost) { $0.attach(source, name: name, type: type, request: request) }
    return request
  }

  func attachments() -> UnsafePointer<unisono_attachments> { ownedAttachments(attached.withLock { $0.listed }) }

  func loadAttachment(
    _ pointer: UnsafePointer<unisono_attachment_id>?, to path: UnsafePointer<CChar>?
  ) throws(Failure) {
    let id = try Self.id(pointer)
    let path = try InputText.required(path, atMost: Self.longestPath, "path")
    try requireJoined()
    _ = try attached.withLock { (attached) throws(Failure) in try attached.offer(of: id) }
    try submit { $0.loadAttachment(id, to: path) }
  }

  func cancelAttachment(_ pointer: UnsafePointer<unisono_attachment_id>?) throws(Failure) {
    let id = try Self.id(pointer)
    try requireJoined()
    try submit { $0.cancelAttachment(id) }
  }

  func removeAttachment(_ pointer: UnsafePointer<unisono_attachment_id>?) throws(Failure) {
    let id = try Self.id(pointer)
    try requireJoined()
    let found = try attached.withLock { (attached) throws(Failure) in try attached.offer(of: id) }
    guard found.offer.slot.author == localID || snapshot.view.mayCommand else {
      throw Failure(.UNISONO_EDENIED, "only who offers an attachment, and who may command, can take it back")
    }
    try submit { $0.removeAttachment(id) }
  }

  private static func id(_ pointer: UnsafePointer<unisono_attachment_id>?) throws(Failure) -> AttachmentID {
    guard let pointer, let id = AttachmentID(withUnsafeBytes(of: pointer.pointee) { Array($0) }) else {
      throw Failure(.UNISONO_EINVAL, "id is NULL; give that of an attachment")
    }
    return id
  }

  /// On the loop.
  func deliverAttachment(_ news: AttachmentNews, listed: [ListedAttachment]) {
    attached.withLock { $0.listed = listed }
    let bound = bound(callbacks?.attachment)
    // Progress that is not read in time is as good as gone.
    deliver(.attachment(origin, news), news.change == .progress ? .message : .other, to: bound)
  }
}
