//===- Memory.cpp - Activations kept for the backward ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Memory.h"

using namespace attn;

Count attn::layerBytesFused(const ModelShape &model, int64_t length) {
  return Count(model.linearTensors) * model.batch * length * model.modelDim *
         model.elementBytes;
}

Count attn::layerBytesUnfused(const ModelShape &model, int64_t length) {
  return layerBytesFused(model, length) +
         model.quadraticTensors * probabilityBytes(model.batch * model.heads,
                                                   length, length,
                                                   model.elementBytes);
}

Count attn::probabilityBytes(int64_t heads, int64_t rows, int64_t keys,
                             int64_t elementBytes) {
  return Count(heads) * rows * keys * elementBytes;
}

Count attn::statisticsBytes(int64_t heads, int64_t rows) {
  constexpr int64_t statistics = 2, f32Bytes = 4;
  return Count(heads) * rows * statistics * f32Bytes;
}
