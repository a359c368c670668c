//===- Harness.h - Small helpers of the emulator's tests --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_EMULATOR_HARNESS_H
#define ATTN_TEST_EMULATOR_HARNESS_H

#include "attn/Emulator/Launch.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attn::emulator::test {

/// A module and its memory; failures to parse are test failures.
class Device {
public:
  explicit Device(llvm::StringRef ptx) {
    auto parsed = Module::parse(ptx, "test.ptx");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }

  template <typename T>
  uint64_t upload(const std::vector<T> &values, llvm::StringRef name = "") {
    uint64_t address = memory.allocate(values.size() * sizeof(T), name);
    llvm::cantFail(
        memory.write(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  template <typename T> uint64_t space(size_t n, llvm::StringRef name = "") {
    return memory.allocate(n * sizeof(T), name);
  }
  template <typename T> std::vector<T> download(uint64_t address, size_t n) {
    std::vector<T> values(n);
    llvm::cantFail(memory.read(values.data(), address, n * sizeof(T)));
    return values;
  }

  template <typename... A>
  llvm::Expected<LaunchResult> launch(llvm::StringRef kernel, Dim3 grid,
                                      Dim3 block, uint32_t shared,
                                      A... arguments) {
    return emulator::launch(*module, kernel, grid, block, shared,
                            {Argument::scalar(arguments)...}, memory, options);
  }
  /// Expects success.
  template <typename... A>
  LaunchResult run(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                   uint32_t shared, A... arguments) {
    auto result = launch(kernel, grid, block, shared, arguments...);
    if (result)
      return std::move(*result);
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  /// The diagnostics of a launch that must fail because of the kernel.
  template <typename... A>
  std::vector<Diagnostic> faults(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                                 uint32_t shared, A... arguments) {
    auto result = launch(kernel, grid, block, shared, arguments...);
    std::vector<Diagnostic> found;
    if (result) {
      ADD_FAILURE() << "the kernel ran without a fault";
      return found;
    }
    llvm::handleAllErrors(
        result.takeError(), [&](LaunchError &e) { found = e.diagnostics; },
        [&](llvm::ErrorInfoBase &e) { ADD_FAILURE() << e.message(); });
    return found;
  }

  std::unique_ptr<Module> module;
  Memory memory;
  LaunchOptions options;
};

inline const char *const header =
    ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A test input next to the tests' sources.
inline std::string readInput(llvm::StringRef name) {
  std::string path = (llvm::Twine(EMULATOR_INPUTS) + "/" + name).str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return "";
  }
  return (*buffer)->getBuffer().str();
}

} // namespace attn::emulator::test

#endif // ATTN_TEST_EMULATOR_HARNESS_H
