//===- Parser.h - PTX text to Ast.h -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_PARSER_H
#define ATTN_LIB_EMULATOR_PARSER_H

#include "Ast.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace attn::emulator {

/// Errors read "name:line: expected ..., got ...".
llvm::Expected<std::unique_ptr<ParsedModule>> parsePtx(llvm::StringRef text,
                                                       llvm::StringRef name);

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_PARSER_H
