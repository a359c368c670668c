//===- HostClones.h - Functions built for several hosts ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// A function that is marked so is compiled for plain x86-64, AVX2 and AVX-512;
// which one runs is decided when the program starts. For short loops over lanes
// that are no operation of PTX: those are in Lanes/.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_HOSTCLONES_H
#define ATTN_LIB_EMULATOR_HOSTCLONES_H

#if defined(ATTN_EMULATOR_X86) && defined(__ELF__)
#define ATTN_HOST_CLONES                                                       \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ATTN_HOST_CLONES
#endif

#endif // ATTN_LIB_EMULATOR_HOSTCLONES_H
