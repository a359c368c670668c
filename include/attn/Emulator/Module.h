//===- Module.h - A parsed PTX module ---------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// PTX text, parsed once. Kernels are decoded when first asked for: names are
// resolved, device functions are inlined, registers get rows in the register
// file, and every branch gets its reconvergence point. So a module may hold
// kernels for other targets, and an opcode that the emulator does not know is
// an error (with line and text) of the kernel that uses it.
//
// Source of the semantics: NVIDIA's PTX ISA, version 9.0.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_EMULATOR_MODULE_H
#define ATTN_EMULATOR_MODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attn::emulator {

struct Program;
struct ParsedModule;

/// One kernel parameter as declared.
struct Parameter {
  std::string name;
  uint64_t bytes = 0;
  uint64_t align = 1;
  uint64_t offset = 0; ///< in the parameter block
};

class Module {
public:
  ~Module();
  /// Parses `text`. `name` stands before the line numbers in messages.
  static llvm::Expected<std::unique_ptr<Module>>
  parse(llvm::StringRef text, llvm::StringRef name = "<ptx>");

  /// Names of the `.entry` functions, in order.
  std::vector<std::string> kernels() const;
  /// Declared parameters of a kernel.
  llvm::Expected<std::vector<Parameter>>
  parameters(llvm::StringRef kernel) const;
  /// The `.target` directive, e.g. "sm_80".
  llvm::StringRef target() const;

  /// The decoded kernel; the first call decodes. Errors list every statement
  /// that is not understood.
  llvm::Expected<const Program *> program(llvm::StringRef kernel);

  const ParsedModule &parsed() const { return *module; }
  /// Distinguishes modules within a process.
  uint64_t number() const { return id; }

private:
  Module();
  std::unique_ptr<ParsedModule> module;
  std::vector<std::unique_ptr<Program>> programs;
  uint64_t id;
};

} // namespace attn::emulator

#endif // ATTN_EMULATOR_MODULE_H
