//===- AtomicOps.h - The functions of atom and red --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_ATOMICOPS_H
#define ATTN_LIB_EMULATOR_ATOMICOPS_H

#include "Ast.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace attn::emulator {

/// New value from the old one and the operands b, c; all as raw bits.
using AtomicFunction = uint64_t (*)(uint64_t old, uint64_t b, uint64_t c);

/// Null if there is no such atomic.
AtomicFunction selectAtomic(llvm::StringRef operation, Type type);
/// A function that `selectAtomic` returned, as a small number and back.
unsigned atomicIndex(AtomicFunction function);
AtomicFunction atomicAt(unsigned index);

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_ATOMICOPS_H
