//===- TilePermission.cpp - May this process use matrix tiles? ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/TilePermission.h"

#if defined(__linux__) && defined(__x86_64__)
#include <unistd.h>
#endif

bool attn::requestTilePermission() {
#if defined(__linux__) && defined(__x86_64__)
  return syscall(kArchPrctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}
