//===- Parser.cpp - PTX text to Ast.h -------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace attn::emulator {

bool Parser::parseModule() {
  bool isExtern = false;
  while (current.kind != Token::End) {
    if (current.kind != Token::Directive)
      return fail("expected a directive at module scope");
    StringRef d = current.text;
    Space space;
    if (d == "version") {
      advance();
      module.version = current.text.str();
      advance();
    } else if (d == "target") {
      advance();
      module.target = current.text.str();
      do
        advance();
      while (current.is(',') || current.kind == Token::Word);
    } else if (d == "address_size") {
      advance();
      int64_t size = 0;
      if (!parseInteger(size))
        return false;
      module.addressSize = unsigned(size);
    } else if (d == "file") {
      unsigned line = current.line;
      do
        advance();
      while (current.kind != Token::End && current.line == line);
    } else if (d == "loc") {
      unsigned line = current.line;
      do
        advance();
      while (current.kind != Token::End && current.line == line);
    } else if (d == "section") {
      if (!skipSection())
        return false;
    } else if (d == "extern") {
      isExtern = true;
      advance();
      continue;
    } else if (d == "visible" || d == "weak" || d == "common") {
      advance();
      continue;
    } else if (d == "entry" || d == "func") {
      advance();
      if (!parseFunction(d == "entry", isExtern))
        return false;
    } else if (d == "pragma" || d == "alias") {
      if (!skipToSemicolon())
        return false;
    } else if (spaceByName(d, space)) {
      advance();
      if (!parseVariables(space, isExtern, module.variables))
        return false;
    } else {
      return fail("expected a known directive at module scope");
    }
    isExtern = false;
  }
  return true;
}

bool Parser::skipToSemicolon() {
  while (current.kind != Token::End && !current.is(';'))
    advance();
  return expect(';');
}

bool Parser::skipSection() {
  while (current.kind != Token::End && !current.is('{'))
    advance();
  if (!expect('{'))
    return false;
  while (current.kind != Token::End && !current.is('}'))
    advance();
  return expect('}');
}

bool Parser::parseInteger(int64_t &value) {
  bool negative = accept('-');
  if (current.kind != Token::Integer)
    return fail("expected an integer");
  value = negative ? -current.integer : current.integer;
  advance();
  return true;
}

bool Parser::parseFunction(bool isEntry, bool isExtern) {
  Function f;
  f.isEntry = isEntry;
  f.line = current.line;
  if (!isEntry && current.is('(') && !parseParams(f.results))
    return false;
  if (current.kind != Token::Word)
    return fail("expected a function name");
  f.name = current.text.str();
  advance();
  if (current.is('(') && !parseParams(f.params))
    return false;
  if (!parseTuning(f))
    return false;
  if (current.is('{')) {
    f.hasBody = true;
    if (!parseBody(f))
      return false;
  } else if (!expect(';')) {
    return false;
  }
  module.functions.push_back(std::move(f));
  return true;
}

bool Parser::parseTuning(Function &f) {
  while (current.kind == Token::Directive) {
    StringRef d = current.text;
    if (d == "pragma") {
      if (!skipToSemicolon())
        return false;
      continue;
    }
    advance();
    SmallVector<int64_t, 3> values;
    while (current.kind == Token::Integer) {
      values.push_back(current.integer);
      advance();
      if (!accept(','))
        break;
    }
    if (d == "reqntid")
      for (unsigned i = 0; i != 3; ++i)
        f.requiredBlock[i] = i < values.size() ? uint32_t(values[i]) : 1;
    if (d == "maxntid") {
      f.maxThreads = 1;
      for (int64_t v : values)
        f.maxThreads *= uint32_t(v);
    }
  }
  return true;
}

bool Parser::parseBody(Function &f) {
  if (!expect('{'))
    return false;
  unsigned depth = 1;
  while (depth) {
    if (current.kind == Token::End)
      return fail("expected '}' to close the function body");
    Statement s;
    s.line = current.line;
    if (accept('{')) {
      ++depth;
      s.kind = Statement::ScopeBegin;
      f.body.push_back(std::move(s));
    } else if (accept('}')) {
      if (--depth) {
        s.kind = Statement::ScopeEnd;
        f.body.push_back(std::move(s));
      }
    } else if (!parseStatement(f)) {
      return false;
    }
  }
  return true;
}

