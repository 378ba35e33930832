import UnisonoBase
import UnisonoNearby
import UnisonoReplica
import UnisonoWire

/// Reads a frame, a message or a register of Tests/vectors/frames.json and writes it again.
///
/// - Parameters:
///   - form: 0 a hub's frame, 1 a pairing's, 2 a message of the group, 3 a register.
///   - type: the frame's or the message's type; of registers without meaning.
/// - Returns: "ok" and what was written, "skipped" for what is of a later version, or the error's name.
@_expose(wasm, "vector_frame")
@_cdecl("vector_frame")
public func vectorFrame(form: Int32, type: Int32, pointer: UnsafeRawPointer, count: Int32) -> UnsafeMutableRawPointer {
  let frame = RawFrame(type: UInt8(truncatingIfNeeded: type), body: bytes(at: pointer, count))
  do throws(WireError) {
    guard let written = try again(form, frame) else { return answer("skipped") }
    return answer("ok", written)
  } catch {
    return answer(error.name)
  }
}

/// What is written of what was read; nil: of a later version.
private func again(_ form: Int32, _ frame: RawFrame) throws(WireError) -> [UInt8]? {
  switch form {
  case 0: return try HubFrame.decode(frame)?.raw.body
  case 1: return try PairingFrame.decode(frame)?.raw.body
  // Of an audience.
  case 2 where 37...40 ~= frame.type || frame.type == 42:
    return Array(try StageMessage.decode([frame.type] + frame.body).encoded.dropFirst())
  case 2:
    guard let message = try InnerMessage.decode([frame.type] + frame.body) else { return nil }
    return Array(message.encoded.dropFirst())
  default:
    guard let statement = try StatementBody.decode(frame.body) else { return nil }
    return try StatementBody.encode(statement)
  }
}

extension WireError {
  /// As the vectors write it.
  var name: String {
    switch self {
    case .truncated: "truncated"
    case .order: "order"
    case .width: "width"
    case .range: "range"
    case .text: "text"
    case .count: "count"
    case .unknownMustUnderstand: "unknownMustUnderstand"
    case .trailing: "trailing"
    }
  }
}
