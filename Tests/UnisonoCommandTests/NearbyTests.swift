import Synchronization
import Testing
import UnisonoNearby

@testable import unisono_cli

@Suite struct NearbyTests {
  private func device(_ number: UInt64, _ name: String, _ intent: NearbyIntent? = .join) -> NearbyDevice {
    NearbyDevice(number: number, name: name, usage: "Watch together", platform: 2, intent: intent, addresses: [])
  }

  @Test("F99: a device keeps its number for as long as one chooses, and who cannot be joined has none")
  func menu() {
    var menu = NearbyMenu()
    #expect(menu.take(.found(device(11, "Ann"))) == "1  Ann")
    #expect(menu.take(.found(device(13, "TV", .invite))) == nil && menu.take(.found(device(15, "Ben"))) == "2  Ben")
    #expect(menu.take(.updated(device(11, "Ann"))) == nil && menu.take(.updated(device(11, "Anna"))) == "1  Anna")
    #expect(menu.take(.lost(device(11, "Anna"))) == "1  Anna is gone")
    #expect((menu.device(typed: "1"), menu.device(typed: "2"), menu.device(typed: "3")) == (nil, 15, nil))
    #expect(["0", "-1", "", "x", "9999999999999999999"].allSatisfy { menu.device(typed: $0) == nil })
    #expect(menu.take(.found(device(11, "Ann"))) == "1  Ann" && menu.device(typed: "1") == 11)
    #expect(!menu.isEmpty)
  }

  @Test("F99: whoever floods the network is listed twenty times and no more")
  func flood() {
    var menu = NearbyMenu()
    let lines = (1...300).compactMap { menu.take(.found(device($0, "d\($0)"))) }
    #expect(lines.count == 20 && menu.device(typed: "21") == nil)
  }

  private final class Sent: Sendable {
    let lines = Mutex<[String]>([])
    let answers = Mutex<[String]>([])
    let said = Mutex<[String]>([])
  }

  @Test("F99: over the film one question stands at a time, and a key answers the one that is shown alone")
  func overTheFilm() {
    let sent = Sent()
    let person = MpvPerson { line in sent.said.withLock { $0.append(line) } }
    func ask(_ number: UInt64, _ text: String) {
      person.ask(number, Question(title: "Watch together", text: text, digits: "123456")) { yes in
        sent.answers.withLock { $0.append("\(number) \(yes)") }
      }
    }
    func press(_ number: UInt64, _ word: String) {
      person.take("{\"event\":\"client-message\",\"args\":[\"unisono-answer-\(number)-\(word)\"]}")
    }
    func shown() -> [String] {
      sent.lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
    func answers() -> [String] { sent.answers.withLock { $0 } }

    ask(1, "\"${path}\\n\" asks")
    person.attach { line in sent.lines.withLock { $0.append(line) } }
    #expect(
      shown() == [
        "{\"command\":[\"keybind\",\"Ctrl+y\",\"script-message unisono-answer-1-yes\"]}\n",
        "{\"command\":[\"keybind\",\"Ctrl+n\",\"script-message unisono-answer-1-no\"]}\n",
        "{\"command\":[\"show-text\",\"Watch together\\n\\\"${path}\\\\n\\\" asks\\nBoth screens must show 123 456.\\nCtrl+y: yes    Ctrl+n: no\","
          + "\"70000\"]}\n",
      ])
    let said = sent.said.withLock { $0 }
    #expect(said == ["\"${path}\\n\" asks", "Both screens must show 123 456.", "Ctrl+y: yes    Ctrl+n: no"])
    ask(2, "Ben asks")
    #expect(shown().isEmpty, "it waits for its turn")
    press(2, "yes")
    person.take("{\"event\":\"client-message\",\"args\":[\"other\"]}")
    person.take("{\"event\":\"property-change\",\"data\":\"unisono-answer-1-yes\"}")
    #expect(answers().isEmpty, "of none of these was the shown question")
    press(1, "yes")
    press(1, "yes")
    #expect(answers() == ["1 true"] && shown().contains { $0.contains("unisono-answer-2-yes") })
    press(2, "no")
    #expect(answers() == ["1 true", "2 false"])
    #expect(shown().last == "{\"command\":[\"show-text\",\"\",\"1\"]}\n")
    ask(3, "Cem asks")
    person.withdraw(3)
    press(3, "yes")
    #expect(answers().count == 2 && shown().contains { $0.contains("\"ignore\"") })
  }
}
