import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

/// Asking those who may command, and answering who asks.
extension SessionObject {
  func requestCommand(_ pointer: UnsafePointer<unisono_request>?) throws(Failure) -> UInt64 {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "request is NULL") }
    let given = try copied(pointer, into: unisono_request(), atLeast: 24, "request")
    guard let kind = UInt8(exactly: given.kind.rawValue).flatMap(CommandRequest.Kind.init) else {
      throw Failure(.UNISONO_EINVAL, "request.kind is \(given.kind.rawValue), which is no unisono_request_kind")
    }
    guard kind != .seek || given.item_time != .min else {
      throw Failure(.UNISONO_EINVAL, "request.item_time is UNISONO_TIME_INVALID")
    }
    let text = try InputText.visible(given.text, atMost: 255, "request.text", tooLong: .UNISONO_ETOOBIG)
    try requireJoined()
    let item: ItemID
    do throws(CommandRequests.Refusal) {
      item = try CommandRequests.subject(in: snapshot.view)
    } catch {
      throw Failure(error.status.number, error.sentence)
    }
    try requestRate.spend(now: context.now)
    let number = requestNumbers.withLock { last in
      last += 1
      return last
    }
    let request = CommandRequest(kind, item: item, itemTime: kind == .seek ? given.item_time : 0, text: text)
    try submit { $0.ask(request, number: number) }
    return number
  }

  func answerRequest(
    of pointer: UnsafePointer<unisono_participant_id>?, _ number: UInt64, isGranted: Bool
  ) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "asker is NULL") }
    let asker = ParticipantID(pointer.pointee)
    try requireJoined()
    let snapshot = snapshot
    guard let open = snapshot.requests.first(where: { $0.asker == asker && $0.number == number }) else {
      throw Failure(.UNISONO_ENOTFOUND, "no such request is open here; it may have been answered or taken too long")
    }
    if isGranted {
      try requireCommand()
      guard open.item == snapshot.view.item else {
        throw Failure(.UNISONO_ESTATE, "the request is about another item than this session's current one")
      }
    }
    try submit { $0.answerRequest(of: asker, number, isGranted: isGranted) }
  }

  // MARK: Telling the host, on the loop

  func deliverRequest(_ news: CommandRequestNews) {
    deliver(
      .request(origin, news), .other, to: bound(callbacks?.request))
  }

  func deliverRefusal(_ refusal: CommandRequests.Refusal, _ operation: Operation) {
    refuse(callbacks?.error, operation.functionName, refusal.status.number, refusal.sentence)
  }
}
