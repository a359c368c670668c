//===- LaunchDevice.cpp - devices by the name of their executor -----------===//
#include "attn/Runtime/LaunchDevice.h"
#include "attn/Runtime/CudaDevice.h"
#include "attn/Runtime/EmulatorDevice.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::attn;

LaunchDevice::~LaunchDevice() = default;

static llvm::json::Array toJson(const ::attn::emulator::Dim3 &dims) {
  return llvm::json::Array{int64_t(dims.x), int64_t(dims.y), int64_t(dims.z)};
}

llvm::json::Object LaunchRecord::toJson() const {
  llvm::json::Object object;
  if (counts)
    object = std::move(*counts->toJSON().getAsObject());
  object["name"] = kernel;
  object["grid"] = ::toJson(shape.grid);
  object["block"] = ::toJson(shape.block);
  object["shared_bytes"] = int64_t(shape.sharedBytes);
  return object;
}

namespace {
using Options = ::attn::emulator::LaunchOptions;
using Device = llvm::Expected<std::unique_ptr<LaunchDevice>>;
} // namespace

static constexpr llvm::StringRef names[] = {"cpu", "emulator", "cuda"};

llvm::ArrayRef<llvm::StringRef> mlir::attn::executorNames() { return names; }

Device mlir::attn::createExecutor(llvm::StringRef name,
                                  const Options &options) {
  if (name == "cpu")
    return nullptr;
  if (name == "emulator")
    return createEmulatorDevice(options);
  if (name == "cuda")
    return createCudaDevice();
  return llvm::createStringError("--executor: expected one of " +
                                 llvm::join(executorNames(), ", ") + ", got '" +
                                 name + "'");
}
