import Foundation
import Testing
import UnisonoBase

@testable import Unisono

@Suite("Refusals name the function that was called") struct OperationNameTests {
  private let operations = UnisonoBase.Operation.allCases

  @Test("each operation has the name of one function of the headers, and no two have the same")
  func declared() throws {
    let headers = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../include").standardizedFileURL
    let text = try FileManager.default.contentsOfDirectory(at: headers, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "h" }.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for operation in operations { #expect(text.contains("\(operation.functionName)("), "\(operation)") }
    #expect(Set(operations.map(\.functionName)).count == operations.count)
  }

  @Test("what a session refuses comes to its own callbacks, all else to its coordinator")
  func addressee() {
    for operation in operations {
      #expect(operation.isOfSession == operation.functionName.hasPrefix("unisono_session_"), "\(operation)")
    }
  }
}
