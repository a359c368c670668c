//===- Lexer.h - Tokens of PTX ----------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_LEXER_H
#define ATTN_LIB_EMULATOR_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace attn::emulator {

struct Token {
  enum Kind : uint8_t {
    End,
    Word,      ///< identifier with its dotted tail: add.s32, %tid.x, $L__BB0_1
    Directive, ///< .word, its dotted tail not included
    Integer,
    Float,   ///< bits of an f64 in `integer`
    Float32, ///< 0f........: bits of an f32
    String,
    Punct, ///< one character in `text`
  };
  Kind kind = End;
  unsigned line = 0;
  llvm::StringRef text;
  int64_t integer = 0;

  bool is(char c) const { return kind == Punct && text[0] == c; }
  bool isDirective(llvm::StringRef s) const {
    return kind == Directive && text == s;
  }
};

/// Splits a text into tokens, skipping white space and comments.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}
  Token next();
  /// Byte position of the next unread character.
  size_t position() const { return pos; }

private:
  void skipBlank();
  Token number();

  llvm::StringRef text;
  size_t pos = 0;
  unsigned line = 1;
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_LEXER_H
