import UnisonoCrypto

/// The invite that a host gives, or the failure that says which part of it is wrong.
func givenInvite(_ pointer: UnsafePointer<CChar>?) throws(Failure) -> Invite {
  let text = try InputText.required(pointer, atMost: Invite.maximumLength, "invite")
  do throws(InviteError) {
    return try Invite(parsing: text)
  } catch {
    throw Failure(error.isVersion ? .UNISONO_EVERSION : .UNISONO_EINVAL, error.message)
  }
}
