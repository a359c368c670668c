//===- Parser.cpp - PTX text to Ast.h -------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Lexer.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace llvm;

namespace attn::emulator {

namespace {

/// Recursive descent. Every parse function returns false after it has set
/// `message`; nothing is read after that.
class Parser {
public:
  Parser(ParsedModule &m) : module(m), lexer(m.text) { advance(); }

  bool parseModule();
  std::string message;

private:
  void advance() {
    lastEnd = endOfCurrent;
    current = lexer.next();
    endOfCurrent = lexer.position();
  }
  bool fail(const Twine &what) {
    if (message.empty())
      message =
          (Twine(module.name) + ":" + Twine(current.line) + ": " + what +
           ", got " +
           (current.kind == Token::End ? std::string("the end of the text")
                                       : "'" + current.text.str() + "'"))
              .str();
    return false;
  }
  bool expect(char c) {
    if (!current.is(c))
      return fail(Twine("expected '") + Twine(c) + "'");
    advance();
    return true;
  }
  bool accept(char c) {
    if (!current.is(c))
      return false;
    advance();
    return true;
  }

  bool parseFunction(bool isEntry, bool isExtern);
  bool parseParams(std::vector<Variable> &into);
  bool parseTuning(Function &f);
  bool parseBody(Function &f);
  bool parseStatement(Function &f);
  bool parseInstruction(Statement &s);
  bool parseOperand(Operand &o);
  bool parseAddress(Operand &o);
  bool parseVariables(Space space, bool isExtern, std::vector<Variable> &into);
  bool parseDims(Variable &v);
  bool parseInitialiser(Variable &v);
  bool parseScalarInit(Variable &v);
  bool parseInteger(int64_t &value);
  bool skipSection();
  bool skipToSemicolon();

  static bool spaceByName(StringRef name, Space &space) {
    int s = StringSwitch<int>(name)
                .Case("reg", int(Space::Reg))
                .Case("shared", int(Space::Shared))
                .Case("global", int(Space::Global))
                .Case("const", int(Space::Const))
                .Case("local", int(Space::Local))
                .Case("param", int(Space::Param))
                .Default(-1);
    space = Space(s);
    return s >= 0;
  }

  ParsedModule &module;
  Lexer lexer;
  Token current;
  size_t endOfCurrent = 0, lastEnd = 0;
};

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
        int64_t align;
        if (!parseInteger(align))
          return false;
        if (!afterPtr)
          v.align = uint64_t(align);
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
    int64_t n = 0;
    if (!parseInteger(n) || !expect(']'))
      return false;
    v.bytes *= uint64_t(n);
  }
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
    int64_t n = 0;
    if (d == "align") {
      if (!parseInteger(n))
        return false;
      align = uint64_t(n);
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
    while (!current.is('}')) {
      if (current.is('{') ? !parseInitialiser(v) : !parseScalarInit(v))
        return false;
      if (!accept(','))
        break;
    }
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
    if (d == "pragma" || d == "branchtargets" || d == "calltargets" ||
        d == "callprototype")
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
    f.body.push_back(std::move(s));
    // A label may name a table: L: .branchtargets ...; which bra never targets.
    return true;
  }
  if (!parseInstruction(s))
    return false;
  s.text = StringRef(module.text).slice(begin, lastEnd);
  f.body.push_back(std::move(s));
  return true;
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
    while (!current.is(close)) {
      o.elements.emplace_back();
      if (!parseOperand(o.elements.back()))
        return false;
      if (!accept(','))
        break;
    }
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

} // namespace

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