bool Parser::parseStatement(Function &f) {
  if (current.kind == Token::Directive) {
    StringRef d = current.text;
    Space space;
    if (d == "loc" || d == "file") {
      unsigned line = current.line;
      do
        advance();
      while (current.kind != Token::End && current.line == line);
      return true;
    }
    if (d == "branchtargets")
      return parseBranchTargets(f);
    if (d == "pragma" || d == "calltargets" || d == "callprototype")
      return skipToSemicolon();
    if (d == "section")
      return skipSection();
    if (d == "extern")
      advance(), d = current.text;
    if (!spaceByName(d, space))
      return fail("expected a known directive in a function body");
    advance();
    size_t first = f.variables.size();
    if (!parseVariables(space, false, f.variables))
      return false;
    for (size_t i = first; i != f.variables.size(); ++i) {
      Statement s;
      s.kind = Statement::Declaration;
      s.line = f.variables[i].line;
      s.variable = unsigned(i);
      f.body.push_back(std::move(s));
    }
    return true;
  }
  Statement s;
  s.line = current.line;
  size_t begin = endOfCurrent - current.text.size();
  if (current.is('@')) {
    advance();
    s.guardNegated = accept('!');
    if (current.kind != Token::Word)
      return fail("expected a predicate after '@'");
    s.guard = current.text;
    advance();
  }
  if (current.kind != Token::Word)
    return fail("expected an instruction");
  s.opcode = current.text;
  advance();
  if (s.guard.empty() && accept(':')) {
    s.kind = Statement::Label;
    s.text = StringRef(module.text).slice(begin, lastEnd);
    f.body.push_back(std::move(s));
    return true;
  }
  if (!parseInstruction(s))
    return false;
  s.text = StringRef(module.text).slice(begin, lastEnd);
  f.body.push_back(std::move(s));
  return true;
}

/// L: .branchtargets A, B, ...; which makes a table of the label.
bool Parser::parseBranchTargets(Function &f) {
  advance();
  if (f.body.empty() || f.body.back().kind != Statement::Label)
    return fail("expected a label before .branchtargets");
  return parseInstruction(f.body.back());
}

bool Parser::parseInstruction(Statement &s) {
  while (!current.is(';')) {
    Operand o;
    if (!parseOperand(o))
      return false;
    s.operands.push_back(std::move(o));
    if (!accept(','))
      break;
  }
  return expect(';');
}

bool Parser::parseOperand(Operand &o) {
  if (current.is('[')) {
    advance();
    return parseAddress(o);
  }
  if (current.is('{') || current.is('(')) {
    bool list = current.is('(');
    char close = list ? ')' : '}';
    o.kind = list ? Operand::List : Operand::Vector;
    advance();
    if (++depth > maxDepth)
      return fail("expected fewer nested braces");
    while (!current.is(close)) {
      o.elements.emplace_back();
      if (!parseOperand(o.elements.back()))
        return false;
      if (!accept(','))
        break;
    }
    --depth;
    return expect(close);
  }
  bool negative = false;
  if (accept('!'))
    o.negated = true;
  else if (accept('-'))
    negative = true;
  switch (current.kind) {
  case Token::Word:
    o.kind = current.text == "_" ? Operand::Sink : Operand::Name;
    o.name = current.text;
    advance();
    if (accept('|')) {
      o.second = current.text;
      advance();
    } else if (accept('+')) {
      // symbol + offset as a value
      if (!parseInteger(o.integer))
        return false;
    }
    return true;
  case Token::Integer:
    o.kind = Operand::Integer;
    o.integer =
        negative ? int64_t(0 - uint64_t(current.integer)) : current.integer;
    advance();
    return true;
  case Token::Float:
  case Token::Float32:
    o.kind = Operand::Float;
    o.singleFloat = current.kind == Token::Float32;
    o.integer = current.integer;
    if (negative)
      o.integer ^= o.singleFloat ? int64_t(1) << 31 : INT64_MIN;
    advance();
    return true;
  default:
    return fail("expected an operand");
  }
}

bool Parser::parseAddress(Operand &o) {
  o.kind = Operand::Address;
  bool any = false;
  while (!current.is(']')) {
    bool negative = false;
    if (any) {
      if (accept(',')) { // tensor coordinates: [map, {x, y}]
        o.elements.emplace_back();
        if (!parseOperand(o.elements.back()))
          return false;
        continue;
      }
      if (accept('+'))
        negative = accept('-');
      else if (accept('-'))
        negative = true;
      else
        return fail("expected '+', '-' or ']' in an address");
    } else {
      negative = accept('-');
    }
    any = true;
    if (current.kind == Token::Integer) {
      o.integer += negative ? -current.integer : current.integer;
    } else if (current.kind == Token::Word && o.name.empty() && !negative) {
      o.name = current.text;
    } else {
      return fail("expected one register or symbol and an integer offset");
    }
    advance();
  }
  return expect(']');
}

Expected<std::unique_ptr<ParsedModule>> parsePtx(StringRef text,
                                                 StringRef name) {
  auto module = std::make_unique<ParsedModule>();
  module->text = text.str();
  module->name = name.str();
  Parser parser(*module);
  if (!parser.parseModule())
    return createStringError(parser.message);
  return module;
}

} // namespace attn::emulator
