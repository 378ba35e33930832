/// An answer of HTTP/1.1, after which the connection ends.
struct HTTPResponse: Equatable {
  var status: Int
  var type = "text/plain; charset=utf-8"
  var body: String

  init(_ status: Int, _ body: String? = nil) {
    self.status = status
    self.body = body ?? "\(Self.reason(of: status).lowercased())\n"
  }

  /// `withBody` false: for HEAD.
  func bytes(withBody: Bool = true) -> [UInt8] {
    let content = Array(body.utf8)
    let allow = status == 405 ? "Allow: GET, HEAD\r\n" : ""
    let head =
      "HTTP/1.1 \(status) \(Self.reason(of: status))\r\nContent-Type: \(type)\r\nContent-Length: \(content.count)\r\n"
      + "\(allow)Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + (withBody ? content : [])
  }

  private static func reason(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Bad Request"
    }
  }
}
