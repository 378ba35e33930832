import UnisonoBase
import UnisonoWire

/// Key handover: asking members for the content key, and handing it to newcomers (wire 5.2, 6.6).
extension SecureChannel {
  /// Asks the next member. Where nobody has the key everybody waits: who was invited does not speak for the group.
  mutating func ask(now: HostTime) -> [ChannelEffect] {
    guard var search else { return [] }
    if let relocationNotice, keyring == nil, !search.tried.isEmpty {
      // Who keeps the door would have handed over the way by now.
      self.relocationNotice = nil
      return [.relocationNotice(relocationNotice)] + ask(now: now)
    }
    var byAge = members.values.sorted { ($0.age, $1.id) > ($1.age, $0.id) }.map(\.id)
    // Who only may be behind asks those whom it knows first: the oldest may be anybody.
    if keyring != nil {
      byAge = byAge.filter { !keyless.contains($0) }
      byAge = byAge.filter(hasSpoken) + byAge.filter { !hasSpoken($0) }
    }
    // Who neither answers nor asks keeps a door that is shut.
    let isSilent = !byAge.isEmpty && askers.isDisjoint(with: byAge)
    if keyring == nil, isSilent, now >= search.since.adding(WelcomeSearch.giveUpAfter) {
      self.search = nil
      return [.nobodyAnswers]
    }
    if keyring != nil, search.tried.count >= min(byAge.count, WelcomeSearch.most) {
      self.search = nil
      return announce(now: now)
    }
    guard let next = byAge.first(where: { !search.tried.contains($0) }) else {
      // Everybody was asked: from the beginning, as some may have been welcomed meanwhile.
      search.asked = nil
      search.answerBy = now.adding(WelcomeSearch.patience)
      search.tried = []
      self.search = search
      return []
    }
    search.tried.insert(next)
    search.asked = next
    search.answerBy = now.adding(WelcomeSearch.patience).adding(roundTrip * 2)
    self.search = search
    return hello(to: next, reason: .joining, now: now)
  }

  private func hasSpoken(_ id: ParticipantID) -> Bool { senders[id]?.hasSpoken == true }

  mutating func hello(to member: ParticipantID, reason: HelloMessage.Reason, now: HostTime) -> [ChannelEffect] {
    let key = AgreementKey(seed: Secret(random: random))
    let hello = HelloMessage(
      intro: introduction.bytes, knownEpoch: keyring?.id, reason: reason, freshKey: key.publicKey.bytes)
    let content = InnerMessage.hello(hello).encoded
    hellos[member] = PendingHello(
      content: content, key: key, isReturning: reason == .joining, until: now.adding(PendingHello.lifetime))
    return sealDoor(content, to: member)
  }

  /// Answers a HELLO of a newcomer, or of a member that lost track: hands over the key.
  mutating func welcome(_ hello: HelloMessage, content: [UInt8], from newcomer: Introduction, now: HostTime)
    -> [ChannelEffect]
  {
    if isRetired {
      return roster[newcomer.id]?.agreementKey == newcomer.agreementKey ? handOverRelocation(newcomer.id, now: now) : []
    }
    guard roster[newcomer.id] != nil || population < WireLimits.participants else {
      guard welcomes.spend(now: now) else { return [] }
      return sealDoor(
        InnerMessage.decline(DeclineMessage(intro: introduction.bytes, reason: .full)).encoded, to: newcomer.id)
    }
    askers.insert(newcomer.id)
    var effects = introduce(newcomer, by: newcomer.id, now: now)
    if hello.knownEpoch == nil, members[newcomer.id] != nil {
      keyless.insert(newcomer.id)
      if keyring != nil, search?.asked == newcomer.id { effects += askOn(now: now) }
    }
    guard roster[newcomer.id]?.agreementKey == newcomer.agreementKey, var keyring, welcomes.spend(now: now) else {
      return effects
    }
    let advanced = keyring.advanceForNewcomer(now: now)
    self.keyring = keyring
    let seal = WelcomeSeal(scope: door.scope, welcomer: local, newcomer: newcomer.id, hello: content)
    do {
      let key = try hello.freshKey.map { bytes throws(KeyError) in try AgreementPublicKey(bytes) }
      var intros: [[UInt8]] = []
      var size = 0
      // Those who are here and who made the policy; other authors come with what they said, and so does what does not fit.
      let known = Set(members.keys).union(levels.map(\.author)).subtracting([local, newcomer.id])
      for bytes in known.sorted().compactMap({ roster[$0]?.bytes })
      where size + bytes.count < WireLimits.content / 2 && intros.count < WireLimits.introsPerMessage {
        intros.append(bytes)
        size += bytes.count + 4
      }
      let message = WelcomeMessage(
        intro: introduction.bytes, sealed: try seal.seal(keyring.newest, to: key ?? newcomer.agreementKey),
        intros: intros, levels: levels.map(\.bytes))
      effects += sealDoor(InnerMessage.welcome(message).encoded, to: newcomer.id)
    } catch {
      return effects + refuse(newcomer.id, .welcome, now: now)
    }
    // The others follow on the first frame of the new generation, so that the newcomer can read them.
    if advanced { effects += send(.intro(introduction.bytes), to: nil, now: now) }
    return effects
  }

