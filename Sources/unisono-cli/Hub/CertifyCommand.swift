import ArgumentParser
import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// `unisono hub certify`: prints a certificate, by which a hub is taken for one of a set by whoever pins the set's id.
struct CertifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certify",
    abstract: "Prints a certificate that a hub is one of a set, by which whoever knows the set's id takes it.",
    discussion: """
      The hub runs with it as --certificate, and prints lines with the set's id from then on: sessions whose invites name that \
      id go to any hub of the set. The authority's key signs certificates and does nothing else. It need not lie on any hub, nor on \
      any machine of theirs; it is not the --set-key, by which the hubs hear each other.

      A certificate that is not renewed is over: so a hub is taken out of the set.
      """)

  @Option(
    name: .customLong("authority-key"),
    help: ArgumentHelp("Keeps the key by which the set certifies its hubs; made if it is not there.", valueName: "file"))
  var authorityKey: String

  @Option(help: ArgumentHelp("The hub's own id, or its line, as it prints it without a certificate.", valueName: "id"))
  var hub: String

  @Option(help: "For so many days it is good, 1...366.")
  var days = 30

  func validate() throws {
    do throws(NetworkError) { _ = try hubID() } catch { throw ValidationError(error.message) }
    if !(1...366).contains(days) { throw ValidationError("--days is \(days); it must be 1...366") }
  }

  func run() throws {
    do throws(NetworkError) {
      let authority = SigningKey(seed: try KeyFile.load(authorityKey))
      let hub = try hubID()
      if hub == authority.publicKey.hashedID {
        throw NetworkError("--hub is the id of the set itself; the hub's own is in its line without a certificate, and in its log")
      }
      let certificate = HubCertificate(of: hub, by: authority, until: CalendarHour.now + UInt32(days) * 24)
      let about = Array("set \(HubLine.text(of: certificate.set)), hub \(HubLine.text(of: hub)), good for \(days) days\n".utf8)
      _ = write(STDERR_FILENO, about, about.count)
      print(certificate.text)
    } catch {
      throw ValidationError(error.message)
    }
  }

  private func hubID() throws(NetworkError) -> [UInt8] {
    do throws(HubLineError) {
      return try HubLine.id(in: hub)
    } catch {
      throw NetworkError("--hub: \(error.message)")
    }
  }
}
