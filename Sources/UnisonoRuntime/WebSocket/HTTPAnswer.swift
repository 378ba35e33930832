/// Answer to an HTTP request that leads to no WebSocket: a status, and a sentence for the person who reads it. The connection ends with it.
struct HTTPAnswer: Error, Equatable, Sendable {
  var status: Int
  var reason: String
  var sentence: String
  /// Further lines of the head, each "Name: value".
  var fields: [String] = []

  static func bad(_ sentence: String) -> HTTPAnswer {
    HTTPAnswer(status: 400, reason: "Bad Request", sentence: sentence)
  }

  static let tooLong = HTTPAnswer(
    status: 431, reason: "Request Header Fields Too Large",
    sentence: "A hub reads \(HTTPHeadReader.limit) bytes and 64 fields of a request.")
  static let tooLate = HTTPAnswer(
    status: 408, reason: "Request Timeout", sentence: "The request was not complete within 5 s.")
  static let notFound = HTTPAnswer(
    status: 404, reason: "Not Found", sentence: "This is a Unisono hub. It has no such page.")
  static let full = HTTPAnswer(
    status: 503, reason: "Service Unavailable", sentence: "There is no place at this hub for your address just now.")
  static let noWebSocket = HTTPAnswer(
    status: 426, reason: "Upgrade Required",
    sentence: """
      This is a Unisono hub: it forwards sealed messages between people who watch together. Open the invite you were \
      given instead.
      """,
    fields: ["Upgrade: websocket", "Sec-WebSocket-Version: 13"])

  /// As it is sent.
  var bytes: [UInt8] {
    let body = sentence + "\n"
    let head =
      [
        "HTTP/1.1 \(status) \(reason)", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(body.utf8.count)",
        "Cache-Control: no-store", "Connection: close",
      ] + fields
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
