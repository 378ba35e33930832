/// The words of a `Latch`, on the stack: reading them must not allocate.
struct LatchWords {
  private typealias Storage = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  )
  private var storage: Storage = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  subscript(index: Int) -> UInt64 {
    get { withUnsafeBytes(of: storage) { $0.load(fromByteOffset: 8 * index, as: UInt64.self) } }
    set {
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: newValue, toByteOffset: 8 * index, as: UInt64.self) }
    }
  }

  subscript(signed index: Int) -> Int64 {
    get { Int64(bitPattern: self[index]) }
    set { self[index] = UInt64(bitPattern: newValue) }
  }

  subscript(real index: Int) -> Double {
    get { Double(bitPattern: self[index]) }
    set { self[index] = newValue.bitPattern }
  }
}
