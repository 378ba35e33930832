import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

/// Rights of owners, and who may command: judged at once by the policy that is known, and again on the loop.
extension SessionObject {
  func setRole(of pointer: UnsafePointer<unisono_participant_id>?, to number: unisono_role) throws(Failure) {
    let participant = try known(pointer)
    guard let role = UInt8(exactly: number.rawValue).flatMap(Role.init) else {
      throw Failure(
        .UNISONO_EINVAL,
        "role is \(number.rawValue); give UNISONO_ROLE_VIEWER, _MEMBER, _HOST or _OWNER")
    }
    try requireOwnership()
    try submit { $0.setRole(of: participant, to: role) }
  }

  func setControl(_ number: unisono_control_policy) throws(Failure) {
    try requireJoined()
    guard let control = UInt8(exactly: number.rawValue).flatMap(ControlPolicy.init) else {
      throw Failure(.UNISONO_EINVAL, "policy is \(number.rawValue), which is no unisono_control_policy")
    }
    try requireOwnership()
    try submit { $0.setControl(control) }
  }

  func setClosed(_ closed: Int32) throws(Failure) {
    guard (0...1).contains(closed) else { throw Failure(.UNISONO_EINVAL, "closed is \(closed); give 0 or 1") }
    try requireJoined()
    try requireOwnership()
    try submit { $0.setClosed(closed == 1) }
  }

  func setDeputies(
    _ pointer: UnsafePointer<unisono_participant_id>?, _ count: Int, _ succession: unisono_succession, _ delay: Int64
  ) throws(Failure) {
    guard (0...SuccessionTerms.deputyLimit).contains(count) else {
      throw Failure(.UNISONO_EINVAL, "count is more than \(SuccessionTerms.deputyLimit) deputies")
    }
    guard count == 0 || pointer != nil else {
      throw Failure(.UNISONO_EINVAL, "deputies is NULL, but count is \(count)")
    }
    try requireJoined()
    var deputies: [ParticipantID] = []
    for index in 0..<count {
      guard let place = pointer.map({ $0 + index }) else { break }
      let id = try known(place)
      guard !deputies.contains(id) else { throw Failure(.UNISONO_EINVAL, "deputies[\(index)] is there twice") }
      guard snapshot.view.participants.first(where: { $0.id == id })?.role != .owner else {
        throw Failure(.UNISONO_EINVAL, "deputies[\(index)] is an owner, who needs not stand in")
      }
      deputies.append(id)
    }
    let terms = try SuccessionTerms(succession, deputies: deputies, delay: delay, "succession")
    try requireOwnership()
    try submit { $0.setSuccession(terms) }
  }

  var succession: unisono_succession_state {
    let view = snapshot.view
    var body = unisono_succession_state()
    body.succession = view.succession.rule.number
    body.delay = view.succession.patience
    body.acting = unisono_participant_id(view.acting?.deputy ?? .none)
    body.deputy_count = UInt32(view.succession.deputies.count)
    withUnsafeMutableBytes(of: &body.deputies) { bytes in
      let places = bytes.bindMemory(to: unisono_participant_id.self)
      for (place, id) in zip(places.indices, view.succession.deputies) { places[place] = unisono_participant_id(id) }
    }
    return body
  }

  func deliverSuccession(_ change: SuccessionChange) {
    deliver(
      .succession(origin, change), .other,
      to: bound(callbacks?.succession))
  }

  func remove(_ pointer: UnsafePointer<unisono_participant_id>?) throws(Failure) {
    let participant = try known(pointer)
    guard participant != localID else {
      throw Failure(.UNISONO_EINVAL, "participant is this one itself; unisono_session_leave takes it out")
    }
    try requireOwnership()
    try submit { $0.remove(participant) }
  }

  func requireCommand() throws(Failure) {
    guard snapshot.view.mayCommand else {
      throw Failure(.UNISONO_EDENIED, "the session's control policy does not let this participant command")
    }
  }

  private func requireOwnership() throws(Failure) {
    guard snapshot.view.role == .owner else {
      throw Failure(.UNISONO_EDENIED, "only an owner may do this; ask one, or to be made one")
    }
  }

  private func known(_ pointer: UnsafePointer<unisono_participant_id>?) throws(Failure) -> ParticipantID {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "participant is NULL") }
    try requireJoined()
    let id = withUnsafeBytes(of: pointer.pointee) { ParticipantID(bytes: $0) } ?? .none
    guard snapshot.view.participants.contains(where: { $0.id == id }) else {
      throw Failure(.UNISONO_ENOTFOUND, "no participant of the session has this id")
    }
    return id
  }
}
