import CUnisono
import UnisonoBase
import UnisonoWire

@_cdecl("unisono_session_send") @implementation
public func unisono_session_send(
  _ session: OpaquePointer!, _ data: UnsafeRawPointer!, _ length: Int, _ delivery: unisono_delivery,
  _ to: UnsafePointer<unisono_participant_id>!, _ to_count: Int
) -> Int32 {
  call("unisono_session_send") { () throws(Failure) in
    try object(session, SessionObject.self).send(data, length, delivery, to, to_count)
    return 0
  }
}

@_cdecl("unisono_session_send_typed") @implementation
public func unisono_session_send_typed(
  _ session: OpaquePointer!, _ type: UnsafePointer<CChar>!, _ version: UInt32, _ data: UnsafeRawPointer!,
  _ length: Int, _ delivery: unisono_delivery, _ to: UnsafePointer<unisono_participant_id>!, _ to_count: Int
) -> Int32 {
  call("unisono_session_send_typed") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    let type = try InputText.required(type, atMost: WireLimits.messageType, "type")
    try session.send(data, length, label: MessageLabel(type: type, version: version), delivery, to, to_count)
    return 0
  }
}

@_cdecl("unisono_session_send_at") @implementation
public func unisono_session_send_at(
  _ session: OpaquePointer!, _ item: UnsafePointer<CChar>!, _ item_time: Int64, _ type: UnsafePointer<CChar>!,
  _ version: UInt32, _ data: UnsafeRawPointer!, _ length: Int, _ to: UnsafePointer<unisono_participant_id>!,
  _ to_count: Int
) -> Int32 {
  call("unisono_session_send_at") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    let item = try InputText.required(item, atMost: ItemID.maximumLength, "item")
    guard item_time != .min else { throw Failure(.UNISONO_EINVAL, "item_time is UNISONO_TIME_INVALID") }
    var label: MessageLabel?
    if type != nil {
      label = MessageLabel(type: try InputText.required(type, atMost: WireLimits.messageType, "type"), version: version)
    }
    let cue = MessageCue(item: ItemID(item), itemTime: item_time)
    try session.send(data, length, label: label, at: cue, .UNISONO_DELIVERY_RELIABLE, to, to_count)
    return 0
  }
}

@_cdecl("unisono_session_post_notice") @implementation
public func unisono_session_post_notice(_ session: OpaquePointer!, _ notice: UnsafePointer<unisono_notice>!) -> Int32 {
  call("unisono_session_post_notice") { () throws(Failure) in
    try object(session, SessionObject.self).post(notice)
    return 0
  }
}

@_cdecl("unisono_notice_text") @implementation
public func unisono_notice_text(
  _ notice: UnsafePointer<unisono_notice>!, _ buffer: UnsafeMutablePointer<CChar>!,
  _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_notice_text") { () throws(Failure) in
    try fill(buffer, length, with: Array(try NoticeSentence(notice).text.utf8))
    return 0
  }
}

@_cdecl("unisono_session_request_foreground") @implementation
public func unisono_session_request_foreground(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_request_foreground") { () throws(Failure) in
    try object(session, SessionObject.self).requestForeground()
    return 0
  }
}

@_cdecl("unisono_session_set_speaking") @implementation
public func unisono_session_set_speaking(_ session: OpaquePointer!, _ speaking: Int32) -> Int32 {
  call("unisono_session_set_speaking") { () throws(Failure) in
    try object(session, SessionObject.self).setSpeaking(speaking != 0)
    return 0
  }
}

@_cdecl("unisono_session_prepare_for_activation") @implementation
public func unisono_session_prepare_for_activation(
  _ session: OpaquePointer!, _ activity: UnsafePointer<unisono_activity>!, _ fn: unisono_activation_fn!,
  _ user: UnsafeMutableRawPointer!
) -> Int32 {
  call("unisono_session_prepare_for_activation") { () throws(Failure) in
    try object(session, SessionObject.self).prepareForActivation(activity, fn, user)
    return 0
  }
}

@_cdecl("unisono_session_answer_consent") @implementation
public func unisono_session_answer_consent(
  _ session: OpaquePointer!, _ request: UInt64, _ answer: unisono_activation_result, _ remember: Int32
) -> Int32 {
  call("unisono_session_answer_consent") { () throws(Failure) in
    try object(session, SessionObject.self).answerConsent(request, answer, remember: remember != 0)
    return 0
  }
}

@_cdecl("unisono_context_forget_answers") @implementation
public func unisono_context_forget_answers(_ context: OpaquePointer!, _ type: unisono_activity_type) -> Int32 {
  call("unisono_context_forget_answers") { () throws(Failure) in
    try object(context, ContextObject.self).forgetAnswers(type)
    return 0
  }
}
