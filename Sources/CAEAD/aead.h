// What a link's records need of BoringSSL's cipher, in the copy of it that swift-crypto brings and links: a key that is expanded once.
//
// swift-crypto expands the key for each message and has no other way, and its own module of BoringSSL is not for those who depend on it.
// These names and types are BoringSSL's (openssl/aead.h), with swift-crypto's prefix. Its version is exact in Package.swift; a name that is
// gone does not link, and `make test-swift` has a compiler compare the types with BoringSSL's own header.

#ifndef UNISONO_AEAD_H
#define UNISONO_AEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evp_aead_st;
struct evp_aead_ctx_st;

/// AES-256-GCM.
const struct evp_aead_st *CCryptoBoringSSL_EVP_aead_aes_256_gcm(void);

/// A key, expanded, in memory of its own, which threads may share; NULL: no memory, or no key of this cipher.
struct evp_aead_ctx_st *CCryptoBoringSSL_EVP_AEAD_CTX_new(const struct evp_aead_st *aead, const uint8_t *key, size_t key_len,
                                                          size_t tag_len);

/// Overwrites the key and frees its memory.
void CCryptoBoringSSL_EVP_AEAD_CTX_free(struct evp_aead_ctx_st *ctx);

/// Writes `in`, sealed, and the tag behind it. 0: there is no room for so much, or the cipher does not take it.
int CCryptoBoringSSL_EVP_AEAD_CTX_seal(const struct evp_aead_ctx_st *ctx, uint8_t *out, size_t *out_len, size_t max_out_len,
                                       const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *ad,
                                       size_t ad_len);

/// Writes what was sealed. 0: not sealed so; what is in `out` is without meaning.
int CCryptoBoringSSL_EVP_AEAD_CTX_open(const struct evp_aead_ctx_st *ctx, uint8_t *out, size_t *out_len, size_t max_out_len,
                                       const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *ad,
                                       size_t ad_len);

#ifdef __cplusplus
}
#endif

#endif
