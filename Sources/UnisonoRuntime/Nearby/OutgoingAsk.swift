import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoWire

/// One ask on its way: a connection to the first of a device's addresses that answers, and what is said on it.
final class OutgoingAsk {
  struct Events {
    var digits: (_ name: String, PairingDigits) -> Void
    var agreed: (Invite) -> Void
    /// Once, as the last, unless agreed.
    var failed: (AskAttempt.Failure) -> Void
  }

  /// Time that one address of several may take before the next is tried.
  static let attemptLimit: Nanoseconds = .seconds(3)

  let intent: NearbyIntent
  private let environment: any Environment
  private let events: Events
  /// Invite that `.invite` hands over.
  private let offered: Invite?
  private let initiator: PairingInitiator
  private var attempt: AskAttempt
  private var candidates: ArraySlice<String>
  private var stream: (any ByteStream)?
  private var assembler = FrameAssembler(limit: PairingFrame.askBytes)
  private var received = 0
  private var keys: PairingKeys?
  /// Content of GRANT.
  private var granted: Invite?
  private var timer: (any LoopTimer)?
  private var nextTimer: (any LoopTimer)?

  /// - Parameters:
  ///   - addresses: "host:port", at least one.
  ///   - invite: given where the intent is to invite.
  init(
    environment: any Environment, addresses: [String], service: NearbyService, invite: Invite?, events: Events
  ) {
    self.environment = environment
    self.events = events
    offered = invite
    intent = invite == nil ? .join : .invite
    initiator = PairingInitiator(intent: intent, service: service, random: environment.randomBytes)
    attempt = AskAttempt(intent, now: environment.now)
    candidates = addresses[...]
    timer = environment.makeTimer { [weak self] in self?.handle(.tick) }
    timer?.arm(at: attempt.deadline)
    nextTimer = environment.makeTimer { [weak self] in self?.tryNext() }
    tryNext()
  }

  func confirm(_ digitsMatch: Bool) { handle(digitsMatch ? .confirmed : .declined) }

  /// Cancels. Nothing is told afterwards.
  func close() {
    if !attempt.isOver, stream != nil, keys != nil { stream?.write(PairingFrame.cancel.encoded) }
    letGo()
  }

  // MARK: The connection

  private func tryNext() {
    stream?.close()
    guard let address = candidates.popFirst() else { return handle(.lost) }
    if !candidates.isEmpty { nextTimer?.arm(at: environment.now.adding(Self.attemptLimit)) }
    stream = environment.connect(
      to: address,
      StreamEvents(
        opened: { [weak self] in
          self?.nextTimer?.arm(at: nil)
          self?.candidates = []
          self?.handle(.connected)
        },
        received: { [weak self] bytes in self?.received(bytes) },
        closed: { [weak self] _ in self?.tryNext() }))
  }

  private func received(_ bytes: [UInt8]) {
    received += bytes.count
    guard received <= PairingFrame.askBytes else { return handle(.broken) }
    assembler.append(bytes)
    do {
      while !attempt.isOver, let frame = try assembler.next() { try handle(frame) }
    } catch PairingError.seal, PairingError.content {
      handle(.forged)
    } catch {
      handle(.broken)
    }
  }

  private func handle(_ frame: RawFrame) throws {
    switch try PairingFrame.decode(frame) {
    case .offer(let offer):
      guard keys == nil else { return handle(.broken) }
      let answer = try initiator.answer(offer: frame.body)
      keys = answer.keys
      reveal = answer.reveal
      partner = offer.deviceName
      handle(.offered)
    case .grant(let sealed):
      guard let keys, !isGranted else { return handle(.broken) }
      granted = try keys.open(grant: sealed, of: intent)
      isGranted = true
      handle(.granted)
    case .ask, .reveal, .pass, .cancel: handle(.broken)
    case nil: break
    }
  }

  private var reveal: RevealFrame?
  private var partner = ""
  private var isGranted = false

  // MARK: What comes next

  private func handle(_ event: AskAttempt.Event) {
    for effect in attempt.handle(event, now: environment.now) { carryOut(effect) }
    timer?.arm(at: attempt.deadline)
  }

  private func carryOut(_ effect: AskAttempt.Effect) {
    switch effect {
    case .ask: write(.ask(initiator.ask))
    case .compare:
      guard let reveal, let keys else { return }
      write(.reveal(reveal))
      events.digits(partner, keys.digits)
    case .cancel: write(.cancel)
    case .finish:
      if let offered, let keys { write(.pass(keys.pass(offered))) }
      letGo()
      if let invite = granted ?? offered { events.agreed(invite) }
    case .fail(let failure):
      letGo()
      events.failed(failure)
    }
  }

  private func write(_ frame: PairingFrame) { stream?.write(frame.encoded) }

  private func letGo() {
    stream?.close()
    stream = nil
    timer?.close()
    timer = nil
    nextTimer?.close()
    nextTimer = nil
  }
}
