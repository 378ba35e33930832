@testable import UnisonoBase
@testable import UnisonoReplica
@testable import UnisonoWire

/// Random values of everything that travels, all within their limits.
extension SplitMix64 {
  mutating func stamp() -> Stamp { Stamp(time: time(), author: identifier()) }

  mutating func haveEntry() -> HaveEntry {
    HaveEntry(key: registerKey(), stamp: stamp(), sum: RegisterSum(high: next(), low: next()))
  }

  mutating func cellKey() -> CellKey {
    let ranks: [CellKey.Rank] = [.nullProposal, .proposal, .command]
    return CellKey(policy: identifier(), rank: ranks[Int.random(in: 0..<3, using: &self)], stamp: stamp())
  }

  mutating func pair() -> Pair { Pair(rate: cellKey(), position: cellKey()) }

  mutating func wait() -> Wait {
    Wait(reason: text(1...30), limit: chance() ? .max : UInt32(truncatingIfNeeded: next()))
  }

  mutating func item() -> ItemID { ItemID(text(1...60)) }

  mutating func member() -> Member {
    Member(id: identifier(), connection: next(), age: UInt32(truncatingIfNeeded: next()))
  }

  mutating func members(upTo limit: Int) -> [Member] {
    list(upTo: limit) { $0.member() }.sorted { ($0.id, $0.connection) < ($1.id, $1.connection) }
  }

  mutating func departures(left: Bool) -> [Departure] {
    members(upTo: 5).map { Departure(id: $0.id, connection: $0.connection, left: left) }
  }

  mutating func participantValue() -> ParticipantValue {
    var value = ParticipantValue(incarnation: next(), displayName: text(0...63), deviceName: text(0...63))
    value.item = maybe { $0.item() }
    value.availableSince = maybe { $0.time() }
    value.ready = maybe {
      ParticipantValue.Readiness(base: $0.pair(), sequence: UInt32(truncatingIfNeeded: $0.next()))
    }
    value.suspensions = list(upTo: 4) {
      ParticipantValue.SuspensionReason(
        reason: $0.text(1...127), since: $0.time(), status: $0.chance() ? -Int32(truncatingIfNeeded: 1 + $0.next() % 100_000) : 0)
    }
    value.stalled = maybe { ParticipantValue.Moment(at: $0.time(), since: $0.time()) }
    value.ended = maybe { ParticipantValue.Moment(at: $0.time(), since: $0.time()) }
    value.apart = list(upTo: 3) { ParticipantValue.Interval(from: $0.time(), to: $0.chance() ? .max : $0.time()) }
    value.waits = list(upTo: 3) { $0.wait() }
    value.startLatency = time()
    value.outputOffset = time()
    value.hubAddresses = list(upTo: 2) {
      HubAddress(address: $0.text(3...40), hub: $0.bytes(16))
    }
    value.left = chance()
    value.roleWish = chance() ? 0 : 2
    value.rate = rate()
    value.position = maybe { $0.time() }
    value.positionAt = maybe { $0.time() }
    value.word = ReadyWord.allCases.randomElement(using: &self) ?? .notSaid
    value.copy = maybe { StatedCopy(entry: $0.identifier(), copy: $0.copy()) }
    for entry: EntryID in list(upTo: WireLimits.cuts, { $0.identifier() }) {
      value.state(CutOffset(entry: entry, offset: chance() ? CutOffset.greatest : -CutOffset.greatest))
    }
    value.coordinators = Set(list(upTo: CoordinatorName.mostOpen) { CoordinatorName($0.text(1...8)) }.compactMap { $0 }).sorted()
    return value
  }

  mutating func copy() -> Copy {
    Copy(duration: chance() ? time().magnitudeOrOne : 0, size: chance() ? next() | 1 : 0, hash: chance() ? bytes(32) : [])
  }