  /// Judges a WELCOME. Whoever has the invite can send one: the key is judged before anything else in it counts.
  mutating func receiveWelcome(_ message: WelcomeMessage, from welcomer: Introduction, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, let hello = hellos[welcomer.id], now < hello.until else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer.id, newcomer: local, hello: hello.content)
    guard let epoch = try? seal.open(message.sealed, with: hello.key) else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    hellos[welcomer.id] = nil
    guard let known = keyring else { return adoptFirstKey(epoch, message, from: welcomer, now: now) }
    guard known.id == epoch.id else { return adoptOtherEpoch(epoch, message, from: welcomer, now: now) }
    switch known.judge(epoch) {
    case .known: break
    case .ahead where hello.isReturning: keyring?.advance(to: epoch, now: now)
    // Who is with others does not leave them for one.
    case .ahead, .behind: keyring?.keepReadable(epoch, now: now)
    case .tooFar: return refuse("a key too far from this group's", of: welcomer.id, now: now)
    case .foreign: return refuse("a key that has nothing to do with this group's", of: welcomer.id, now: now)
    }
    search = nil
    let effects = receiveAttachments(message, from: welcomer, now: now)
    guard isSecured else { return effects + announce(now: now) }
    return known.newest != keyring?.newest ? effects + introduceSelf(now: now) : effects
  }

  /// Introductions and levels that a welcome brings besides the key.
  private mutating func receiveAttachments(_ message: WelcomeMessage, from welcomer: Introduction, now: HostTime) -> [ChannelEffect]
  {
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    guard chargeVerifications(of: [], message.intros + message.levels, from: welcomer.id, now: now) else {
      return effects + refuse(welcomer.id, .budget, now: now)
    }
    effects += introduceAll(message.intros, by: welcomer.id, now: now)
    return effects + receiveLevels(message.levels, from: welcomer.id, now: now)
  }

  /// Adopts a first key, from whoever has one.
  private mutating func adoptFirstKey(
    _ epoch: Epoch, _ message: WelcomeMessage, from welcomer: Introduction, now: HostTime
  ) -> [ChannelEffect] {
    search = nil
    keyring = Keyring(epoch, isWelcome: true, now: now)
    doubt = isSenior(welcomer.id) ? nil : WelcomeDoubt(welcomer.id, witnesses: Set(members.keys))
    return receiveAttachments(message, from: welcomer, now: now) + (isSecured ? introduceSelf(now: now) : announce(now: now))
  }

  /// Adopts the key of another epoch of this room, if it comes from a senior; else refuses it.
  private mutating func adoptOtherEpoch(
    _ epoch: Epoch, _ message: WelcomeMessage, from welcomer: Introduction, now: HostTime
  ) -> [ChannelEffect] {
    guard contest.shouldSwitch(isFromSenior: isSenior(welcomer.id), now: now) else {
      return refuse("the key of another epoch", of: welcomer.id, now: now)
    }
    // Those there have not heard this lane's beginning.
    beginLane()
    return adoptFirstKey(epoch, message, from: welcomer, now: now)
      + [.log(.info, "went over to the key of participant \(welcomer.id)")]
  }

  private mutating func refuse(_ what: String, of welcomer: ParticipantID, now: HostTime) -> [ChannelEffect] {
    [.log(.warning, "participant \(welcomer) handed over \(what): refused")] + refuse(welcomer, .epoch, now: now)
      + askOn(now: now)
  }

  /// Asks the next member after a useless answer.
  private mutating func askOn(now: HostTime) -> [ChannelEffect] {
    guard search != nil else { return [] }
    search?.answerBy = now
    return ask(now: now)
  }

  /// A DECLINE: a member has no place for us. Believed for a moment, then the next member is asked: a place may become free, and
  /// one that lies keeps nobody out.
  mutating func receiveDecline(_ message: DeclineMessage, from member: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard hellos[member] != nil else { return refuse(member, .welcome, now: now) }
    hellos[member] = nil
    guard keyring == nil, search?.asked == member else { return [] }
    // Nobody is silent here, and nobody is without a key.
    search?.since = now
    search?.answerBy = now.adding(WelcomeSearch.declined)
    return message.reason == .full ? [.full] : []
  }

  /// Counts a frame of the present epoch that cannot be read: after those of two others the welcomer's key is taken for wrong.
  mutating func doubtWelcome(unread sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, members[sender] != nil, doubt?.recordUnreadable(sender) == true, let welcomer = doubt?.welcomer else {
      return []
    }
    doubt = nil
    keyring = nil
    // What was said under that key nobody has noted.
    beginLane()
    var search = WelcomeSearch(now: now)
    search.tried = [welcomer]
    self.search = search
    return [.log(.warning, "participant \(welcomer) handed over a wrong key; another one is asked")] + ask(now: now)
  }

  /// The first ordered message of a lane.
  mutating func introduceSelf(now: HostTime) -> [ChannelEffect] {
    send(.intro(introduction.bytes), to: nil, now: now)
  }

  /// Begins to speak over this link.
  mutating func announce(now: HostTime) -> [ChannelEffect] {
    guard !isSecured else { return [] }
    isSecured = true
    return introduceSelf(now: now) + [.secured]
  }

  mutating func introduceAll(_ intros: [[UInt8]], by relay: ParticipantID, now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    for bytes in intros where !roster.introductions.values.contains(where: { $0.bytes == bytes }) {
      do {
        effects += introduce(try Introduction(verifying: bytes, session: door.scope.session), by: relay, now: now)
      } catch {
        effects += refuse(relay, .introduction, now: now)
      }
    }
    return effects
  }
}
