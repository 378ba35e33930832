// The cryptography of a place without an operating system: BoringSSL's, each function with plain bytes on both sides.
//
// Sizes are in bytes. A function that returns int gives 1, or 0 where it says so; what it was to write is then without meaning.

#ifndef UNISONO_PRIMITIVES_H
#define UNISONO_PRIMITIVES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// State of SHA-256, for as much as one likes to hash.
struct primitives_sha256 {
  uint32_t words[28];
};

void primitives_sha256_begin(struct primitives_sha256 *state);
void primitives_sha256_add(struct primitives_sha256 *state, const uint8_t *bytes, size_t count);
/// The hash of what was added; the state is used up.
void primitives_sha256_end(struct primitives_sha256 *state, uint8_t hash[32]);

/// AES-256-GCM: `sealed` has room for count + 16. 0: more bytes than the cipher takes.
int primitives_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *head, size_t head_count,
                    const uint8_t *plain, size_t count, uint8_t *sealed);
/// `plain` has room for count - 16. 0: not sealed so, with this key, nonce and head.
int primitives_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *head, size_t head_count,
                    const uint8_t *sealed, size_t count, uint8_t *plain);

/// Ed25519, of a seed.
void primitives_signing_key(const uint8_t seed[32], uint8_t public_key[32]);
void primitives_sign(const uint8_t seed[32], const uint8_t *text, size_t count, uint8_t signature[64]);
/// 0: not this key's, or no key.
int primitives_verify(const uint8_t public_key[32], const uint8_t signature[64], const uint8_t *text, size_t count);

/// X25519.
void primitives_agreement_key(const uint8_t scalar[32], uint8_t public_key[32]);
/// 0: the other key is of low order, and the secret zero.
int primitives_agree(const uint8_t scalar[32], const uint8_t public_key[32], uint8_t secret[32]);

/// X-Wing, of a seed.
void primitives_hybrid_key(const uint8_t seed[32], uint8_t public_key[1216]);
/// 0: a public key whose ML-KEM part is not reduced.
int primitives_encapsulate(const uint8_t public_key[1216], uint8_t secret[32], uint8_t encapsulated[1120]);
/// 0: an X25519 part of low order.
int primitives_decapsulate(const uint8_t seed[32], const uint8_t encapsulated[1120], uint8_t secret[32]);

/// Whom HPKE seals for: base mode with HKDF-SHA256 and AES-256-GCM.
enum primitives_recipient {
  /// X25519: keys of 32 bytes, encapsulated 32.
  PRIMITIVES_AGREEMENT = 0,
  /// X-Wing: public keys of 1,216 bytes, private ones (seeds) of 32, encapsulated 1,120.
  PRIMITIVES_HYBRID = 1,
};

/// `sealed` has room for the encapsulated key, count and 16. 0: no key that one can seal for.
int primitives_hpke_seal(int32_t kind, const uint8_t *public_key, const uint8_t *info, size_t info_count,
                         const uint8_t *plain, size_t count, uint8_t *sealed);
/// `sealed` begins with the encapsulated key; `plain` has room for the rest less 16. 0: not for this key, changed, or another info.
int primitives_hpke_open(int32_t kind, const uint8_t private_key[32], const uint8_t *info, size_t info_count,
                         const uint8_t *sealed, size_t count, uint8_t *plain);

/// Writes zeros, also where nobody reads them any more.
void primitives_overwrite(void *bytes, size_t count);

/// Bytes fit for keys, from the world around the module; ends the module where it has none.
void primitives_random(uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