  mutating func playlistEntry() -> PlaylistEntry {
    let place = PlaylistPlace(bytes(Int.random(in: 0...63, using: &self)) + [1])
    var entry = PlaylistEntry(
      place: place ?? .spread(0), item: item(), added: time(), title: text(0...255), copy: copy(),
      addresses: list(upTo: WireLimits.entryAddresses) { $0.text(1...300) }, ranges: ranges())
    if chance() { entry = entry.removed }
    return entry
  }

  mutating func ranges() -> [SkipRange] {
    var end: ItemTime = 0
    return list(upTo: SkipRange.most) { samples in
      let begin = end + (samples.chance() ? 0 : Int64.random(in: 0...(.seconds(3_600)), using: &samples))
      end = begin + Int64.random(in: SkipRange.shortest...(.seconds(600)), using: &samples)
      return SkipRange(begin: begin, end: end, kind: SkipRange.Kind.allCases.randomElement(using: &samples) ?? .other)
    }
  }

  mutating func playlistCurrent() -> PlaylistCurrent {
    let base = maybe { $0.stamp() }
    return PlaylistCurrent(
      entry: identifier(), base: base, step: base == nil ? 0 : UInt32(truncatingIfNeeded: next()) | 1, isByEnd: chance())
  }

  mutating func continuation() -> ContinuationValue.Kind {
    switch Int.random(in: 0..<4, using: &self) {
    case 0:
      .line(
        coverage: UInt16(truncatingIfNeeded: next()), since: time(), at: maybe { $0.time() },
        prior: maybe { Line(at: $0.time(), rate: $0.rate(), since: $0.time()) })
    case 1: .hold(at: time(), deadline: time())
    case 2: .skip(from: time(), at: time(), deadline: time())
    default: .ended(at: time())
    }
  }

  mutating func statement() -> Statement {
    let key: RegisterKey
    let value: RegisterValue
    switch Int.random(in: 0..<16, using: &self) {
    case 0:
      key = .clock(identifier())
      value = .clock(ClockValue(offset: time(), error: UInt32(truncatingIfNeeded: next())))
    case 1: (key, value) = (.end, .end)
    case 2:
      key = .activity
      value = .activity(
        Activity(
          type: UInt8.random(in: 0...9, using: &self), identifier: text(1...255), title: maybe { $0.text(0...255) },
          subtitle: maybe { $0.text(1...80) }, fallbackURL: maybe { $0.text(1...200) },
          previewImage: bytes(Int.random(in: 0...300, using: &self)),
          payload: bytes(Int.random(in: 0...300, using: &self)),
          lifetime: chance() ? 1 : 0, supportsContinuation: chance()))
    case 3:
      key = .rate(item())
      value = .rate(
        RateValue(
          rank: cellKey().rank, rate: rate(), at: time(), basePosition: maybe { $0.cellKey() }, snap: chance(),
          waits: list(upTo: 4) { $0.wait() }, deadline: maybe { $0.time() }, settle: maybe { $0.time() },
          readyUntil: maybe { $0.time() }, named: list(upTo: 16) { $0.identifier() }.sorted(), original: maybe { $0.stamp() }))
    case 4:
      key = .position(item())
      value = .position(
        PositionValue(
          rank: cellKey().rank, position: time(), waits: list(upTo: 4) { $0.wait() }, deadline: maybe { $0.time() },
          readyUntil: maybe { $0.time() }, named: list(upTo: 16) { $0.identifier() }.sorted(), original: maybe { $0.stamp() }))
    case 5:
      key = .continuation(item())
      value = .continuation(
        ContinuationValue(base: pair(), sequence: UInt32(truncatingIfNeeded: next()), kind: continuation()))
    case 6:
      key = .stallPolicy
      value = .stallPolicy(
        StallPolicy(
          waits: chance(), debounce: Int64.random(in: StallPolicy.debounces, using: &self),
          limit: Int64.random(in: StallPolicy.limits, using: &self)))
    case 7:
      key = .actionAtEnd
      value = .actionAtEnd(ActionAtEnd.allCases.randomElement(using: &self) ?? .none)
    case 8:
      key = .startPolicy
      value = .startPolicy(
        StartPolicy(
          waiting: StartPolicy.Waiting.allCases.randomElement(using: &self) ?? .none,
          limit: Int64.random(in: StartPolicy.limits, using: &self), leaving: chance() ? .pause : .goOn))
    case 9:
      key = .playlistEntry(identifier())
      value = .playlistEntry(playlistEntry())
    case 10:
      key = .playlistCurrent
      value = .playlistCurrent(playlistCurrent())
    case 11:
      key = .attachment(AttachmentSlot(author: identifier(), number: UInt8.random(in: 0...15, using: &self)))
      value = .attachment(
        maybe {
          AttachmentValue(
            id: $0.attachmentID(), name: $0.text(1...255), type: $0.text(0...127), size: $0.next() % 100_000_001)
        })
    case 12:
      key = .scheduledStart
      value = .scheduledStart(
        maybe { ScheduledStart(item: $0.item(), instant: $0.time(), calendarTime: $0.maybe { $0.time() }) })
    case 13:
      key = .skipPolicy
      value = .skipPolicy(SkipPolicy(kinds: list(upTo: 4) { SkipRange.Kind.allCases.randomElement(using: &$0) ?? .other }))
    case 14:
      key = .audience
      value = .audience(
        maybe { generator in
          let hubs = (0...Int.random(in: 0...15, using: &generator)).map { _ in
            HubAddress(address: generator.text(1...263), hub: generator.bytes(16))
          }
          let reactions = ["\u{2764}", "r", "two words"].shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
          let terms = AudienceTerms(
            share: .random(in: AudienceTerms.shares, using: &generator), wait: .random(in: AudienceTerms.waits, using: &generator),
            reactions: Array(reactions))
          return AudienceValue(secret: generator.bytes(32), topic: generator.bytes(32), hubs: hubs, terms: terms)
        })
    default:
      key = .participant(identifier())
      value = .participant(participantValue())
    }
    return Statement(key: key, author: identifier(), policy: identifier(), time: time(), value: value)
  }

