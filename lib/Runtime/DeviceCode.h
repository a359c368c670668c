//===- DeviceCode.h - a function whose kernels run on a device --*- C++ -*-===//
//
// Compiled host code with kernels in it, together with the device that its
// launches go to. The launch ABI reaches one device at a time, so loading,
// calls and unloading of all such functions take turns.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RUNTIME_DEVICECODE_H
#define ATTN_LIB_RUNTIME_DEVICECODE_H

#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/LaunchDevice.h"
#include "attn/Runtime/Strided.h"

namespace mlir::attn {

class DeviceCode {
public:
  /// Compiles `module` (LLVM dialect) and loads its kernels on `device`.
  static llvm::Expected<std::unique_ptr<DeviceCode>>
  create(ModuleOp module, const EntryPoint &entry,
         std::unique_ptr<LaunchDevice> device);
  ~DeviceCode();

  /// Calls the function on dense copies of the arguments; results are copied
  /// to where the caller wants them. Types and shapes were checked.
  llvm::Error call(const EntryPoint &entry, ArrayRef<StridedBuffer> arguments,
                   ArrayRef<StridedBuffer> results) const;

private:
  DeviceCode() = default;
  std::unique_ptr<LaunchDevice> device;
  std::unique_ptr<CompiledModule> compiled;
  CompiledModule::PackedFunction function = nullptr;
};

} // namespace mlir::attn

#endif // ATTN_LIB_RUNTIME_DEVICECODE_H
