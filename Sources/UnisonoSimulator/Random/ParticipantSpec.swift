import UnisonoBase

/// One participant of a random run: its link, its machine, its player and its habits.
package struct ParticipantSpec: Sendable {
  package var name: String
  package var link: LinkQuality
  package var abilities: PlayerAbilities
  /// Reads what comes within this in one turn, ns.
  package var turnDelay: Nanoseconds = 0
  package var snapsPauses = true
  package var preparesAhead = false
  package var waitsForScrubbing = false
  package var outputOffset: Nanoseconds = 0
  /// By the library's own filter; else a constant error is given.
  package var measuresClock = false
  /// What its player has of every item; nil: everything.
  package var reach: PlayerReach?
  /// It meets the others without an item.
  package var comesWithoutItem = false
  /// The library's player drives this renderer; nil: its host follows the commands itself.
  package var renderer: RendererModel?

  func apply(to person: Person) {
    person.changeLink { $0 = link }
    person.changePlayer { $0 = abilities }
    person.readsTogether(within: turnDelay)
    person.reports(every: .seconds(4))
    person.snapsPauses(snapsPauses)
    person.preparesAhead(preparesAhead)
    if waitsForScrubbing { person.waits(for: ["scrubbing"]) }
    if outputOffset != 0 { person.delaysOutput(by: outputOffset) }
    person.measuresClock(measuresClock)
    person.has(reach)
    if let renderer { person.usesPlayer(over: renderer) }
  }

  var summary: String {
    let way =
      link.path?.name
      ?? "\(link.up / 1_000_000)+\(link.down / 1_000_000) ms, jitter \(link.jitter / 1_000_000) ms"
    var parts = [way, "player \(abilities.latency / 1_000_000) ms"]
    if abilities.forgets > 0 { parts.append("forgets") }
    if link.duplicates > 0 { parts.append("copies") }
    if waitsForScrubbing { parts.append("waits for scrubbing") }
    if preparesAhead { parts.append("gets ready ahead") }
    if outputOffset != 0 { parts.append("output \(outputOffset / 1_000_000) ms late") }
    if measuresClock { parts.append("measures its clock") }
    switch reach {
    case .cut(let end)?: parts.append("ends at \(seconds(end))")
    case .live(_, let window)?: parts.append("live, \(seconds(window)) of it")
    case nil: break
    }
    if let renderer { parts.append(renderer.summary) }
    if comesWithoutItem { parts.append("comes without an item") }
    return "\(name): \(parts.joined(separator: ", "))"
  }
}
