import UnisonoCore

/// Getting the content key from a member, and handing it to newcomers (wire-and-security 5.2, 6.6).
extension SecureRoom {
  /// Asks the next member; who made the session draws a key where nobody can have one.
  mutating func ask(now: HostTime) -> [RoomEffect] {
    guard var search else { return [] }
    if let word, keyring == nil, !search.tried.isEmpty {
      // Who keeps the door would have handed over the way by now.
      self.word = nil
      return [.notice(word)] + ask(now: now)
    }
    let byAge = members.values.sorted { ($0.age, $1.id) > ($1.age, $0.id) }.map(\.id)
    // Who neither answers nor asks keeps a door that is shut.
    let isSilent = !byAge.isEmpty && askers.isDisjoint(with: byAge)
    if keyring == nil, isSilent, now >= search.since.adding(WelcomeSearch.giveUpAfter) {
      self.search = nil
      return [.shutOut]
    }
    // Who was invited never met the group where nobody has its key, and does not speak for it.
    if isCreator, keyring == nil, !isSilent, now >= search.since.adding(WelcomeSearch.drawAfter).adding(roundTrip * 2),
      byAge.allSatisfy({ local < $0 }), byAge.allSatisfy(search.tried.contains)
    {
      self.search = nil
      keyring = Keyring(Epoch(first: Secret(random: random), in: door.scope), now: now)
      return announce(now: now) + [.log(.info, "nobody here has the key; a new one was drawn")]
    }
    if keyring != nil, search.tried.count >= min(byAge.count, WelcomeSearch.most) {
      self.search = nil
      return announce(now: now)
    }
    guard let next = byAge.first(where: { !search.tried.contains($0) }) else {
      // Everybody was asked: from the beginning, as some may have been welcomed meanwhile.
      search.asked = nil
      let drawTime = search.since.adding(WelcomeSearch.drawAfter).adding(roundTrip * 2)
      let everyone = byAge.allSatisfy { local < $0 }
      search.answerBy = everyone && drawTime > now ? drawTime : now.adding(WelcomeSearch.patience)
      if !everyone || drawTime <= now { search.tried = [] }
      self.search = search
      return []
    }
    search.tried.insert(next)
    search.asked = next
    search.answerBy = now.adding(WelcomeSearch.patience).adding(roundTrip * 2)
    self.search = search
    return hello(to: next, reason: .joining, now: now)
  }

  mutating func hello(to member: ParticipantID, reason: HelloMessage.Reason, now: HostTime) -> [RoomEffect] {
    let key = AgreementKey(seed: Secret(random: random))
    let hello = HelloMessage(
      intro: introduction.bytes, knownEpoch: keyring?.id, reason: reason, freshKey: key.publicKey.bytes)
    let content = InnerMessage.hello(hello).encoded
    hellos[member] = PendingHello(content: content, key: key, until: now.adding(PendingHello.lifetime))
    return sealDoor(content, to: member)
  }

  /// A newcomer, or somebody who lost track, asks for the key.
  mutating func welcome(_ hello: HelloMessage, content: [UInt8], from newcomer: Introduction, now: HostTime)
    -> [RoomEffect]
  {
    if isShut {
      return roster[newcomer.id]?.agreementKey == newcomer.agreementKey ? tellAtDoor(newcomer.id, now: now) : []
    }
    askers.insert(newcomer.id)
    var effects = introduce(newcomer, by: newcomer.id, now: now)
    guard roster[newcomer.id]?.agreementKey == newcomer.agreementKey, var keyring, welcomes.take(now: now) else {
      return effects
    }
    let advanced = keyring.advanceForNewcomer(now: now)
    self.keyring = keyring
    let seal = WelcomeSeal(scope: door.scope, welcomer: local, newcomer: newcomer.id, hello: content)
    do {
      let key = try hello.freshKey.map { bytes throws(KeyError) in try AgreementPublicKey(bytes) }
      var intros: [[UInt8]] = []
      var size = 0
      // What does not fit comes with the snapshot.
      for bytes in roster.bytes
      where size + bytes.count < WireLimits.content / 2 && intros.count < WireLimits.introsPerMessage {
        intros.append(bytes)
        size += bytes.count + 4
      }
      let message = WelcomeMessage(
        intro: introduction.bytes, sealed: try seal.seal(keyring.newest, to: key ?? newcomer.agreementKey),
        intros: intros,
        levels: levels.map(\.bytes))
      effects += sealDoor(InnerMessage.welcome(message).encoded, to: newcomer.id)
    } catch {
      return effects + refuse(newcomer.id, .welcome, now: now)
    }
    // The others follow on the first frame of the new generation, so that the newcomer can read them.
    if advanced { effects += send(.intro(introduction.bytes), to: nil, now: now) }
    return effects
  }

  /// A member hands over the key.
  mutating func takeWelcome(_ message: WelcomeMessage, from welcomer: Introduction, now: HostTime) -> [RoomEffect] {
    guard let hello = hellos[welcomer.id] else { return refuse(welcomer.id, .welcome, now: now) }
    let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer.id, newcomer: local, hello: hello.content)
    guard let epoch = try? seal.open(message.sealed, with: hello.key) else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    hellos[welcomer.id] = nil
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    effects += introduceAll(message.intros, by: welcomer.id, now: now)
    effects += takeLevels(message.levels, from: welcomer.id, now: now)
    if var known = keyring, known.id == epoch.id {
      search = nil
      let wasBehind = epoch.generation > known.newest.generation
      known.adopt(epoch, now: now)
      keyring = known
      guard isSecured else { return effects + announce(now: now) }
      return wasBehind ? effects + introduceSelf(now: now) : effects
    }
    if let known = keyring {
      // Two epochs of one room: the greater id stays; not back and forth.
      guard known.id < epoch.id, lastSwitch.map({ now.subtracting($0) >= .seconds(60) }) ?? true else {
        search = nil
        return effects + announce(now: now)
      }
      lastSwitch = now
      // Those there have not heard this lane's beginning.
      beginLane()
    }
    search = nil
    keyring = Keyring(epoch, isWelcome: true, now: now)
    doubt = WelcomeDoubt(welcomer.id)
    return effects + (isSecured ? introduceSelf(now: now) : announce(now: now))
  }

  /// A frame of the present epoch that cannot be read: when those of two others cannot, the welcomer gave a wrong key.
  mutating func doubtWelcome(unread sender: ParticipantID, now: HostTime) -> [RoomEffect] {
    guard members[sender] != nil, doubt?.note(sender) == true, let welcomer = doubt?.welcomer else { return [] }
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
  mutating func introduceSelf(now: HostTime) -> [RoomEffect] {
    send(.intro(introduction.bytes), to: nil, now: now)
  }

  /// Begins to speak over this link.
  mutating func announce(now: HostTime) -> [RoomEffect] {
    guard !isSecured else { return [] }
    isSecured = true
    return introduceSelf(now: now) + [.secured]
  }

  mutating func introduceAll(_ intros: [[UInt8]], by relay: ParticipantID, now: HostTime) -> [RoomEffect] {
    var effects: [RoomEffect] = []
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
