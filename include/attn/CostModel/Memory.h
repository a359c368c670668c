//===- Memory.h - Activations kept for the backward -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Training keeps what the backward reads. Two questions are answered, both as
// functions of the sequence length N:
//
//   of one attention   P (heads x N x N) for the unfused backward against the
//                      row statistics m and l, two f32 per head and row
//   of a model         per layer `linearTensors` of N x modelDim and, unfused,
//                      `quadraticTensors` of heads x N x N
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_MEMORY_H
#define ATTN_COSTMODEL_MEMORY_H

#include "attn/CostModel/Count.h"

namespace attn {

/// A transformer as far as its activations are concerned.
struct ModelShape {
  int64_t batch = 1;
  int64_t modelDim = 3072;
  int64_t heads = 24;
  int64_t layers = 32;
  int64_t linearTensors = 6;
  int64_t quadraticTensors = 3;
  int64_t elementBytes = 2;
};

/// Bytes one layer keeps at sequence length `length`.
Count layerBytesUnfused(const ModelShape &model, int64_t length);
Count layerBytesFused(const ModelShape &model, int64_t length);

/// Bytes one attention of `heads` heads in all keeps: P alone, and m and l.
Count probabilityBytes(int64_t heads, int64_t rows, int64_t keys,
                       int64_t elementBytes);
Count statisticsBytes(int64_t heads, int64_t rows);

} // namespace attn

#endif // ATTN_COSTMODEL_MEMORY_H
