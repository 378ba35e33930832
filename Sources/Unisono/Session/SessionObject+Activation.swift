import CUnisono
import UnisonoRuntime

/// Preparing to activate: people are asked whether the group should see what is about to be begun.
extension SessionObject {
  func prepareForActivation(
    _ pointer: UnsafePointer<unisono_activity>?, _ fn: unisono_activation_fn?, _ fnUser: UnsafeMutableRawPointer?
  ) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "activity is NULL") }
    guard fn != nil || context.queue != nil else {
      throw Failure(
        .UNISONO_EINVAL, "fn is NULL, and the context has no event queue to put an ACTIVATION event into")
    }
    let activity = try copiedActivity(pointer)
    try requireLife()
    let opened = activations.withLock { state -> OpenActivation? in
      guard state.open == nil else { return nil }
      state.lastRequest += 1
      let open = OpenActivation(
        request: state.lastRequest, activity: activity, fn: fn, user: fnUser, patience: state.patience)
      state.open = open
      return open
    }
    guard let opened else {
      throw Failure(.UNISONO_EBUSY, "people are asked about another activation; wait for its answer")
    }
    do throws(Failure) {
      try context.submit(cost: .init(activity)) { [self] in ask(opened) }
    } catch {
      // Destroyed meanwhile: its end has answered.
      if removeActivation(opened.request) != nil { throw error }
    }
  }

  func answerConsent(
    _ request: UInt64, _ answer: unisono_activation_result, remember: Bool
  ) throws(Failure) {
    guard (0...2).contains(answer.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "answer is \(answer.rawValue), which is no unisono_activation_result")
    }
    guard let open = removeActivation(request) else {
      throw Failure(.UNISONO_ENOTFOUND, "nobody is asked that; it may have been answered or taken too long")
    }
    // Nothing was decided: there is nothing to remember.
    if remember, answer != .UNISONO_ACTIVATION_CANCELLED, !context.answers.remember(answer, for: open.type) {
      context.log(.error, "an answer could not be written to storage_path; it is remembered by this context alone")
    }
    do throws(Failure) {
      try context.submit(isBounded: false) { [self] in finish(open, answer) }
    } catch {
      finish(open, answer)
    }
  }

  private func removeActivation(_ request: UInt64?) -> OpenActivation? {
    activations.withLock { state in
      guard let open = state.open, request == nil || open.request == request else { return nil }
      state.open = nil
      return open
    }
  }

  // MARK: On the loop

  private func ask(_ open: OpenActivation) {
    guard !isDead else { return }
    // Whom should it be shared with?
    guard !isAlone else { return close(open.request, .UNISONO_ACTIVATION_DISABLED) }
    if let answer = context.answers.answer(for: open.type) {
      return close(open.request, answer, isRemembered: true)
    }
    guard callbacks?.consent != nil || context.queue != nil else {
      return close(open.request, .UNISONO_ACTIVATION_PREFERRED)
    }
    let timer = context.loop.makeTimer { [weak self] in self?.close(open.request, .UNISONO_ACTIVATION_CANCELLED) }
    open.timer = timer
    timer.arm(at: context.now.adding(open.patience))
    deliver(
      .activation(origin, .UNISONO_EVENT_SESSION_CONSENT, request: open.request, open.activity), .kept,
      to: bound(callbacks?.consent))
  }

  private func close(_ request: UInt64, _ result: unisono_activation_result, isRemembered: Bool = false) {
    guard let open = removeActivation(request) else { return }
    finish(open, result, isRemembered: isRemembered)
  }

  private func finish(_ open: OpenActivation, _ result: unisono_activation_result, isRemembered: Bool = false) {
    open.timer?.close()
    open.timer = nil
    context.deliver(
      Delivery(
        target: self, payload: answer(to: open, result, isRemembered: isRemembered), kind: .kept,
        callback: callback(of: open), isOwed: true))
  }

  private func answer(to open: OpenActivation, _ result: unisono_activation_result, isRemembered: Bool) -> Payload {
    .activation(
      EventOrigin(source: token, user: open.user, hostTime: context.now), .UNISONO_EVENT_SESSION_ACTIVATION,
      request: open.request, open.activity, result: result, isRemembered: isRemembered)
  }

  private func callback(of open: OpenActivation) -> ((Payload) -> Void)? {
    open.fn.map { [fnUser = open.user] fn in { fn(fnUser, $0.body()) } }
  }

  /// The session object goes: what is open is answered before anything is released.
  func cancelActivation() {
    guard let open = removeActivation(nil) else { return }
    guard let callback = callback(of: open), !context.isInsideCallback else {
      return finish(open, .UNISONO_ACTIVATION_CANCELLED)
    }
    open.timer?.close()
    let payload = answer(to: open, .UNISONO_ACTIVATION_CANCELLED, isRemembered: false)
    context.callingOut { callback(payload) }
  }
}
