import ArgumentParser
import UnisonoCrypto

/// An invite as a command is given it: itself, "@FILE": the first line of a file, "-": that of the input.
enum InviteArgument {
  static func read(_ argument: String) throws -> Invite {
    let text: String
    if argument == "-" {
      text = readLine() ?? ""
    } else if argument.hasPrefix("@") {
      do throws(SettingsError) {
        return try kept(in: String(argument.dropFirst()))
      } catch {
        throw ValidationError(error.message)
      }
    } else {
      text = argument
      CommandLineSecret.hide(argument)
    }
    do throws(InviteError) {
      return try Invite(parsing: text)
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// The first line of a file.
  static func kept(in path: String) throws(SettingsError) -> Invite {
    let line = try SettingsFile.text(path).split(separator: "\n").first.map(String.init) ?? ""
    do throws(InviteError) {
      return try Invite(parsing: line)
    } catch {
      throw SettingsError("\(path): \(error.message)")
    }
  }
}
