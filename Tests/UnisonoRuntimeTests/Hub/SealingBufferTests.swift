import Testing

@testable import UnisonoRuntime

@Suite("The buffer that records are sealed in")
struct SealingBufferTests {
  private func add(_ record: [UInt8], behind head: [UInt8] = [], to buffer: SealingBuffer) {
    let room = buffer.room(for: record.count, behind: head)
    #expect(room.count == record.count)
    room.copyBytes(from: record)
    buffer.add(record.count, behind: head)
  }

  @Test("records stand behind each other and their heads, also where it has to grow; what was not added is not there")
  func filling() {
    let buffer = SealingBuffer()
    #expect(buffer.bytes.isEmpty && buffer.lengths.isEmpty)
    add([1, 2], to: buffer)
    _ = buffer.room(for: 3, behind: [9])
    let long = [UInt8](repeating: 7, count: 300_000)
    add(long, behind: [4, 5], to: buffer)
    add([3], to: buffer)
    #expect(Array(buffer.bytes) == [1, 2, 4, 5] + long + [3])
    #expect(buffer.lengths == [2, 300_002, 1])
    buffer.removeAll()
    add([5], to: buffer)
    #expect(Array(buffer.bytes) == [5] && buffer.lengths == [1])
  }
}
