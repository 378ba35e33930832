@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Members that hand attachments around on virtual time, with files in memory and a network that loses and delays.
final class AttachmentWorld {
  final class Member {
    let id: ParticipantID
    var attachments = Attachments()
    /// Contents that are here.
    var contents: [AttachmentID: [UInt8]] = [:]
    /// Files on their way here, and those that came.
    var parts: [UInt64: [UInt8]] = [:]
    var files: [UInt64: [UInt8]] = [:]
    var news: [Attachments.Effect] = []
    var isGone = false
    /// What the next load finds of an earlier one.
    var left: [UInt8] = []
    /// Gives other bytes than asked for.
    var lies = false
    /// A disk that takes that long.
    var diskDelay: Nanoseconds = .milliseconds(1)
    /// How a file's work ends.
    var disk = Attachments.Outcome.done
    var sentBytes = 0

    init(_ number: UInt8) { id = ParticipantID(bytes: [UInt8](repeating: number, count: 16)) ?? .none }

    var failures: [Attachments.Failure] {
      news.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }
    var progress: [UInt64] { news.compactMap { if case .progress(_, let bytes) = $0 { bytes } else { nil } } }
    var forgeries: [[ParticipantID]] {
      news.compactMap { if case .forged(_, let givers) = $0 { givers } else { nil } }
    }
  }

  private(set) var members: [Member]
  private(set) var now: HostTime = .seconds(1)
  /// Who cannot reach whom.
  var cuts: Set<[ParticipantID]> = []
  var loss = 0.0
  var delay: Nanoseconds = .milliseconds(20)
  var bytesPerSecond: UInt32 = 262_144
  private var events: [(at: HostTime, number: Int, act: () -> Void)] = []
  private var lastEvent = 0
  private var random: SplitMix64

  init(_ count: UInt8, seed: UInt64 = 1) {
    members = (1...count).map { Member($0) }
    random = SplitMix64(seed: seed)
  }

  subscript(index: Int) -> Member { members[index] }

  /// Not SHA-256, but other bytes have another one.
  static func id(_ bytes: [UInt8]) -> AttachmentID {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return AttachmentID((0..<32).map { UInt8(truncatingIfNeeded: (sum &* UInt64($0 + 1)) >> 24) }) ?? .none
  }

  func content(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }

  /// The offer of a content by a member, who has it.
  func offer(_ bytes: [UInt8], by member: Member) -> AttachmentOffer {
    let value = AttachmentValue(id: Self.id(bytes), name: "film.vtt", type: "text/vtt", size: UInt64(bytes.count))
    hold(bytes, member)
    return AttachmentOffer(slot: AttachmentSlot(author: member.id, number: 0), value: value, time: 1)
  }

  func hold(_ bytes: [UInt8], _ member: Member) {
    member.contents[Self.id(bytes)] = bytes
    member.attachments.hold(Self.id(bytes), size: UInt64(bytes.count))
  }

  func load(_ offer: AttachmentOffer, by member: Member) throws -> UInt64 { try member.attachments.load(offer, now: now) }

  // MARK: Time

  func after(_ delay: Nanoseconds, _ act: @escaping () -> Void) {
    lastEvent += 1
    events.append((now.adding(delay), lastEvent, act))
  }

  /// True: the condition came to hold.
  @discardableResult
  func run(for length: Nanoseconds, until condition: () -> Bool = { false }) -> Bool {
    let end = now.adding(length)
    while !condition() {
      settle()
      let due = events.indices.min { (events[$0].at, events[$0].number) < (events[$1].at, events[$1].number) }
      let wake = members.filter { !$0.isGone }.compactMap { $0.attachments.nextWake(now: now) }.min()
      let next = min(due.map { events[$0].at } ?? .max, wake.map { max($0, now.adding(1)) } ?? .max)
      guard next <= end else {
        now = end
        settle()
        return condition()
      }
      now = next
      if let due, events[due].at <= now { events.remove(at: due).act() }
    }
    return true
  }

  private func settle() {
    for member in members where !member.isGone {
      let present = members.filter { $0 !== member && !$0.isGone && !isCut($0.id, member.id) }.map { $0.id }
      let around = Attachments.Surroundings(present: present, bytesPerSecond: bytesPerSecond, hasRoom: true)
      carryOut(member.attachments.settle(around, now: now), member)
    }
  }

  private func isCut(_ one: ParticipantID, _ other: ParticipantID) -> Bool { cuts.contains([one, other]) || cuts.contains([other, one]) }

  // MARK: Effects

  func send(_ saying: AttachmentSaying, from sender: Member, to id: ParticipantID) {
    guard let receiver = members.first(where: { $0.id == id }), Double.random(in: 0..<1, using: &random) >= loss else { return }
    if case .chunk(_, _, let bytes) = saying { sender.sentBytes += bytes.count }
    after(delay) { [self] in
      guard !receiver.isGone, !isCut(sender.id, receiver.id) else { return }
      carryOut(receiver.attachments.receive(saying, from: sender.id, now: now), receiver)
    }
  }

  func carryOut(_ effects: [Attachments.Effect], _ member: Member) {
    for effect in effects { carryOut(effect, member) }
  }

  private func disk(_ member: Member, _ act: @escaping () -> [Attachments.Effect]) {
    after(member.diskDelay) { [self] in
      if !member.isGone { carryOut(act(), member) }
    }
  }

  private func carryOut(_ effect: Attachments.Effect, _ member: Member) {
    switch effect {
    case .send(.chunk(let id, let offset, let bytes), let to) where member.lies:
      send(.chunk(id, offset: offset, bytes: bytes.map { $0 ^ 1 }), from: member, to: to)
    case .send(let saying, let to): send(saying, from: member, to: to)
    case .read(let id, let offset, let length, let asker):
      disk(member) { [self] in
        let bytes = member.contents[id].map { Array($0.dropFirst(Int(offset)).prefix(length)) }
        return member.attachments.read(bytes, of: id, offset: offset, for: asker, now: now)
      }
    case .open(let load):
      let left = member.left
      member.parts[load] = left
      disk(member) { [self] in member.attachments.opened(load, member.disk, present: UInt64(left.count), now: now) }
    case .copy(let id, let load):
      member.parts[load] = member.contents[id]
      disk(member) { member.attachments.copied(load, member.disk) }
    case .write(let load, let offset, let bytes):
      disk(member) {
        var part = member.parts[load] ?? []
        part += [UInt8](repeating: 0, count: max(0, Int(offset) + bytes.count - part.count))
        part.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
        member.parts[load] = part
        return member.attachments.wrote(load, bytes.count, member.disk)
      }
    case .restart(let load):
      member.parts[load] = []
      disk(member) { [self] in member.attachments.restarted(load, member.disk, now: now) }
    case .check(let load):
      disk(member) {
        guard let offer = member.attachments.offer(of: load), let part = member.parts[load] else { return [] }
        return member.attachments.checked(load, Self.id(part) == offer.value.id ? member.disk : .differs)
      }
    case .discard(let load): member.parts[load] = nil
    case .keep(let load): member.left = member.parts.removeValue(forKey: load) ?? []
    case .loaded(let offer, let load):
      member.files[load] = member.parts.removeValue(forKey: load)
      member.contents[offer.value.id] = member.files[load]
      member.news.append(effect)
    case .progress, .failed, .forged: member.news.append(effect)
    }
  }
}
