"""Philox4x32-10 (Salmon et al., SC 2011) and attn.keep, in numpy."""
import numpy as np


def philox4x32(c, k):
    """Counter and key words are uint64 arrays below 2**32."""
    low, (c0, c1, c2, c3), (k0, k1) = np.uint64(0xFFFFFFFF), c, k
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1 = b >> np.uint64(32) ^ c1 ^ k0, b & low
        c2, c3 = a >> np.uint64(32) ^ c3 ^ k1, a & low
        k0, k1 = k0 + np.uint64(0x9E3779B9) & low, k1 + np.uint64(0xBB67AE85) & low
    return c0, c1, c2, c3


def keep(p, seed, offset, m, n, w):
    """attn.keep: the factor 0 or 1 / (1 - p) at row m, key n, slice w."""
    u = lambda a: np.asarray(a).astype(np.uint64)
    seed, offset, low = int(seed) % 2**64, int(offset) % 2**64, 2**32 - 1
    counter = u(n >> 1), u(m >> 4 << 3 | m & 7), u(w), u(offset & low)
    key = u(seed & low), u(seed >> 32 ^ offset >> 32)
    words = np.stack(np.broadcast_arrays(*philox4x32(counter, key)))
    word = np.broadcast_to((n & 1) | (m >> 3 & 1) << 1, words.shape[1:])
    kept = np.take_along_axis(words, word[None], 0)[0] >= u(int(p * 2**32))
    return np.where(kept, 1 / (1 - p) if p < 1 else np.inf, 0.0)
