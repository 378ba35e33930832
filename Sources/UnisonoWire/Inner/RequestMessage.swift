import UnisonoBase
import UnisonoReplica

/// REQUEST and ANSWER in bytes: somebody who may not command asks those who may.
enum RequestMessage {
  static func decode(_ reader: ByteReader) throws(WireError) -> InnerMessage? {
    var number: UInt64?
    var kind: UInt8 = 0
    var itemID: ItemID?
    var itemTime: Int64 = 0
    var text: String?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      case 2: kind = try item.integer()
      case 3: itemID = ItemID(try item.text(1, upTo: ItemID.maximumLength))
      case 4: itemTime = try item.time()
      case 5: text = try item.text(upTo: WireLimits.noticeText)
      default: try item.unknown()
      }
    }
    let (required, about) = (try number.required(), try itemID.required())
    // Of a later version: nobody here could grant it.
    guard let kind = CommandRequest.Kind(rawValue: kind) else { return nil }
    return .request(number: required, CommandRequest(kind, item: about, itemTime: itemTime, text: text))
  }

  static func write(_ number: UInt64, _ request: CommandRequest, to writer: inout ItemWriter) {
    writer.integer(1, number)
    if request.kind != .pause { writer.integer(2, request.kind.rawValue) }
    writer.item(3, Array(request.item.utf8))
    if request.itemTime != 0 { writer.time(4, request.itemTime) }
    if let text = request.text { writer.text(5, text) }
  }

  static func decodeAnswer(_ reader: ByteReader) throws(WireError) -> InnerMessage {
    var asker: ParticipantID?
    var number: UInt64?
    var isGranted = false
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: asker = try item.identifier()
      case 2: number = try item.integer()
      case 3: isGranted = try item.boolean()
      default: try item.unknown()
      }
    }
    return .answer(asker: try asker.required(), number: try number.required(), isGranted: isGranted)
  }

  static func write(_ asker: ParticipantID, _ number: UInt64, _ isGranted: Bool, to writer: inout ItemWriter) {
    writer.identifier(1, asker)
    writer.integer(2, number)
    if isGranted { writer.boolean(3, true) }
  }
}

extension InnerMessage {
  package init(_ message: CommandRequestMessage) {
    switch message {
    case .request(let number, let request): self = .request(number: number, request)
    case .answer(let asker, let number, let isGranted): self = .answer(asker: asker, number: number, isGranted: isGranted)
    }
  }
}
