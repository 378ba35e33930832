"""ML-KEM-768's encapsulation with its randomness as an input (FIPS 203, 6.2), which no library of Python gives.

Slow, and for vectors only: whatever it makes is opened again by `cryptography`.
"""

import hashlib

Q, N, K = 3329, 256, 3
DU, DV = 10, 4


def _reversed(value):
    return int(f"{value:07b}"[::-1], 2)


ZETAS = [pow(17, _reversed(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * _reversed(i) + 1, Q) for i in range(128)]


def _ntt(f):
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i + 1
            for j in range(start, start + length):
                t = zeta * f[j + length] % Q
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
        length //= 2
    return f


def _inverse_ntt(f):
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i - 1
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, zeta * (f[j + length] - t) % Q
        length *= 2
    return [value * 3303 % Q for value in f]


def _product(f, g):
    out = []
    for i in range(128):
        (a0, a1), (b0, b1) = f[2 * i : 2 * i + 2], g[2 * i : 2 * i + 2]
        out += [(a0 * b0 + a1 * b1 * GAMMAS[i]) % Q, (a0 * b1 + a1 * b0) % Q]
    return out


def _sum(*polynomials):
    return [sum(values) % Q for values in zip(*polynomials)]


def _bits(data):
    return [byte >> bit & 1 for byte in data for bit in range(8)]


def _decode(data, width):
    bits = _bits(data)
    return [sum(bit << at for at, bit in enumerate(bits[i : i + width])) for i in range(0, len(bits), width)]


def _encode(values, width):
    whole = sum(value << width * at for at, value in enumerate(values))
    return whole.to_bytes(width * len(values) // 8, "little")


def _compress(values, width):
    return [((value << width) + Q // 2) // Q % (1 << width) for value in values]


def _sample_ntt(seed):
    stream, out = hashlib.shake_128(seed).digest(2048), []
    for at in range(0, len(stream), 3):
        a, b, c = stream[at : at + 3]
        out += [value for value in (a + 256 * (b % 16), b // 16 + 16 * c) if value < Q]
        if len(out) >= N:
            return out[:N]
    raise AssertionError("2,048 bytes are enough for every seed that will be met")


def _small(seed, number):
    """A polynomial of the centred binomial distribution, eta 2."""
    bits = _bits(hashlib.shake_256(seed + bytes([number])).digest(128))
    return [(bits[i] + bits[i + 1] - bits[i + 2] - bits[i + 3]) % Q for i in range(0, 4 * N, 4)]


def encapsulate(public, m):
    """Encapsulated key (1,088 bytes) and secret; `m`: 32 bytes that are random elsewhere."""
    digest = hashlib.sha3_512(m + hashlib.sha3_256(public).digest()).digest()
    secret, r = digest[:32], digest[32:]
    t = [_decode(public[384 * i : 384 * (i + 1)], 12) for i in range(K)]
    rho = public[384 * K :]
    y = [_ntt(_small(r, i)) for i in range(K)]
    out = b""
    for i in range(K):
        column = [_product(_sample_ntt(rho + bytes([i, j])), y[j]) for j in range(K)]
        out += _encode(_compress(_sum(_inverse_ntt(_sum(*column)), _small(r, K + i)), DU), DU)
    message = [bit * (Q + 1) // 2 for bit in _bits(m)]
    v = _sum(_inverse_ntt(_sum(*(_product(t[i], y[i]) for i in range(K)))), _small(r, 2 * K), message)
    return out + _encode(_compress(v, DV), DV), secret
