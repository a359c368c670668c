//===- CudaDriver.cpp - the CUDA driver's functions -----------------------===//
#include "CudaDriver.h"
#include "llvm/ADT/Twine.h"
#include <dlfcn.h>

using namespace mlir::attn;

llvm::Expected<CudaDriver> CudaDriver::open(llvm::StringRef library) {
  // Never closed: the driver does not survive that.
  void *handle = dlopen(library.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return llvm::createStringError(
        "expected a GPU with NVIDIA's driver, found no " + library + " (" +
        dlerror() + "); --executor=emulator runs the same kernels here");
  CudaDriver driver;
#define ATTN_CUDA_LOOKUP(name, parameters)                                     \
  driver.name =                                                                \
      reinterpret_cast<CudaResult(*) parameters>(dlsym(handle, "cu" #name));   \
  if (!driver.name)                                                            \
    return llvm::createStringError("expected a newer driver: " + library +     \
                                   " has no function cu" #name);
  ATTN_CUDA_FUNCTIONS(ATTN_CUDA_LOOKUP)
#undef ATTN_CUDA_LOOKUP
  return driver;
}

llvm::Error CudaDriver::check(CudaResult result, const char *function) const {
  if (result == 0)
    return llvm::Error::success();
  const char *text = nullptr;
  GetErrorString(result, &text);
  return llvm::createStringError(llvm::Twine("cu") + function + ": " +
                                 (text ? text : "unknown error") + " (" +
                                 llvm::Twine(result) + ")");
}
