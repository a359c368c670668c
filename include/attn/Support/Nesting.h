//===- Nesting.h - how deep a text nests ------------------------*- C++ -*-===//
//
// MLIR and JSON are read by recursion: upstream's parsers call themselves for
// each bracket, and so do printers, verifiers and destructors of what was read.
// Some thousand open brackets, which a few kilobytes can hold, end the process.
// So each text from outside is scanned before it is parsed, and what nests
// deeper than a stack bears is an error with its place. (The emulator's parser
// of PTX has a limit of its own.)
//
// Depth counts what recursion counts: open brackets outside strings and
// comments; for MLIR also what an alias stands for (#a2 = [#a1] is as deep as
// #a1 and one more) and the operators of an affine expression, whose tree leans
// to one side.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_NESTING_H
#define ATTN_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace attn {

/// MLIR's parser uses up to 4 KB of stack per level: this is half of the 8 MB
/// that a thread usually has. Models come to some tens.
constexpr unsigned kMaxNesting = 1000;

enum class Syntax { MLIR, JSON };

struct TextPlace {
  unsigned line = 1, column = 1;
  size_t offset = 0;
};

/// The first place where `text` is deeper than kMaxNesting.
std::optional<TextPlace> findDeepNesting(llvm::StringRef text, Syntax syntax);

/// What to say of that place.
std::string deepNestingMessage();

/// llvm::json::parse of a text that may come from anywhere.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace attn

#endif // ATTN_SUPPORT_NESTING_H
