import Logging
import Testing

@testable import unisono_cli

@Suite struct AskingTests {
  private let person = NotificationPerson(program: "notify-send", log: Logger(label: "test"))

  @Test("F52: a notification shows who, for what and the digits; strangers' texts are no markup and no option")
  func notification() {
    let arguments = person.arguments(
      Question(title: "--help", text: "\"<b>Ann</b> & $(id)\" asks this device to take part.", digits: "012345"))
    #expect(Array(arguments.suffix(3).prefix(2)) == ["--", "--help"])
    #expect(arguments.last == "\"&lt;b&gt;Ann&lt;/b&gt; &amp; $(id)\" asks this device to take part.\n<b>012 345</b>")
    #expect(arguments.first == "notify-send")
    let link = person.arguments(Question(title: "Watch", text: "Open an invitation?"))
    #expect(link.last == "Open an invitation?")
  }
}
