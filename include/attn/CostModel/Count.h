//===- Count.h - Exact counts beyond 64 bits --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ledger counts elements, bytes and operations exactly. One million tokens
// times many heads passes 2^64 operations, so counts are 128 bits wide;
// Problem::check refuses problems whose counts could leave even that range, and
// no other code needs to think about overflow.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_COUNT_H
#define ATTN_COSTMODEL_COUNT_H

#include <cstdint>
#include <string>

namespace attn {

using Count = __int128;

/// The decimal digits of `count`; with `grouped`, a comma every three digits.
std::string toString(Count count, bool grouped = false);

inline double toDouble(Count count) { return static_cast<double>(count); }

} // namespace attn

#endif // ATTN_COSTMODEL_COUNT_H
