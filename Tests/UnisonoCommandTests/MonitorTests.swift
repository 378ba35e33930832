import Foundation
import Testing

@testable import unisono_cli

@Suite struct MonitorTests {
  private static let second: Int64 = 1_000_000_000
  private static let now: Int64 = 50 * second

  private func playing(_ name: String, _ itemTime: Int64, said hostTime: Int64 = now) -> Statement {
    var statement = Statement(name: name)
    (statement.item, statement.rate, statement.isReady) = ("film", 1, true)
    (statement.itemTime, statement.hostTime) = (itemTime, hostTime)
    return statement
  }

  private func person(_ statement: Statement, position: Int64? = 20 * second, isPlaying: Bool = true) -> GroupPicture.Person {
    statement.person(item: "film", position: position, isPlaying: isPlaying, now: Self.now)
  }

  @Test("F75: a position is carried on from when it was said, and the skew is what it is less the group's")
  func position() {
    let ann = person(playing("Ann", 19 * Self.second, said: Self.now - Self.second))
    #expect((ann.doing, ann.position, ann.skew) == (.playing(rate: 1), 20 * Self.second, 0))
    var half = playing("Ben", 10 * Self.second, said: Self.now - 2 * Self.second)
    half.rate = 0.5
    #expect((person(half).position, person(half).skew) == (11 * Self.second, -9 * Self.second))
    #expect(person(playing("Cem", 19 * Self.second, said: Self.now - 11 * Self.second)).position == nil, "silent for too long")
    #expect(person(playing("Dan", 0), position: nil).skew == nil)
    #expect(person(playing("Eve", 0), isPlaying: false).skew == nil, "on its way to a pause")
  }

  @Test("F75: nothing that a participant says of itself makes the monitor's figures overflow")
  func hostile() {
    let numbers: [Int64] = [.min + 1, -1, 0, 1, .max]
    let rates = [0, 1, -1, 1e300, -1e300, .infinity, .nan, 1e-300]
    for itemTime in numbers {
      for hostTime in numbers {
        for rate in rates {
          var statement = playing("Mallory", itemTime, said: hostTime)
          statement.rate = rate
          (statement.clockError, statement.roundTrip) = (itemTime, hostTime)
          var picture = GroupPicture(connection: "connected", isConnected: true, hub: "h:1")
          picture.people = numbers.map { person(statement, position: $0) } + [person(statement, position: 0, isPlaying: false)]
          picture.position = itemTime
          picture.motion = .playing(rate: rate.isFinite ? rate : 1)
          #expect(GroupDrawing(picture: picture, columns: 80, rows: 24).lines.count <= 24)
        }
      }
    }
  }

  @Test("F75: what somebody does is the first that holds: lost, nothing, elsewhere, failed, apart, waited for, playing")
  func doing() {
    var statement = playing("Ann", 0)
    #expect(person(statement).doing == .playing(rate: 1))
    statement.waitReason = ""
    #expect(person(statement).doing == .waitedFor(reason: ""))
    statement.suspensions = ["reading"]
    #expect(person(statement).doing == .apart(reason: "reading"))
    statement.failure = "no such file"
    #expect(person(statement).doing == .failed("no such file"))
    statement.item = "other"
    #expect(person(statement).doing == .elsewhere(item: "other"))
    statement.item = nil
    #expect(person(statement).doing == .nothingOpen)
    statement.isConnected = false
    #expect(person(statement).doing == .notConnected)
    var standing = playing("Ben", 20 * Self.second)
    standing.rate = 0
    let stands = person(standing, isPlaying: false)
    #expect((stands.doing, stands.skew) == (.ready, 0))
    standing.isReady = false
    #expect(person(standing).doing == .preparing && person(standing).skew == nil)
  }

  @Test("F75: the group's item is what most have open")
  func item() {
    #expect(GroupPicture.commonItem([]) == nil)
    #expect(GroupPicture.commonItem(["b", "a", "b"]) == "b")
    #expect(GroupPicture.commonItem(["b", "a"]) == "a" && GroupPicture.commonItem(["a", "b"]) == "a")
  }

  @Test("F75: a film's length is read from the activity of mpv's plugin, and from nothing else")
  func film() {
    func read(_ text: String) -> WatchedFilm? { WatchedFilm(payload: Array(text.utf8)) }
    #expect(read("film.mkv\0size=10\0duration=7000\0")?.duration == 7_000)
    #expect(read("film.mkv")?.item == "film.mkv" && read("film.mkv")?.duration == nil)
    for wrong in ["film\0duration=-1\0", "film\0duration=1x", "film\0duration=99999999999999999999", "duration=5"] {
      #expect(read(wrong)?.duration == nil, "\(wrong)")
    }
    #expect(read("") == nil && read("\0duration=1\0") == nil && WatchedFilm(payload: [0xFF, 0xFE]) == nil)
  }

  /// Three in a film, one of whom is waited for.
  private func picture() -> GroupPicture {
    var picture = GroupPicture(connection: "connected", isConnected: true, hub: "192.0.2.2:7400")
    picture.item = "film.mkv"
    picture.duration = 6_000 * Self.second
    picture.motion = .waiting
    picture.position = 3_000 * Self.second
    (picture.clockError, picture.roundTrip) = (130_000, 48_000)
    picture.people = [
      .init(name: "Ann", doing: .ready, position: 3_000 * Self.second, skew: 0, clockError: 100_000, roundTrip: 0),
      .init(name: "Ben", doing: .waitedFor(reason: ""), position: 3_000 * Self.second, skew: nil, clockError: nil, roundTrip: nil),
      .init(name: "山田太郎と長い名前の友達", doing: .elsewhere(item: "other"), position: nil, skew: nil, clockError: nil, roundTrip: nil),
    ]
    picture.events = (1...10).map { .init(time: "20:15:0\($0 % 10)", text: "event \($0)") }
    return picture
  }

