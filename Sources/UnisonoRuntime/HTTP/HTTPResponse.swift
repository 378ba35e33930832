/// An answer of HTTP/1.1, after which the connection ends.
package struct HTTPResponse: Equatable, Sendable {
  package var status: Int
  package var type = "text/plain; charset=utf-8"
  package var body: String
  /// Further lines of the head, each "Name: value".
  package var fields: [String]

  /// `body` nil: the status in words.
  package init(_ status: Int, _ body: String? = nil, fields: [String] = []) {
    self.status = status
    self.body = body ?? "\(Self.reason(of: status).lowercased())\n"
    self.fields = fields
  }

  /// As it is sent. `withBody` false: for HEAD.
  package func bytes(withBody: Bool = true) -> [UInt8] {
    let content = Array(body.utf8)
    let common = ["Content-Type: \(type)", "Content-Length: \(content.count)", "Cache-Control: no-store"]
    return Self.head(status, common + (status == 405 ? ["Allow: GET, HEAD"] : []) + fields) + (withBody ? content : [])
  }

  /// Status line and fields, with the empty line: what comes before a body.
  static func head(_ status: Int, _ fields: [String]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) \(reason(of: status))"] + fields + ["Connection: close"]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func reason(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 206: "Partial Content"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 416: "Range Not Satisfiable"
    case 421: "Misdirected Request"
    case 426: "Upgrade Required"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Bad Request"
    }
  }
}
