/// The keys of one link between a client and a hub, made anew for each (wire 3.1).
struct LinkKeys: Equatable, Sendable {
  /// Seals what the client sends.
  let up: Secret
  /// Seals what the hub sends.
  let down: Secret
  /// Makes and checks the codes of clock probes.
  let probes: ProbeMAC

  /// `agreed`: what the hub encapsulated for the client.
  init(_ transcript: Transcript, agreed: Secret) {
    let root = Secret.extract(salt: transcript.hash, material: agreed)
    up = root.expand(.up)
    down = root.expand(.down)
    probes = ProbeMAC(key: root.expand(.probe))
  }
}