  private func text(_ picture: GroupPicture, _ columns: Int, _ rows: Int, colour: Bool = false) -> [String] {
    GroupDrawing(picture: picture, columns: columns, rows: rows).lines.map { $0.written(columns: columns, colour: colour) }
  }

  @Test("F75: at 80 columns and 24 rows everybody, the time line, who is waited for and the last events are seen")
  func usualTerminal() {
    let lines = text(picture(), 80, 24)
    #expect(
      Array(lines.prefix(12)) == [
        "\"film.mkv\"  about to start at 0:50:00.0 of 1:40:00",
        "connected through 192.0.2.2:7400  clock here ±0.1 ms, round trip 0.0 ms  3 here",
        "",
        "  who            state                  position       skew     clock round trip",
        "1 Ann            stands, ready         0:50:00.0    +0.0 ms   ±0.1 ms     0.0 ms",
        "2 Ben            waited for: loads     0:50:00.0                                ",
        "3 山田太郎と長…  at \"other\"                                                     ",
        "",
        "        " + String(repeating: " ", count: 32) + "2" + String(repeating: " ", count: 31),
        "        " + String(repeating: " ", count: 32) + "1" + String(repeating: " ", count: 31),
        "0:00:00 " + String(repeating: "━", count: 32) + "●" + String(repeating: "─", count: 31) + " 1:40:00",
        "waits for Ben (loads)",
      ])
    #expect(lines.last == "20:15:00  event 10")
    #expect(lines.count == 23)
  }

  @Test("F75: no line is wider than the terminal and no picture higher, whatever it is", arguments: [1, 20, 79, 80, 200])
  func sizes(_ columns: Int) {
    for rows in [1, 5, 12, 24, 60] {
      for people in [0, 1, 3, 50] {
        var picture = picture()
        picture.people = (0..<people).map { picture.people[$0 % 3] }
        let lines = text(picture, columns, rows)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { ColumnText.width($0) <= columns })
      }
    }
  }

  @Test("F75: a wide terminal gives its columns to names, states and the time line")
  func wide() {
    let lines = text(picture(), 200, 24)
    #expect(lines[6].hasPrefix("3 山田太郎と長い名前の友達 "))
    #expect(ColumnText.width(lines[10]) == 200)
  }

  @Test("F75: of more people than there are rows the rest is counted")
  func many() {
    var picture = picture()
    picture.people = (1...50).map { .init(name: "P\($0)", doing: .ready, position: 0) }
    let lines = text(picture, 80, 24)
    #expect(lines.contains { $0.hasPrefix("  and ") && $0.hasSuffix(" more") })
    #expect(lines.contains { $0.hasPrefix("0:00:00 ") }, "the time line stays")
  }

  @Test("F75: without colour there is not a byte that controls the terminal; with it the text is the same")
  func colour() {
    let plain = text(picture(), 80, 24)
    #expect(!plain.joined().contains("\u{1B}"))
    let coloured = text(picture(), 80, 24, colour: true)
    #expect(coloured.joined().contains("\u{1B}[33m"))
    #expect(coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
  }

  @Test("F75: a skew is good, doubtful or bad by what is heard of it")
  func skews() {
    func style(_ skew: Int64) -> StyledLine.Style? {
      var picture = picture()
      picture.people[0].skew = skew
      let parts = GroupDrawing(picture: picture, columns: 80, rows: 24).lines[4].parts
      return parts.first { $0.text.hasSuffix("ms ") }?.style
    }
    #expect((style(24_000_000), style(-30_000_000), style(150_000_000)) == (.good, .doubtful, .bad))
  }

  @Test("F75: without a length the time line ends at a round time that everybody is before")
  func end() {
    var picture = picture()
    picture.duration = nil
    #expect(GroupDrawing.end(picture) == 3_600 * Self.second)
    picture.position = .max
    #expect(GroupDrawing.end(picture) == 6_000_000 * Self.second)
  }

  @Test("F75: a record is one line of JSON with everything that the picture shows")
  func record() throws {
    var picture = picture()
    picture.people[0].name = "A\"nn\\\u{1}"
    let line = GroupRecord(picture: picture, events: [.init(time: "20:15:00", text: "Ann paused")]).line
    #expect(!line.contains("\n"))
    let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(read["item"] as? String == "film.mkv" && read["motion"] as? String == "waiting")
    #expect(read["position"] as? Double == 3_000 && read["duration"] as? Double == 6_000)
    let people = try #require(read["participants"] as? [[String: Any]])
    #expect(people.count == 3 && people[0]["name"] as? String == "A\"nn\\\u{1}")
    #expect(people[2]["position"] is NSNull && people[2]["detail"] as? String == "other")
    let waits = try #require(read["waiting_for"] as? [[String: String]])
    #expect(waits == [["name": "Ben", "reason": ""]])
    #expect((read["events"] as? [[String: String]]) == [["time": "20:15:00", "text": "Ann paused"]])
  }

  @Test("F75: what changes by itself is no change")
  func changes() {
    var later = picture()
    later.position = 3_001 * Self.second
    later.people[0].skew = 5
    later.clockError = 7
    #expect(later.withoutMeasures == picture().withoutMeasures)
    later.people[1].doing = .ready
    #expect(later.withoutMeasures != picture().withoutMeasures)
  }
}
