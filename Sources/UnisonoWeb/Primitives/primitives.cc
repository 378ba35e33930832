// BoringSSL's functions behind primitives.h. Nothing here has state of its own.

#include "primitives.h"

#include <stdlib.h>
#include <string.h>

#include <CCryptoBoringSSL_aead.h>
#include <CCryptoBoringSSL_bytestring.h>
#include <CCryptoBoringSSL_curve25519.h>
#include <CCryptoBoringSSL_hpke.h>
#include <CCryptoBoringSSL_mem.h>
#include <CCryptoBoringSSL_rand.h>
#include <CCryptoBoringSSL_sha2.h>
#include <CCryptoBoringSSL_xwing.h>

static_assert(sizeof(primitives_sha256) == sizeof(SHA256_CTX), "the state has BoringSSL's size");
static_assert(alignof(primitives_sha256) >= alignof(SHA256_CTX), "and its alignment");

namespace {

SHA256_CTX *context(primitives_sha256 *state) { return reinterpret_cast<SHA256_CTX *>(state); }

/// An Ed25519 private key as BoringSSL wants it; gone at the end of its scope.
struct SigningKey {
  uint8_t public_key[32];
  uint8_t bytes[64];

  explicit SigningKey(const uint8_t seed[32]) { ED25519_keypair_from_seed(public_key, bytes, seed); }
  ~SigningKey() { OPENSSL_cleanse(bytes, sizeof bytes); }
};

/// An X-Wing private key, some kilobytes when it is unfolded.
struct HybridKey {
  XWING_private_key key;

  explicit HybridKey(const uint8_t seed[32]) {
    CBS bytes;
    CBS_init(&bytes, seed, XWING_PRIVATE_KEY_BYTES);
    // Every 32 bytes are a seed.
    if (!XWING_parse_private_key(&key, &bytes)) abort();
  }
  ~HybridKey() { OPENSSL_cleanse(&key, sizeof key); }
};

struct Context {
  bssl::ScopedEVP_HPKE_CTX context;
  const EVP_HPKE_KEM *kem;
  size_t encapsulated;

  explicit Context(int32_t kind)
      : kem(kind == PRIMITIVES_HYBRID ? EVP_hpke_xwing() : EVP_hpke_x25519_hkdf_sha256()), encapsulated(EVP_HPKE_KEM_enc_len(kem)) {}
};

constexpr size_t tag = 16;

}  // namespace

void primitives_sha256_begin(primitives_sha256 *state) { SHA256_Init(context(state)); }

void primitives_sha256_add(primitives_sha256 *state, const uint8_t *bytes, size_t count) {
  SHA256_Update(context(state), bytes, count);
}

void primitives_sha256_end(primitives_sha256 *state, uint8_t hash[32]) { SHA256_Final(hash, context(state)); }

int primitives_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *head, size_t head_count, const uint8_t *plain,
                    size_t count, uint8_t *sealed) {
  bssl::ScopedEVP_AEAD_CTX cipher;
  size_t written = 0;
  return EVP_AEAD_CTX_init(cipher.get(), EVP_aead_aes_256_gcm(), key, 32, tag, nullptr) &&
         EVP_AEAD_CTX_seal(cipher.get(), sealed, &written, count + tag, nonce, 12, plain, count, head, head_count);
}

int primitives_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *head, size_t head_count, const uint8_t *sealed,
                    size_t count, uint8_t *plain) {
  if (count < tag) return 0;
  bssl::ScopedEVP_AEAD_CTX cipher;
  size_t written = 0;
  return EVP_AEAD_CTX_init(cipher.get(), EVP_aead_aes_256_gcm(), key, 32, tag, nullptr) &&
         EVP_AEAD_CTX_open(cipher.get(), plain, &written, count - tag, nonce, 12, sealed, count, head, head_count);
}

void primitives_signing_key(const uint8_t seed[32], uint8_t public_key[32]) {
  memcpy(public_key, SigningKey(seed).public_key, 32);
}

void primitives_sign(const uint8_t seed[32], const uint8_t *text, size_t count, uint8_t signature[64]) {
  if (!ED25519_sign(signature, text, count, SigningKey(seed).bytes)) abort();
}

int primitives_verify(const uint8_t public_key[32], const uint8_t signature[64], const uint8_t *text, size_t count) {
  return ED25519_verify(text, count, signature, public_key);
}

void primitives_agreement_key(const uint8_t scalar[32], uint8_t public_key[32]) { X25519_public_from_private(public_key, scalar); }

int primitives_agree(const uint8_t scalar[32], const uint8_t public_key[32], uint8_t secret[32]) {
  return X25519(secret, scalar, public_key);
}

void primitives_hybrid_key(const uint8_t seed[32], uint8_t public_key[1216]) {
  HybridKey key(seed);
  if (!XWING_public_from_private(public_key, &key.key)) abort();
}

int primitives_encapsulate(const uint8_t public_key[1216], uint8_t secret[32], uint8_t encapsulated[1120]) {
  return XWING_encap(encapsulated, secret, public_key);
}

int primitives_decapsulate(const uint8_t seed[32], const uint8_t encapsulated[1120], uint8_t secret[32]) {
  HybridKey key(seed);
  return XWING_decap(secret, encapsulated, &key.key);
}

int primitives_hpke_seal(int32_t kind, const uint8_t *public_key, const uint8_t *info, size_t info_count, const uint8_t *plain,
                         size_t count, uint8_t *sealed) {
  Context hpke(kind);
  size_t written = 0;
  return EVP_HPKE_CTX_setup_sender(hpke.context.get(), sealed, &written, hpke.encapsulated, hpke.kem, EVP_hpke_hkdf_sha256(),
                                   EVP_hpke_aes_256_gcm(), public_key, EVP_HPKE_KEM_public_key_len(hpke.kem), info, info_count) &&
         EVP_HPKE_CTX_seal(hpke.context.get(), sealed + hpke.encapsulated, &written, count + tag, plain, count, nullptr, 0);
}

int primitives_hpke_open(int32_t kind, const uint8_t private_key[32], const uint8_t *info, size_t info_count, const uint8_t *sealed,
                         size_t count, uint8_t *plain) {
  Context hpke(kind);
  if (count < hpke.encapsulated + tag) return 0;
  bssl::ScopedEVP_HPKE_KEY key;
  size_t rest = count - hpke.encapsulated, written = 0;
  return EVP_HPKE_KEY_init(key.get(), hpke.kem, private_key, 32) &&
         EVP_HPKE_CTX_setup_recipient(hpke.context.get(), key.get(), EVP_hpke_hkdf_sha256(), EVP_hpke_aes_256_gcm(), sealed,
                                      hpke.encapsulated, info, info_count) &&
         EVP_HPKE_CTX_open(hpke.context.get(), plain, &written, rest - tag, sealed + hpke.encapsulated, rest, nullptr, 0);
}

void primitives_overwrite(void *bytes, size_t count) { OPENSSL_cleanse(bytes, count); }

void primitives_random(uint8_t *bytes, size_t count) {
  if (!RAND_bytes(bytes, count)) abort();
}
