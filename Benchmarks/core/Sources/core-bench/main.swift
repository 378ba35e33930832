import Glibc

/// The speed, the memory and the messages of the core, by the size of the group. Exit status 1: an action costs more
/// messages than its formula, or does not take effect.
let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { (2...1_000).contains($0) }
var faults: [String] = []

func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

print("one coordination\n   n    turns/s   us/turn       bytes   bytes/participant")
for count in given.isEmpty ? [2, 32, 256] : given {
  let (bytes, turns) = OneOfMany.measure(of: count)
  let time = (10_000_000 / turns).rounded() / 10
  print(
    padded("\(count)", 4) + padded("\(Int(turns))", 11) + padded("\(time)", 10) + padded("\(bytes)", 12)
      + padded("\(bytes / count)", 20))
}

print("\na whole group\n   n   action                messages   at most   exchanges   commands      events   us/event")
for count in given.isEmpty ? [2, 8, 32, 256] : given {
  var room = BenchRoom(count)
  for action in Action.allCases {
    let (messages, exchanges, commands, events) = (room.messages, room.exchanges, room.commands, room.events)
    let began = processTime()
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
    print(
      padded("\(count)", 4) + "   " + name + padded("\(cost)", 10) + padded("\(formula)", 10)
        + padded("\(room.exchanges - exchanges)", 12) + padded("\(room.commands - commands)", 11)
        + padded("\(room.events - events)", 12)
        + padded("\(((processTime() - began) * 1e7 / Double(max(1, room.events - events))).rounded() / 10)", 11))
    fflush(nil)
  }
}
for fault in faults { print("TOO MUCH: \(fault)") }
fflush(nil)
if !faults.isEmpty { exit(1) }
