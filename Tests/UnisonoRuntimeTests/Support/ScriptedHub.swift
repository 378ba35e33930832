import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// A hub that does the handshake and then says what the test wants, whatever it hears.
final class ScriptedHub {
  let address: HubAddress
  private(set) var attempts = 0
  private var listener: (any StreamListener)?

  private final class Line {
    var assembler = FrameAssembler(limit: RecordText.greatestRecord)
    var sealer: RecordSealer?
    var opener: RecordOpener?
  }

  /// `script`: what it says, given its true IDENTITY, as records behind CHALLENGE. `received`: frames that came behind OPEN.
  init(
    on machine: VirtualEnvironment, identity: SigningKey, script: @escaping (IdentityFrame) -> [HubFrame],
    received: @escaping (RawFrame) -> Void = { _ in }
  ) throws {
    address = HubAddress(address: "\(machine.host):7400", hub: identity.publicKey.hashedID)
    listener = try machine.listen(on: "0.0.0.0:7400") { [unowned self] stream in
      attempts += 1
      let line = Line()
      return StreamEvents(
        received: { bytes in
          line.assembler.append(bytes)
          while let content = try? line.assembler.nextContent() {
            if line.opener != nil {
              if let frame = try? line.opener?.open(content) { received(frame) }
              continue
            }
            guard
              let handshake = try? HubHandshake(
                answering: Array(content[1...]), hub: identity, clock: ClockID(high: 1, low: 1),
                random: machine.randomBytes)
            else { continue }
            line.sealer = handshake.sealer
            line.opener = handshake.opener
            stream.write(HubFrame.challenge(handshake.challenge).encoded)
            for frame in script(handshake.identity) {
              if let record = line.sealer?.seal(RecordText(frame)) { stream.write(record) }
            }
          }
        }, closed: { _ in })
    }
  }
}
