import Crypto
import UnisonoBase
import UnisonoWire

/// Opens messages of other runs. What opens was sealed by a hub of the set, for this subject; that it is new is not judged here.
package struct HubSetOpener: Sendable {
  /// Runs whose keys are kept.
  private static let capacity = 128

  package struct Opened: Sendable {
    package let run: HubRunID
    package let number: UInt64
    package let text: [UInt8]
  }

  private let keys: HubSetKeys
  /// The key that opened the run's last message.
  private var known: [HubRunID: SymmetricKey] = [:]

  package init(_ keys: HubSetKeys) { self.keys = keys }

  /// nil: no hub of the set sealed it for this subject.
  package mutating func open(_ message: [UInt8], on subject: String) -> Opened? {
    guard let (run, number) = HubSetSeal.read(message) else { return nil }
    if let key = known[run], let text = HubSetSeal.open(message, number: number, subject: subject, key: key) {
      return Opened(run: run, number: number, text: text)
    }
    for key in keys.runKeys(run) {
      guard let text = HubSetSeal.open(message, number: number, subject: subject, key: key) else { continue }
      // Only who has the key gets here: nobody else can fill this.
      if known.count >= Self.capacity { known = [:] }
      known[run] = key
      return Opened(run: run, number: number, text: text)
    }
    return nil
  }
}
