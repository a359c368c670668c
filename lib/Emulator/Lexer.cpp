//===- Lexer.cpp - Tokens of PTX ------------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <string>

using namespace llvm;
using namespace attn::emulator;

static bool isWordStart(char c) {
  return isAlpha(c) || c == '_' || c == '$' || c == '%';
}
static bool isWordBody(char c) { return isAlnum(c) || c == '_' || c == '$'; }

void Lexer::skipBlank() {
  while (pos < text.size()) {
    char c = text[pos];
    StringRef rest = text.substr(pos);
    if (c == '\n') {
      ++line;
      ++pos;
    } else if (isSpace(c)) {
      ++pos;
    } else if (rest.starts_with("//")) {
      pos = std::min(text.find('\n', pos), text.size());
    } else if (rest.starts_with("/*")) {
      size_t end = text.find("*/", pos + 2);
      size_t stop = end == StringRef::npos ? text.size() : end + 2;
      line += text.slice(pos, stop).count('\n');
      pos = stop;
    } else {
      return;
    }
  }
}

Token Lexer::number() {
  Token t;
  t.line = line;
  size_t begin = pos;
  StringRef rest = text.substr(pos);
  auto hexDigits = [&](size_t count) {
    StringRef digits = rest.substr(2, count);
    if (digits.size() != count || !all_of(digits, isHexDigit))
      return false;
    uint64_t bits = 0;
    digits.getAsInteger(16, bits);
    t.integer = int64_t(bits);
    pos += 2 + count;
    return true;
  };
  if ((rest.starts_with("0f") || rest.starts_with("0F")) && hexDigits(8)) {
    t.kind = Token::Float32;
  } else if ((rest.starts_with("0d") || rest.starts_with("0D")) &&
             hexDigits(16)) {
    t.kind = Token::Float;
  } else {
    unsigned radix = 10;
    if (rest.starts_with_insensitive("0x"))
      radix = 16, pos += 2;
    else if (rest.starts_with_insensitive("0b") && rest.size() > 2 &&
             (rest[2] == '0' || rest[2] == '1'))
      radix = 2, pos += 2;
    else if (rest[0] == '0' && rest.size() > 1 && isDigit(rest[1]))
      radix = 8, pos += 1;
    size_t digits = pos;
    while (pos < text.size() &&
           (radix == 16 ? isHexDigit(text[pos]) : isDigit(text[pos])))
      ++pos;
    bool isFraction =
        radix == 10 && pos < text.size() &&
        (text[pos] == '.' || text[pos] == 'e' || text[pos] == 'E');
    if (isFraction) {
      while (pos < text.size() &&
             (isDigit(text[pos]) || text[pos] == '.' || text[pos] == 'e' ||
              text[pos] == 'E' ||
              ((text[pos] == '-' || text[pos] == '+') &&
               (text[pos - 1] == 'e' || text[pos - 1] == 'E'))))
        ++pos;
      double value = 0;
      if (text.slice(begin, pos).getAsDouble(value))
        value = 0;
      t.kind = Token::Float;
      std::memcpy(&t.integer, &value, sizeof value);
    } else {
      uint64_t bits = 0;
      // A number of more than 64 bits is no token that anything expects.
      bool fits = !text.slice(digits, pos).getAsInteger(radix, bits);
      t.kind = fits ? Token::Integer : Token::Punct;
      t.integer = int64_t(bits);
      if (pos < text.size() && (text[pos] == 'U' || text[pos] == 'u'))
        ++pos;
    }
  }
  t.text = text.slice(begin, pos);
  return t;
}

Token Lexer::next() {
  skipBlank();
  Token t;
  t.line = line;
  if (pos >= text.size())
    return t;
  size_t begin = pos;
  char c = text[pos];
  if (isDigit(c))
    return number();
  if (isWordStart(c)) {
    t.kind = Token::Word;
    ++pos;
    // A dotted tail belongs to the word (add.s32, %tid.x), and so do the ::
    // of modifiers such as L2::128B.
    while (pos < text.size()) {
      char d = text[pos];
      bool colons = d == ':' && pos + 2 < text.size() && text[pos + 1] == ':' &&
                    isWordBody(text[pos + 2]);
      bool dot = d == '.' && pos + 1 < text.size() && isWordBody(text[pos + 1]);
      if (isWordBody(d) || dot)
        ++pos;
      else if (colons)
        pos += 2;
      else
        break;
    }
  } else if (c == '.' && pos + 1 < text.size() && isWordBody(text[pos + 1])) {
    t.kind = Token::Directive;
    ++pos;
    while (pos < text.size() && isWordBody(text[pos]))
      ++pos;
    t.text = text.slice(begin + 1, pos);
    return t;
  } else if (c == '"') {
    t.kind = Token::String;
    ++pos;
    while (pos < text.size() && text[pos] != '"' && text[pos] != '\n')
      pos += text[pos] == '\\' ? 2 : 1;
    pos = std::min(pos + 1, text.size());
    t.text = text.slice(begin + 1, pos - 1);
    return t;
  } else {
    t.kind = Token::Punct;
    ++pos;
  }
  t.text = text.slice(begin, pos);
  return t;
}
