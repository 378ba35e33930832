import Glibc
import UnisonoRuntime

/// The folder of the package for browsers, as `make web` makes it and `make install` puts it.
enum WebFolder {
  /// What an option says for the one that is beside this command.
  static let installed = "installed"
  private static let variable = "UNISONO_PAGE"

  /// Beside this command, as the build has it, or in the folder of what programs share; or where the environment says.
  static func find() throws(NetworkError) -> String {
    let search = PartSearch.here("web/unisono", variable: variable)
    let places = search.given.map { [$0] } ?? ["\(search.folder)/\(search.part)", "\(search.parent)/share/unisono/web"]
    guard let place = places.first(where: { fault($0) == nil }) else {
      throw NetworkError(
        "the page for browsers is not there: \(places.joined(separator: ", ")); `make web` makes it; \(variable) says where it is")
    }
    return place
  }

  /// What is wrong with it; nil: nothing.
  static func fault(_ folder: String) -> String? {
    for name in ["page/index.html", "unisono.js", "unisono.wasm"] where access("\(folder)/\(name)", R_OK) != 0 {
      return "\(folder) is not the page for browsers: it has no \(name) that can be read; `make web` makes build/web/unisono"
    }
    return nil
  }
}