  mutating func attachmentID() -> AttachmentID { AttachmentID(bytes(32))! }

  mutating func registerKey() -> RegisterKey { statement().key }

  mutating func signed() -> SignedStatement {
    SignedStatement(body: bytes(Int.random(in: 60...200, using: &self)), signature: bytes(64))
  }

  /// One of each hub frame.
  mutating func hubFrames() -> [HubFrame] {
    [
      .open(OpenFrame(nonce: bytes(32), ephemeralKey: bytes(1_216))),
      .challenge(ChallengeFrame(nonce: bytes(32), encapsulatedKey: bytes(1_120))),
      .identity(
        IdentityFrame(
          hubKey: bytes(32), clock: identifier(), asksForPass: Bool.random(using: &self), certificate: maybe { $0.bytes(100) },
          signature: bytes(64))),
      .enter(
        EnterFrame(topic: bytes(32), signingKey: bytes(32), turn: .random(in: 0 ... .max, using: &self), enterSignature: bytes(64), seatSignature: bytes(64), peekOnly: Bool.random(using: &self),
          pass: maybe { $0.bytes(38) })),
      .enter(
        EnterFrame(
          topic: bytes(32), signingKey: bytes(32), turn: 7, enterSignature: bytes(64), seatSignature: bytes(64), role: .publisher)),
      .enter(
        EnterFrame(topic: bytes(32), signingKey: bytes(32), turn: 7, enterSignature: nil, seatSignature: bytes(64), role: .listener)),
      .entered(
        EnteredFrame(
          connection: next(), members: members(upTo: 8), token: next(), udpPort: 7_400, frameLimit: 262_144,
          bytesPerSecond: 262_144, advertised: list(upTo: WireLimits.advertised) { $0.text(1...WireLimits.hubAddress) })),
      .refused(RefusedFrame(status: -13, text: text(0...127), retry: maybe { UInt32(truncatingIfNeeded: $0.next()) })),
      .presence(joined: members(upTo: 5), gone: departures(left: false) + departures(left: true)),
      .send(to: nil, envelope: bytes(578)),
      .send(
        to: list(upTo: 5) { $0.identifier() }.sorted(), envelope: bytes(Int.random(in: 578...2_000, using: &self))),
      .deliver(envelope: bytes(642)),
      .probe(
        ProbePacket(
          kind: .answer, token: next(), number: next(), opaque: next(), received: time(), sent: time(), mac: bytes(16))),
      .ping(next()),
      .pong(next()),
      .leave,
      .keep(envelope: bytes(584)),
      .show(slot: UInt8.random(in: 0...1, using: &self), envelope: bytes(Int.random(in: 578...2_048, using: &self))),
      .recall,
      .count(
        AudienceCount(
          listeners: .random(in: 0 ... .max, using: &self), leftOut: .random(in: 0 ... .max, using: &self), ready: tallies(),
          reactions: tallies())),
      .tally(TallyKind.allCases.randomElement(using: &self) ?? .ready, tag: .random(in: 0 ... .max, using: &self)),
      .clocks(ClockReport(at: time(), readings: list(upTo: 4) { $0.clockReading() }.sorted { $0.clock < $1.clock })),
      .next(
        NextFrame(
          hubs: list(upTo: 3) { HubAddress(address: $0.text(1...WireLimits.hubAddress), hub: $0.bytes(16)) },
          within: UInt32(truncatingIfNeeded: next()))),
      .tryBack(TryBackFrame(number: next(), port: UInt16.random(in: TryBackFrame.ports, using: &self))),
      .triedBack(TriedBackFrame(number: next(), outcome: .busy)),
      .triedBack(TriedBackFrame(number: next(), outcome: .reached, address: "2001:db8::7")),
      .lost([identifier() as ParticipantID, identifier()].sorted()),
    ]
  }

