import UnisonoCrypto
import UnisonoNearby
import UnisonoWire

/// Says on the local network that this device is here, and takes asks.
///
/// What it decides lies in `BeaconSchedule` and `AskBook`; the digits never leave it but in `NearbyRequest`.
package final class NearbyAdvertiser {
  /// Random with every start; how this one is known in beacons.
  package let instance: UInt64
  /// The TCP port that takes asks.
  package let port: UInt16

  private let environment: any Environment
  private let service: NearbyService
  private let intent: NearbyIntent
  private let takesIPv6: Bool
  private let tell: (NearbyAdvertiserEvent) -> Void
  private var listener: (any StreamListener)?
  private var reach: NearbyReach?
  private var schedule: BeaconSchedule
  private var book = AskBook()
  private var asks: [UInt64: IncomingAsk] = [:]
  private var lastAsk: UInt64 = 0
  private var beaconTimer: (any LoopTimer)?
  private var askTimer: (any LoopTimer)?

  /// Binds at once.
  /// - Parameter intent: what others may ask: `.join` where this device has a session, `.invite` where it has none.
  package init(
    environment: any Environment, service: NearbyService, intent: NearbyIntent,
    tell: @escaping (NearbyAdvertiserEvent) -> Void
  ) throws(NetworkError) {
    self.environment = environment
    self.service = service
    self.intent = intent
    self.tell = tell
    instance = environment.randomNumber()
    schedule = BeaconSchedule(now: environment.now)
    let mailbox = Mailbox()
    let accepted: (any ByteStream) -> StreamEvents = { stream in
      mailbox.advertiser?.accept(stream) ?? StreamEvents(received: { _ in }, closed: { _ in })
    }
    let bound: any StreamListener
    var isIPv6 = true
    do throws(NetworkError) {
      bound = try environment.listen(on: HubOptions.everywhere, accepted: accepted)
    } catch {
      bound = try environment.listen(on: HubOptions.everywhereIPv4, accepted: accepted)
      isIPv6 = false
    }
    port = bound.port
    takesIPv6 = isIPv6
    listener = bound
    mailbox.advertiser = self
    reach = NearbyReach(
      port: environment.openMulticast(.nearby) { [weak self] bytes, from, _ in self?.heard(bytes, from) })
    askTimer = environment.makeTimer { [weak self] in self?.handle(.tick) }
    beaconTimer = environment.makeTimer { [weak self] in self?.call() }
    beaconTimer?.arm(at: schedule.next)
  }

  /// A listener takes connections before `self` is complete.
  private final class Mailbox { weak var advertiser: NearbyAdvertiser? }

  /// Addresses where asks are received, "host:port", as the machine's addresses are now: for people who have to type one. Any thread.
  package var addresses: [String] {
    environment.localAddresses().filter { takesIPv6 || !$0.contains(":") }
      .map { PeerAddress(host: $0, port: port).description }
  }

  /// Yes. `invite`: what `.join` hands out. An ask that is over already stays over.
  package func accept(_ id: UInt64, invite: Invite?) {
    guard let ask = asks[id], let intent = ask.request?.intent, book.isShown(id) else { return }
    guard intent == .invite || invite != nil else { return handle(.denied(id)) }
    grant = ask.sealGrant(intent == .join ? invite : nil)
    handle(.accepted(id))
    grant = nil
    // To one who joins nothing more is to be said.
    if intent == .join { handle(.finished(id)) }
  }

  /// No. The asker is told nothing and sees a time-out.
  package func deny(_ id: UInt64) { handle(.denied(id)) }

  /// Says goodbye; open asks end. Nothing is told afterwards.
  package func close() {
    reach?.send(Beacon(kind: .gone, instance: instance, service: service.identifier))
    reach?.close()
    reach = nil
    beaconTimer?.close()
    askTimer?.close()
    listener?.close()
    listener = nil
    for ask in asks.values { ask.stream.close() }
    asks = [:]
  }

  // MARK: Beacons

  private var beacon: Beacon {
    Beacon(service, instance: instance, port: port, intent: intent)
  }

  private func call() {
    look()
    reach?.send(beacon)
    let jitter = environment.randomBytes(1).reduce(0) { $0 + Int64($1) } * BeaconSchedule.jitter / 256
    schedule.sent(now: environment.now, jitter: jitter)
    beaconTimer?.arm(at: schedule.next)
  }

  private func look() {
    guard let change = reach?.refresh().change else { return }
    tell(.reach(change))
  }

  private func heard(_ bytes: [UInt8], _ from: PeerAddress) {
    guard let beacon = try? Beacon(bytes: bytes), beacon.kind == .query, beacon.service == service.identifier else {
      return
    }
    schedule.queried(now: environment.now)
    beaconTimer?.arm(at: schedule.next)
  }

  // MARK: Asks

  /// Set while an acceptance is carried out.
  private var grant: [UInt8]?

  private func accept(_ stream: any ByteStream) -> StreamEvents {
    lastAsk += 1
    let id = lastAsk
    asks[id] = IncomingAsk(id: id, stream: stream)
    handle(.connected(id, from: stream.peer.host))
    return StreamEvents(
      received: { [weak self] bytes in self?.received(bytes, id) },
      closed: { [weak self] _ in self?.handle(.gone(id)) })
  }

  private func received(_ bytes: [UInt8], _ id: UInt64) {
    guard let ask = asks[id] else { return }
    do {
      for frame in try ask.receive(bytes) where asks[id] != nil { try handle(frame, of: ask) }
    } catch {
      handle(.broken(id))
    }
  }

  private func handle(_ frame: RawFrame, of ask: IncomingAsk) throws {
    switch try PairingFrame.decode(frame) {
    case .ask(let words):
      guard !ask.isAsked, words.service == service.identifier, words.intent == intent,
        service.supports(words.platform)
      else { return handle(.broken(ask.id)) }
      try ask.answer(frame.body, deviceName: service.deviceName, random: environment.randomBytes)
      handle(.asked(ask.id))
    case .reveal:
      handle(try ask.check(reveal: frame.body) ? .proven(ask.id) : .broken(ask.id))
    case .pass(let sealed):
      guard let (request, invite) = try ask.open(pass: sealed) else { return handle(.broken(ask.id)) }
      handle(.finished(ask.id))
      tell(.invited(request, invite))
    case .cancel: handle(.gone(ask.id))
    case .offer, .grant: handle(.broken(ask.id))
    case nil: break
    }
  }

  private func handle(_ event: AskBook.Event) {
    for effect in book.handle(event, now: environment.now) { carryOut(effect) }
    askTimer?.arm(at: book.deadline)
  }

  private func carryOut(_ effect: AskBook.Effect) {
    switch effect {
    case .offer(let id):
      if let ask = asks[id], let offer = ask.offer { ask.write(offer) }
    case .show(let id):
      if let request = asks[id]?.request { tell(.asked(request)) }
    case .withdraw(let id): tell(.withdrawn(id))
    case .grant(let id):
      if let ask = asks[id], let grant { ask.grant(grant) }
    case .close(let id): asks.removeValue(forKey: id)?.stream.close()
    }
  }
}
