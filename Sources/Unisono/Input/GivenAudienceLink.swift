import UnisonoCrypto

/// The listening link that a host gives, or the failure that says which part of it is wrong, or that it is an invite.
func givenAudienceLink(_ pointer: UnsafePointer<CChar>?) throws(Failure) -> AudienceLink {
  let text = try InputText.required(pointer, atMost: Invite.maximumLength, "link")
  do throws(InviteError) {
    return try AudienceLink(parsing: text)
  } catch {
    throw Failure(error.isVersion ? .UNISONO_EVERSION : .UNISONO_EINVAL, error.message)
  }
}
