import UnisonoCore

/// "Ask to pause": who may not command asks those who may.
extension SessionEngine {
  /// Everybody who may command and takes part now.
  private var commanders: [ParticipantID] {
    let view = coordination.view
    return view.participants.filter { $0.connection == .connected && view.control.allowsCommands(by: $0.role) }.map(\.id)
  }

  /// `number`: the own one of the request, ascending.
  public func ask(_ request: CommandRequest, number: UInt64) {
    guard state.status == .joined else { return }
    do throws(CommandRequests.Refusal) {
      carryOut(try requests.ask(request, number: number, of: commanders, now: environment.now))
    } catch {
      deliver(.requestRefused(error, operation: "session_request_command"))
    }
  }

  public func answerRequest(of asker: ParticipantID, _ number: UInt64, isGranted: Bool) {
    guard state.status == .joined else { return }
    do throws(CommandRequests.Refusal) {
      // What cannot be carried out is not said to be granted.
      let item = requests.answerable.first { $0.asker == asker && $0.number == number }?.item
      if isGranted, !coordination.view.mayCommand || item != coordination.view.item { throw .notOpen }
      carryOut(try requests.answer(asker, number, isGranted: isGranted, commanders: commanders))
    } catch {
      deliver(.requestRefused(error, operation: "session_answer_request"))
    }
  }

  /// Requests that the host may answer now.
  public var answerableRequests: [(asker: ParticipantID, number: UInt64, item: ItemID)] { requests.answerable }

  func take(_ number: UInt64, _ request: CommandRequest, from sender: ParticipantID) {
    let view = coordination.view
    let isEntitled = !commanders.contains(sender)
    carryOut(
      requests.take(
        number, request, from: sender, mayCommand: view.mayCommand, isEntitled: isEntitled, now: environment.now))
  }

  func take(answerTo asker: ParticipantID, _ number: UInt64, isGranted: Bool, from sender: ParticipantID) {
    carryOut(
      requests.take(
        answerTo: asker, number, isGranted: isGranted, from: sender, mayCommand: commanders.contains(sender)))
  }

  func tickRequests() { carryOut(requests.tick(now: environment.now)) }

  func forgetRequests(with left: [ParticipantID]) { carryOut(requests.forget(left)) }

  private func carryOut(_ effects: [CommandRequests.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let to): transmit(message, to: to, isPrivate: true)
      case .tell(let news): deliver(.request(news))
      case .carryOut(let request):
        switch request.kind {
        case .pause: handle(.rateChange(rate: 0, immediately: false))
        case .play: handle(.rateChange(rate: 1, immediately: false))
        case .seek: handle(.seek(to: request.itemTime, resumeImmediately: false))
        }
      case .dropped(let sender):
        statistics.messagesRefused += 1
        deliver(.log(.debug, "a request of participant \(sender) was dropped: it sends too many"))
      }
    }
  }
}
