//===- Philox.cpp - Range checks of attn.keep -------------------*- C++ -*-===//
#include "attn/Support/Philox.h"

static llvm::Error checkBelow(const char *what, uint64_t size, int bits) {
  if (size <= uint64_t(1) << bits)
    return llvm::Error::success();
  return llvm::createStringError(llvm::Twine("dropout: expected ") + what +
                                 " of at most 2^" + llvm::Twine(bits) +
                                 ", the range of its counter word, got " +
                                 llvm::Twine(size));
}

llvm::Error attn::checkKeepRange(double p, uint64_t m, uint64_t n, uint64_t w) {
  if (!(p >= 0.0 && p <= 1.0))
    return llvm::createStringError("dropout: expected a probability in [0, 1], "
                                   "got %g",
                                   p);
  if (llvm::Error error = checkBelow("a last row dim", m, 33))
    return error;
  if (llvm::Error error = checkBelow("a product of key dims", n, 33))
    return error;
  return checkBelow("a product of batch and other row dims", w, 32);
}
