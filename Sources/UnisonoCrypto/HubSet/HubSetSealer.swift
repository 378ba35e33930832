import Crypto
import UnisonoBase
import UnisonoWire

/// Seals the messages of one run, and numbers them: no number is used twice.
package struct HubSetSealer: Sendable {
  package let run: HubRunID
  private let key: SymmetricKey
  private var number: UInt64 = 0

  package init(_ keys: HubSetKeys, run: HubRunID) {
    self.run = run
    key = keys.runKeys(run)[0]
  }

  /// nil: it is longer than a message may be.
  package mutating func seal(_ text: [UInt8], on subject: String) -> [UInt8]? {
    let head = HubSetSeal.head(run: run, number: number)
    guard let message = HubSetSeal.seal(text, head: head, number: number, subject: subject, key: key) else { return nil }
    number += 1
    return message
  }
}
