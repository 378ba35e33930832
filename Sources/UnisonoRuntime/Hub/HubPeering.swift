import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// A hub's side of its set: the `HubSet`, its timer, and the way to the other hubs, which it is alone to use.
///
/// Each call may leave something for the hub to do, which it takes with `next` until there is nothing. What comes from outside, by the
/// timer or from other hubs, is announced by `changed`. A hub alone has no way to others, and its timer is never armed.
final class HubPeering {
  private let environment: any Environment
  private let hubSet: HubSet
  private let peers: (any HubPeers)?
  private let failed: (String) -> Void
  private var timer: (any LoopTimer)?
  private var armed = HostTime.max
  private var noticePace = NoticePace()
  /// For the hub to do.
  private var work: ArraySlice<HubSetEffect> = []
  private var isHandingOut = false
  private var changed: () -> Void = {}
  private var now: HostTime { environment.now }

  /// Draws nothing from the random source where there is no `membership`.
  init(environment: any Environment, membership: SetMembership?, hub: [UInt8], clock: HubClock) {
    self.environment = environment
    peers = membership?.peers
    failed = membership?.failed ?? { _ in }
    let run = membership == nil ? nil : HubRunID(bytes: environment.randomBytes(16))
    hubSet = HubSet(
      HubSetOptions(
        keys: membership?.keys, run: run ?? .none, hub: hub, clock: clock.id, clockZero: clock.model.hostTime), now: environment.now)
    timer = environment.makeTimer { [weak self] in
      guard let self else { return }
      self.armed = .max
      self.hubSet.tick(now: self.now)
      self.follow()
      self.changed()
    }
  }

  /// Begins to look for other hubs. `addresses`: where clients reach this one; `heard`: before what another hub said is read.
  func open(addresses: [String], heard: @escaping () -> Void, changed: @escaping () -> Void) {
    self.changed = changed
    hubSet.setAddresses(addresses)
    peers?.open(
      HubPeersEvents(
        connected: { [weak self] in self?.receive { $0.connected(now: $1) } },
        disconnected: { [weak self] in self?.receive { $0.disconnected(now: $1) } },
        received: { [weak self] bytes, subject, at in
          heard()
          self?.receive { $0.message(bytes, on: subject, at: at, now: $1) }
        },
        waiting: { [weak self] bytes, since in self?.receive { $0.waiting(bytes: bytes, since: since, now: $1) } }))
    follow()
  }

  /// Says that this hub is gone, and ends.
  func close() {
    changed = {}
    hubSet.close()
    follow()
    peers?.close()
    timer?.close()
  }

  /// Removes what the hub is to do next; nil: nothing, or it is at it already.
  func next() -> HubSetEffect? { work.popFirst() }

  /// false: the hub is already about to do what there is.
  func beginHandingOut() -> Bool {
    guard !isHandingOut, !work.isEmpty else { return false }
    isHandingOut = true
    return true
  }

  func endHandingOut() { isHandingOut = false }

  // MARK: Who is where

  func turn(of id: ParticipantID, in topic: [UInt8]) -> UInt32? { hubSet.turn(of: id, in: topic) }

  func hasPlace(for id: ParticipantID, in topic: [UInt8], limit: Int) -> Bool { hubSet.hasPlace(for: id, in: topic, limit: limit) }

  /// Whether somebody is in a room, at any hub; of an audience, publishes.
  func isOpen(_ topic: [UInt8]) -> Bool { hubSet.count(of: topic) > 0 }

  /// Of what is open under a name.
  func kind(of topic: [UInt8]) -> SetRoom.Kind { hubSet.kind(of: topic) }

  func members(of topic: [UInt8]) -> [Member] { hubSet.members(of: topic, now: now) }

  func look(_ topic: [UInt8]) { call { $0.look(topic, now: $1) } }

  func entered(_ topic: [UInt8], _ id: ParticipantID, turn: UInt32, as kind: SetRoom.Kind = .room) {
    call { $0.entered(topic, id, turn: turn, as: kind, now: $1) }
  }

  func gone(_ topic: [UInt8], _ id: ParticipantID, turn: UInt32, left: Bool) {
    call { $0.gone(topic, id, turn: turn, left: left, now: $1) }
  }