  mutating func tallies() -> [Tally] {
    let tags = Set((0..<Int.random(in: 0...8, using: &self)).map { _ in UInt64.random(in: 0 ... .max, using: &self) })
    return tags.sorted().map { Tally(tag: $0, count: .random(in: 0 ... .max, using: &self)) }
  }

  mutating func clockReading() -> ClockReading {
    ClockReading(
      clock: identifier(), offset: time(), rate: .random(in: ClockReport.rates, using: &self), error: .random(in: 0 ... .max, using: &self),
      growth: .random(in: 0 ... .max, using: &self), goneFor: .random(in: 0 ... .max, using: &self))
  }

  mutating func record() -> RecordID { RecordID(bytes: bytes(32)) ?? .none }

  /// One of each inner message.
  mutating func innerMessages() -> [InnerMessage] {
    [
      .hello(
        HelloMessage(
          intro: bytes(144), known: maybe { $0.record() }, reason: .unreadable, freshKey: bytes(1_216))),
      .welcome(
        WelcomeMessage(
          intro: bytes(144), sealed: bytes(1_500))),
      .update(
        statements: list(upTo: 4) { $0.signed() }, intros: list(upTo: 2) { $0.bytes(144) },
        levels: list(upTo: 2) { $0.bytes(144) }),
      .private(PrivateMessage(wraps: list(upTo: 3) { $0.bytes(96) }, sealed: bytes(40))),
      .rekey(RekeyMessage(levels: [bytes(144), bytes(99)], record: bytes(250), wraps: list(upTo: 3) { $0.bytes(1_216) })),
      .rekey(RekeyMessage(intro: bytes(144), levels: [bytes(144)], record: bytes(250), wraps: [bytes(1_216)])),
      .rekey(
        RekeyMessage(
          intro: bytes(144), levels: [bytes(144), bytes(99)], authors: list(upTo: 3) { $0.bytes(144) },
          isFinal: chance())),
      .beat(
        Beat(
          digest: bytes(32), newestStamp: time(), hubDelay: UInt32(truncatingIfNeeded: next()),
          clockError: UInt32(truncatingIfNeeded: next()))),
      .beat(
        Beat(
          digest: bytes(32), newestStamp: time(), hubDelay: 1, clockError: 2,
          timing: Beat.Timing(
            sent: time(), number: UInt32(truncatingIfNeeded: next()),
            echoes: list(upTo: 16) {
              Beat.Echo(of: $0.identifier(), number: UInt32(truncatingIfNeeded: $0.next()), received: $0.time())
            }, error: chance() ? UInt32(truncatingIfNeeded: next()) : nil), heard: bytes(33))),
      .have(list(upTo: 5) { $0.haveEntry() }), .have(list(upTo: 5) { $0.haveEntry() }, part: 1, of: 3),
      .want([]),
      .want(list(upTo: 5) { $0.registerKey() }),
      .snapshot(.joining),
      .snapshot(
        SnapshotPart(
          number: 1, of: 3, statements: list(upTo: 4) { $0.signed() }, levels: list(upTo: 2) { $0.bytes(100) },
          intros: list(upTo: 2) { $0.bytes(144) })),
      .data(number: next(), bytes: bytes(Int.random(in: 0...500, using: &self))),
      .data(number: next(), bytes: [], previous: next()),
      .data(
        number: next(), bytes: [],
        label: MessageLabel(type: text(1...127), version: UInt32(truncatingIfNeeded: next())),
        cue: chance() ? nil : MessageCue(item: item(), itemTime: time())),
      .notice(
        NoticeMessage(
          kind: 3, amount: time(), rate: rate(), text: maybe { $0.text(0...255) }, url: maybe { $0.text(0...99) })),
      .epoch(EpochMessage(records: list(upTo: 3) { $0.bytes(250) }, intros: list(upTo: 3) { $0.bytes(144) })),
      .ask(
        AskMessage(
          epoch: maybe { $0.record().epoch }, known: record(), strangers: list(upTo: 6) { $0.identifier() }.sorted())),
      .foreground(chance()),
      .speaking(chance()),
      .chat(SignedStatement(body: bytes(90), signature: bytes(64))),
      .reaction(Reaction(text(1...32), item: "film", itemTime: maybe { $0.time() })),
      .chatDigest(bytes(32)),
      .chatWant([]),
      .chatWant(
        list(upTo: 5) { ChatName(id: ChatEntry.ID(author: $0.identifier(), number: $0.next()), hash: $0.next()) }
          .sorted { $0.id < $1.id }),
      .chatHistory(list(upTo: 3) { SignedStatement(body: $0.bytes(90), signature: $0.bytes(64)) }),
      .attachment(.fetch(attachmentID(), offset: next() % 100_000_001, count: UInt8.random(in: 1...8, using: &self))),
      .attachment(.chunk(attachmentID(), offset: 32_768, bytes: bytes(Int.random(in: 1...300, using: &self)))),
      .attachment(.refusal(attachmentID(), chance() ? .busy : .notHere)),
      .request(
        number: next(),
        CommandRequest(
          [.pause, .play, .seek].randomElement(using: &self) ?? .pause, item: item(), itemTime: time(),
          text: maybe { $0.text(0...255) })),
      .answer(asker: identifier(), number: next(), isGranted: chance()),
      .ignoring(IgnoringMessage(reason: UInt8(truncatingIfNeeded: next()), length: UInt32(truncatingIfNeeded: next()))),
      .decline(DeclineMessage(intro: bytes(144), reason: .full)),
      .decline(
        DeclineMessage(
          intro: bytes(144), reason: .ended, levels: [bytes(220)], authors: [bytes(144)],
          end: SignedStatement(body: bytes(60), signature: bytes(64)))),
      .bye,
    ]
  }
}

extension Int64 {
  /// Positive.
  fileprivate var magnitudeOrOne: Int64 { Swift.max(1, Int64(clamping: magnitude)) }
}
