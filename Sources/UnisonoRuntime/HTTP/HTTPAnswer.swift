/// Answer to an HTTP request that leads nowhere: a status, and a sentence for the person who reads it. The connection ends with it.
package struct HTTPAnswer: Error, Equatable, Sendable {
  package var status: Int
  var sentence: String
  /// Further lines of the head, each "Name: value".
  var fields: [String] = []

  static func bad(_ sentence: String) -> HTTPAnswer { HTTPAnswer(status: 400, sentence: sentence) }

  static let noRequest = bad("The first line is no request of HTTP/1.1.")

  static let tooLong = HTTPAnswer(
    status: 431, sentence: "A hub reads \(HTTPHeadReader.limit) bytes and 64 fields of a request.")
  static let tooLate = HTTPAnswer(
    status: 408, sentence: "The request was not complete within 5 s.")
  static let notFound = HTTPAnswer(
    status: 404, sentence: "This is a Unisono hub. It has no such page.")
  static let full = HTTPAnswer(
    status: 503, sentence: "There is no place at this hub for your address just now.")
  static let noWebSocket = HTTPAnswer(
    status: 426, sentence: """
      This is a Unisono hub: it forwards sealed messages between people who watch together. Open the invite you were \
      given instead.
      """,
    fields: ["Upgrade: websocket", "Sec-WebSocket-Version: 13"])

  /// As it is sent.
  var bytes: [UInt8] { HTTPResponse(status, sentence + "\n", fields: fields).bytes() }
}
