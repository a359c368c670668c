//===- EmulatorDevice.h - launches on the PTX emulator ----------*- C++ -*-===//
//
// The launch ABI on lib/Emulator. Every call is synchronous, so streams and
// events order nothing. Each allocation is a buffer of its own with its true
// extent, which is what the emulator's checks go by. Host memory that kernels
// may reach (registered, or allocated as shared) has a mirror on the device,
// copied there before a launch that is given its address and back after it.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_EMULATORDEVICE_H
#define ATTN_RUNTIME_EMULATORDEVICE_H

#include "attn/Runtime/LaunchDevice.h"

namespace mlir::attn {

std::unique_ptr<LaunchDevice>
createEmulatorDevice(const ::attn::emulator::LaunchOptions &options = {});

} // namespace mlir::attn

#endif // ATTN_RUNTIME_EMULATORDEVICE_H
