/// What a person says of being ready; numbers of `unisono_readiness`. Not whether its player could start, which the library knows.
package enum ReadyWord: UInt8, CaseIterable, Sendable {
  case notSaid = 0
  case ready
  case notReady
}
