/// A hash for heartbeats' digests: no cryptography, as nobody attacks a simulation, but 32 bytes that differ.
enum Digest {
  @Sendable static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var word: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { word = (word ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var lanes = Xoshiro256(seed: word)
    var result: [UInt8] = []
    result.reserveCapacity(32)
    for _ in 0..<4 { withUnsafeBytes(of: lanes.next()) { result.append(contentsOf: $0) } }
    return result
  }
}
