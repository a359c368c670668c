//===- TilePermission.h - May this process use matrix tiles? ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of x86's AMX are 8 KiB of state for each thread, which Linux gives
// only to processes that ask (Documentation/arch/x86/xstate.rst). Without the
// permission the first tile instruction is a fault.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_TILEPERMISSION_H
#define ATTN_SUPPORT_TILEPERMISSION_H

namespace attn {

/// arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA): the request, and what is asked
/// for.
constexpr int kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18;

/// Asks for tiles for all threads of this process, now and later; true if they
/// are granted. May be called again.
bool requestTilePermission();

} // namespace attn

#endif // ATTN_SUPPORT_TILEPERMISSION_H
