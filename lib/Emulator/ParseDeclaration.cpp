//===- ParseDeclaration.cpp - Variables, parameters, initialisers ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include <cstring>

using namespace llvm;

namespace attn::emulator {

bool Parser::parseParams(std::vector<Variable> &into) {
  if (!expect('('))
    return false;
  while (!current.is(')')) {
    Space space;
    if (current.kind != Token::Directive || !spaceByName(current.text, space))
      return fail("expected .param or .reg");
    advance();
    Variable v;
    v.space = space;
    v.line = current.line;
    // .ptr, its space and alignment say nothing about the parameter itself.
    bool afterPtr = false;
    while (current.kind == Token::Directive) {
      StringRef d = current.text;
      Type type = typeByName(d);
      advance();
      if (type != Type::None) {
        v.type = type;
      } else if (d == "ptr") {
        afterPtr = true;
      } else if (d == "align") {
        uint64_t align;
        if (!parseAlign(align))
          return false;
        if (!afterPtr)
          v.align = align;
      }
    }
    if (v.type == Type::None)
      return fail("expected a parameter type");
    if (current.kind == Token::Word) {
      v.name = current.text.str();
      advance();
    } else if (!current.is(',') && !current.is(')')) {
      return fail("expected a parameter name");
    }
    v.bytes = sizeOf(v.type);
    v.align = std::max<uint64_t>(v.align, v.bytes);
    if (!parseDims(v))
      return false;
    into.push_back(std::move(v));
    if (!accept(','))
      break;
  }
  return expect(')');
}

bool Parser::parseDims(Variable &v) {
  while (accept('[')) {
    if (accept(']')) {
      v.bytes = 0; // sized by its initialiser, or dynamic
      continue;
    }
    // Before the number is read, so that the message quotes it.
    if (current.kind != Token::Integer || current.integer < 0 ||
        (v.bytes && uint64_t(current.integer) > largest / v.bytes))
      return fail("expected at most " + Twine(largest) + " bytes for '" +
                  v.name + "'");
    int64_t n = 0;
    if (!parseInteger(n) || !expect(']'))
      return false;
    v.bytes *= uint64_t(n);
  }
  return true;
}

bool Parser::parseAlign(uint64_t &align) {
  int64_t n = 0;
  if (!parseInteger(n))
    return false;
  if (n < 1 || n > 1024 || (n & (n - 1)))
    return fail("expected an alignment that is a power of two up to 1024");
  align = uint64_t(n);
  return true;
}

bool Parser::parseVariables(Space space, bool isExtern,
                            std::vector<Variable> &into) {
  Type type = Type::None;
  uint64_t align = 0;
  unsigned vector = 1;
  while (current.kind == Token::Directive) {
    StringRef d = current.text;
    advance();
    if (d == "align") {
      if (!parseAlign(align))
        return false;
    } else if (d == "v2" || d == "v4") {
      vector = d == "v2" ? 2 : 4;
    } else if (d == "attribute") {
      if (!expect('('))
        return false;
      while (current.kind != Token::End && !current.is(')'))
        advance();
      if (!expect(')'))
        return false;
    } else if (typeByName(d) != Type::None) {
      type = typeByName(d);
    } else {
      return fail("expected a type before the name, not '." + d + "'");
    }
  }
  if (type == Type::None)
    return fail("expected a type");
  if (space == Space::Reg && vector != 1)
    return fail("vector registers are not supported: expected scalars");
  do {
    if (current.kind != Token::Word)
      return fail("expected a variable name");
    Variable v;
    v.name = current.text.str();
    v.space = space;
    v.type = type;
    v.line = current.line;
    v.isExtern = isExtern;
    v.bytes = sizeOf(type) * vector;
    v.align = std::max<uint64_t>(align, v.bytes ? sizeOf(type) : 1);
    advance();
    if (accept('<')) {
      int64_t n = 0;
      if (current.kind != Token::Integer || current.integer < 0 ||
          current.integer > int64_t(UINT32_MAX))
        return fail("expected a number of registers below 2^32");
      if (!parseInteger(n) || !expect('>'))
        return false;
      v.count = uint32_t(n);
    }
    if (!parseDims(v))
      return false;
    if (accept('=') && !parseInitialiser(v))
      return false;
    into.push_back(std::move(v));
  } while (accept(','));
  return expect(';');
}

bool Parser::parseInitialiser(Variable &v) {
  if (accept('{')) {
    if (++depth > maxDepth)
      return fail("expected fewer nested braces");
    while (!current.is('}')) {
      if (current.is('{') ? !parseInitialiser(v) : !parseScalarInit(v))
        return false;
      if (!accept(','))
        break;
    }
    --depth;
    if (!expect('}'))
      return false;
  } else if (!parseScalarInit(v)) {
    return false;
  }
  v.bytes = std::max<uint64_t>(v.bytes, v.init.size());
  return true;
}

bool Parser::parseScalarInit(Variable &v) {
  unsigned size = sizeOf(v.type);
  size_t at = v.init.size();
  v.init.resize(at + size);
  bool negative = accept('-');
  if (current.kind == Token::Word) {
    Variable::Reloc r{at, current.text.str(), 0, size, false};
    advance();
    if (r.symbol == "generic" && accept('(')) {
      r.generic = true;
      r.symbol = current.text.str();
      advance();
      if (!expect(')'))
        return false;
    }
    if (accept('+') && !parseInteger(r.addend))
      return false;
    v.relocations.push_back(std::move(r));
    return true;
  }
  int64_t bits = current.integer;
  if (current.kind == Token::Float || current.kind == Token::Float32) {
    double value;
    if (current.kind == Token::Float32) {
      uint32_t b = uint32_t(bits);
      float f;
      std::memcpy(&f, &b, 4);
      value = f;
    } else {
      std::memcpy(&value, &bits, 8);
    }
    value = negative ? -value : value;
    float single = float(value);
    if (size == 8)
      std::memcpy(&bits, &value, 8);
    else if (uint32_t b; size == 4)
      std::memcpy(&b, &single, 4), bits = b;
    else
      return fail("expected a 32 or 64 bit type for a floating point value");
  } else if (current.kind == Token::Integer) {
    bits = negative ? -bits : bits;
  } else {
    return fail("expected a value");
  }
  advance();
  std::memcpy(v.init.data() + at, &bits, size);
  return true;
}

} // namespace attn::emulator
