import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Attachments that people offer, take back and fetch from each other, with files in memory.
extension SimulatedSession {
  /// What hubs read of a connection, bytes a second.
  private static let bytesPerSecond: UInt32 = 262_144

  /// From now on all hand attachments around.
  func opensShelves() {
    for participant in participants where participant.files == nil {
      var host = AttachmentHost()
      host.disk = sideGenerator.number(in: .microseconds(100)...(.milliseconds(40)))
      participant.files = host
    }
  }

  func hearAttachment(_ saying: AttachmentSaying, from sender: ParticipantID, at participant: Participant) {
    let host = participant.clock.host(at: now)
    carryOut(participant.files?.attachments.receive(saying, from: sender, now: host) ?? [], of: participant)
  }

  func settleAttachments(of participant: Participant) {
    guard participant.files != nil else { return }
    if let news = participant.read({ participant.files?.follow($0) }) {
      for event in news.written { deliver(event, to: participant) }
      carryOut(news.effects, of: participant)
    }
    guard participant.files?.attachments.isIdle == false else { return }
    let present = participant.sight.present
    let around = Attachments.Surroundings(
      present: participant.sight.readers.filter { present.contains($0) }, bytesPerSecond: Self.bytesPerSecond, hasRoom: true)
    let host = participant.clock.host(at: now)
    carryOut(participant.files?.attachments.settle(around, now: host) ?? [], of: participant)
  }

  func carryOut(_ effects: [Attachments.Effect], of participant: Participant) {
    for effect in effects { carryOut(effect, of: participant) }
  }

  private func carryOut(_ effect: Attachments.Effect, of participant: Participant) {
    switch effect {
    case .send(.chunk(let id, let offset, let bytes), let to) where participant.files?.lies == true:
      send(.attachment(.chunk(id, offset: offset, bytes: bytes.map { $0 ^ 1 })), from: participant, to: to)
    case .send(let saying, let to): send(.attachment(saying), from: participant, to: to)
    case .read(let id, let offset, let length, let asker):
      disk(of: participant) { files, host in
        let bytes = files.contents[id].map { Array($0.dropFirst(Int(offset)).prefix(length)) }
        return files.attachments.read(bytes, of: id, offset: offset, for: asker, now: host)
      }
    case .open(let load):
      disk(of: participant) { files, host in
        guard let id = files.attachments.offer(of: load)?.value.id else { return [] }
        let part = files.leftovers.removeValue(forKey: id) ?? []
        files.parts[load] = part
        return files.attachments.opened(load, .done, present: UInt64(part.count), now: host)
      }
    case .copy(let id, let load):
      let bytes = participant.files?.contents[id]
      participant.files?.parts[load] = bytes
      disk(of: participant) { files, _ in files.attachments.copied(load, .done) }
    case .write(let load, let offset, let bytes):
      disk(of: participant) { files, _ in
        var part = files.parts[load] ?? []
        part += [UInt8](repeating: 0, count: max(0, Int(offset) + bytes.count - part.count))
        part.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
        files.parts[load] = part
        return files.attachments.wrote(load, bytes.count, .done)
      }
    case .restart(let load):
      participant.files?.parts[load] = []
      disk(of: participant) { files, host in files.attachments.restarted(load, .done, now: host) }
    case .check(let load):
      disk(of: participant) { files, _ in
        guard let offer = files.attachments.offer(of: load), let part = files.parts[load] else { return [] }
        let isIt = part.count == offer.value.size && AttachmentContent.id(of: part) == offer.value.id
        return files.attachments.checked(load, isIt ? .done : .differs)
      }
    case .discard(let load): participant.files?.parts[load] = nil
    case .keep(let load):
      guard let part = participant.files?.parts.removeValue(forKey: load), !part.isEmpty,
        let id = participant.files?.loads.last(where: { $0.number == load })?.id
      else { break }
      participant.files?.leftovers[id] = part
    case .progress: break
    case .loaded(let offer, let load):
      let bytes = participant.files?.parts.removeValue(forKey: load) ?? []
      participant.files?.contents[offer.value.id] = bytes
      end(of: offer, as: .loaded(bytes), at: participant)
    case .failed(let offer, let failure): end(of: offer, as: .failed(failure), at: participant)
    case .forged(let offer, let givers):
      participant.files?.forgeries.append(givers)
      log.note(now, participant.name, "-> attachment \(offer.value.name) forged by \(givers.map(name(of:)))")
    }
  }

  /// The host learns how its load ended.
  private func end(of offer: AttachmentOffer, as end: AttachmentHost.End, at participant: Participant) {
    fingerprint?.add(203)
    fingerprint?.add(bytes: offer.value.id.bytes)
    switch end {
    case .loaded(let bytes):
      fingerprint?.add(bytes.count)
      log.note(now, participant.name, "-> attachment \(offer.value.name) loaded, \(bytes.count) bytes")
    case .failed(let failure): log.note(now, participant.name, "-> attachment \(offer.value.name) failed: \(failure)")
    }
    guard let index = participant.files?.loads.lastIndex(where: { $0.id == offer.value.id && $0.end == nil }) else {
      return violate("x", "\(participant.name) is told of a load that it did not begin, or twice")
    }
    participant.files?.loads[index].end = end
  }

  private func disk(of participant: Participant, _ act: @escaping (inout AttachmentHost, HostTime) -> [Attachments.Effect]) {
    guard let delay = participant.files?.disk else { return }
    after(delay) { $0.finish(act, of: participant) }
  }

  /// What a file's work came to is read when the process goes on.
  private func finish(_ act: @escaping (inout AttachmentHost, HostTime) -> [Attachments.Effect], of participant: Participant) {
    guard participant.isRunning else { return }
    guard now >= participant.stoppedUntil else { return at(participant.stoppedUntil) { $0.finish(act, of: participant) } }
    guard var files = participant.files else { return }
    participant.files = nil
    let effects = act(&files, participant.clock.host(at: now))
    participant.files = files
    carryOut(effects, of: participant)
    settleSide(participant)
  }
}

extension Person {
  /// Offers the content of a number.
  package func offers(_ number: Int) {
    let value = AttachmentContent.value(number)
    if let slot = participant.files?.offer(AttachmentContent.bytes(number), of: value, by: id) { offersAttachment(value, in: slot) }
  }

  /// Takes the content of a number back, wherever it is offered, if it may.
  package func takesBack(_ number: Int) {
    let id = AttachmentContent.value(number).id
    let mayCommand = view.mayCommand
    for offer in attachments.offers(of: id) where mayCommand || offer.slot.author == self.id { takesBackAttachment(in: offer.slot) }
  }

  /// Loads the content of a number, if it is offered.
  package func fetches(_ number: Int) {
    let id = AttachmentContent.value(number).id
    guard let offer = participant.files?.shelf.offer(of: id) else { return }
    let host = participant.clock.host(at: room.now)
    do throws(Attachments.Refusal) {
      guard let load = try participant.files?.attachments.load(offer, now: host) else { return }
      participant.files?.loads.append((load, id, nil))
    } catch {
      participant.files?.refusedLoads += 1
    }
    room.settleSide(participant)
  }

  package func endsLoad(_ number: Int) {
    room.carryOut(participant.files?.attachments.cancel(AttachmentContent.value(number).id) ?? [], of: participant)
  }

  /// From now on the bytes that it gives are others.
  package func givesOtherBytes() { participant.files?.lies = true }
}
