import Glibc
import UnisonoCore

/// The speed, the memory and the messages of the core, by the size of the group. Exit status 1: an action costs more
/// messages than its formula, or does not take effect.
let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { (2...1_000).contains($0) }
var faults: [String] = []

/// Processor time of this process, s: other work on the machine does not count.
func processTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

print(
  "  n   events/s   us/event   bytes of one   bytes/participant   action                messages   formula   commands")
for count in sizes.isEmpty ? [2, 32, 256] : sizes {
  let bytes = Memory.ofOne(in: count)
  var room = BenchRoom(count)
  var rows: [String] = []
  let events = room.events
  let began = processTime()
  for action in Action.allCases {
    let (messages, commands) = (room.messages, room.commands)
    room.give(action.event, to: 1)
    room.run(.seconds(3))
    let cost = room.messages - messages
    let formula = action.formula(count)
    if cost > formula {
      faults.append("\(action.rawValue) among \(count): \(cost) messages, the formula says \(formula)")
    }
    if action.plays ? !room.allPlay : !room.nonePlays {
      faults.append("\(action.rawValue) among \(count) did not take effect")
    }
    let name = action.rawValue + String(repeating: " ", count: 20 - action.rawValue.count)
    rows.append(
      "\(name) \(padded("\(cost)", 9)) \(padded("\(formula)", 9)) \(padded("\(room.commands - commands)", 10))")
  }
  let rate = Double(room.events - events) / max(processTime() - began, 1e-9)
  let head =
    padded("\(count)", 3) + padded("\(Int(rate))", 11) + padded("\((10_000_000 / rate).rounded() / 10)", 11)
    + padded("\(bytes)", 15) + padded("\(bytes / count)", 20)
  for (index, row) in rows.enumerated() {
    print((index == 0 ? head : String(repeating: " ", count: head.count)) + "   " + row)
  }
  fflush(nil)
}
for fault in faults { print("TOO MUCH: \(fault)") }
if !faults.isEmpty { exit(1) }