  func said(
    _ topic: [UInt8], from id: ParticipantID, to: [ParticipantID]?, mayDrop: Bool, slot: AudienceSlot? = nil, envelope: [UInt8],
    now: HostTime
  ) {
    hubSet.said(topic, from: id, to: to, mayDrop: mayDrop, slot: slot, envelope: envelope, now: now)
    follow()
  }

  /// An audience stands so here; nil: it is not kept any more.
  func stand(_ topic: [UInt8], _ standing: AudienceStanding?) { call { $0.stand(topic, standing, now: $1) } }

  /// Who publishes in an audience, at any hub, and how many listen at the others.
  func audience(of topic: [UInt8]) -> Audience.Elsewhere {
    Audience.Elsewhere(publishers: hubSet.members(of: topic, now: now), count: hubSet.elsewhere(of: topic))
  }

  /// A listener here says something to the publishers at other hubs.
  func hand(_ topic: [UInt8], _ envelope: [UInt8]) { call { set, _ in set.hand(topic, envelope) } }

  /// Another hub has audiences, so that some may come here to listen.
  var mayListen: Bool { hubSet.mayListen }

  /// Whether who sends most in a room is to rest, because other hubs do not get it fast enough.
  func isCongested(_ topic: [UInt8]) -> Bool { hubSet.isCongested && hubSet.isShared(topic) }

  // MARK: The rest

  /// Word that the sender of this envelope leaves in its room. `keeper`: names from where.
  func keep(_ envelope: [UInt8], for topic: [UInt8], by keeper: [UInt8]) {
    guard let sender = (try? EnvelopeHeader(envelope: envelope))?.sender, noticePace.admits(sender, in: topic, now: now) else { return }
    call { $0.keep(envelope, for: topic, by: keeper, now: $1) }
  }

  func notice(for topic: [UInt8]) -> [UInt8]? { hubSet.notice(for: topic, now: now) }

  /// Other hubs' clocks; nil: none is known.
  var clockReport: ClockReport? {
    let report = hubSet.clockReport(now: now)
    return report.readings.isEmpty ? nil : report
  }

  /// A group has so many rooms open here that it opened with its pass.
  func opened(_ group: PassGroup, rooms: Int) { hubSet.opened(group, rooms: rooms) }

  /// Rooms that each group of a serial has open at other hubs.
  func openedElsewhere(_ serial: UInt64) -> [UInt64: Int] { hubSet.openedElsewhere(serial, now: now) }

  var noticeCount: Int { hubSet.noticeCount }

  func successors(of topic: [UInt8]) -> [HubAddress] { hubSet.successors(of: topic) }

  func setLoad(_ load: HubLoad) { hubSet.setLoad(load) }

  func setClock(_ clock: ClockID) { call { $0.setClock(clock, now: $1) } }

  func setAddresses(_ addresses: [String]) { hubSet.setAddresses(addresses) }

  func drain() { call { $0.drain(now: $1) } }

  var isServiceReady: Bool { hubSet.isServiceReady(now: now) }

  var otherHubs: Int { hubSet.counts.hubs }

  // MARK: Inside

  private func receive(_ body: (HubSet, HostTime) -> Void) {
    call(body)
    changed()
  }

  private func call(_ body: (HubSet, HostTime) -> Void) {
    body(hubSet, now)
    follow()
  }

  /// Does what concerns other hubs, and keeps the rest for the hub.
  private func follow() {
    if hubSet.hasEffects {
      for effect in hubSet.takeEffects() {
        switch effect {
        case .publish(let bytes, let subject): peers?.publish(bytes, on: subject)
        case .subscribe(let subject): peers?.subscribe(subject)
        case .unsubscribe(let subject): peers?.unsubscribe(subject)
        case .flush: peers?.flush()
        case .reconnect: peers?.reconnect()
        case .fail(let text): failed(text)
        case .joined, .gone, .deliver, .audience, .counted, .hand, .clocks, .lost, .replaced, .looked, .log: work.append(effect)
        }
      }
    }
    guard hubSet.nextWake < armed else { return }
    armed = hubSet.nextWake
    timer?.arm(at: armed)
  }
}
