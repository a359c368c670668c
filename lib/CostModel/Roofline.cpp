//===- Roofline.cpp - A lower bound on time, and what sets it -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Roofline.h"
#include <utility>

using namespace attn;

llvm::StringRef attn::toString(Resource resource) {
  switch (resource) {
  case Resource::Matrix:
    return "matrix";
  case Resource::Exponential:
    return "exponential";
  case Resource::Elementwise:
    return "elementwise";
  case Resource::Memory:
    return "memory";
  }
  return "";
}

llvm::StringRef Roofline::bound() const {
  return resource == Resource::Memory ? "bandwidth" : "compute";
}

Roofline attn::computeRoofline(const Work &work, Count bytes, ElementType type,
                               const Target &target) {
  Roofline roof;
  roof.matrixSeconds = toDouble(work.matrix) / target.matrixRate(type);
  roof.exponentialSeconds =
      toDouble(work.exponential) / target.exponentialRate(type);
  roof.elementwiseSeconds = toDouble(work.other) / target.elementwiseRate(type);
  roof.memorySeconds = toDouble(bytes) / target.memoryBandwidth;
  // Ties go to the memory, then to the products.
  std::pair<Resource, double> roofs[] = {
      {Resource::Memory, roof.memorySeconds},
      {Resource::Matrix, roof.matrixSeconds},
      {Resource::Exponential, roof.exponentialSeconds},
      {Resource::Elementwise, roof.elementwiseSeconds}};
  for (auto [resource, seconds] : roofs)
    if (seconds > roof.seconds) {
      roof.seconds = seconds;
      roof.resource = resource;
    }
  return roof;
}
