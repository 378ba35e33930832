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
  static let noFile = HTTPAnswer(status: 404, sentence: "There is no such file here.")
  static let noMethod = HTTPAnswer(status: 405, sentence: "Files are had by GET and HEAD.")
  static let longTarget = HTTPAnswer(status: 414, sentence: "The target is too long.")
  static let otherState = HTTPAnswer(status: 412, sentence: "The file is another one now.")
  static let otherHost = HTTPAnswer(
    status: 421, sentence: "This hub has no pages by that name. Its operator gives it one with --advertise or --origin.")
  static let full = HTTPAnswer(
    status: 503, sentence: "There is no place at this hub for your address just now.")
  static let noWebSocket = HTTPAnswer(
    status: 426, sentence: """
      This is a Unisono hub: it forwards sealed messages between people who watch together. Open the invite you were \
      given instead.
      """,
    fields: ["Upgrade: websocket", "Sec-WebSocket-Version: 13"])

  /// `location`: of this site, in ASCII without blanks.
  static func moved(to location: String) -> HTTPAnswer {
    HTTPAnswer(status: 307, sentence: "The page is at \(location).", fields: ["Location: \(location)"])
  }

  /// A range that a file of `size` bytes has nothing of.
  static func outside(of size: UInt64) -> HTTPAnswer {
    HTTPAnswer(status: 416, sentence: "The file ends before that.", fields: ["Content-Range: bytes */\(size)"])
  }

  /// As it is sent. `withBody` false: for HEAD.
  func bytes(withBody: Bool = true) -> [UInt8] {
    HTTPResponse(status, sentence + "\n", fields: fields).bytes(withBody: withBody)
  }
}
