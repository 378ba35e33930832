/// The own Participant register and what else goes out at the end of a turn.
extension Coordination {
  /// Publishes what changed of the own register; moving positions only now and then.
  mutating func publishOwn() {
    guard membership.participates, membership.phase != .solo, membership.secured,
      membership.joined || membership.phase == .member
    else {
      return
    }
    publishSuspensions()
    guard me != published else { return }
    if let published, !isReportDue, published.isSameButForPosition(as: me) { return }
    let statement = Statement(
      key: .participant(local), author: local, policy: policies.greatest.id,
      time: stamps.next(now: stampTime), value: .participant(me))
    registers.merge(statement)
    published = me
    publishedTime = statement.time
    lastPublication = now
    outbox.put(statement)
  }

  private var isReportDue: Bool {
    lastPublication.map { now >= $0.adding(Parameters.reportInterval) } ?? true
  }

  var publicationWake: HostTime? {
    guard membership.secured, membership.joined, let lastPublication, me != published else { return nil }
    return lastPublication.adding(Parameters.reportInterval)
  }

  /// Commands of one turn and the own register travel together. `isLast`: no later turn will send what has to wait now.
  mutating func flushOutbox(isLast: Bool = false) {
    guard !outbox.isEmpty else { return }
    // Who comes later asks for everything.
    guard membership.secured, !presence.byAge().isEmpty else { return outbox.drop() }
    let load =
      isLast
      ? outbox.takeAll()
      : outbox.take(now: now, group: sessionCount) { [item = host.item] key in
        key.item.map { $0 == item } ?? true
      } stands: { [registers] in
        registers[$0.key]?.stamp == $0.stamp
      }
    if load.policy { broadcast(.levels(policies.greatest.levels)) }
    if !load.statements.isEmpty { broadcast(.update(load.statements)) }
  }
}
