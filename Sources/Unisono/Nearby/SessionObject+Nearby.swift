import CUnisono
import UnisonoCrypto

extension SessionObject {
  /// The invite as it is now, for devices nearby.
  func parsedInvite() throws(Failure) -> Invite {
    guard !isDead else { throw Failure(.UNISONO_ESTATE, "the session was destroyed") }
    let text = String(decoding: try invite(), as: UTF8.self)
    do throws(InviteError) {
      return try Invite(parsing: text)
    } catch {
      throw Failure(.UNISONO_EINTERNAL, "the session's invite cannot be read: \(error.message)")
    }
  }
}
