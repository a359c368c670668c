//===- ParserImpl.h - The parser's class ------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Parser.cpp holds functions and statements, ParseDeclaration.cpp what is
// declared.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_PARSERIMPL_H
#define ATTN_LIB_EMULATOR_PARSERIMPL_H

#include "Ast.h"
#include "Lexer.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace attn::emulator {

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
  bool fail(const llvm::Twine &what) {
    if (message.empty())
      message =
          (llvm::Twine(module.name) + ":" + llvm::Twine(current.line) + ": " +
           what + ", got " +
           (current.kind == Token::End ? std::string("the end of the text")
                                       : "'" + current.text.str() + "'"))
              .str();
    return false;
  }
  bool expect(char c) {
    if (!current.is(c))
      return fail(llvm::Twine("expected '") + llvm::Twine(c) + "'");
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
  bool parseBranchTargets(Function &f);
  bool parseOperand(Operand &o);
  bool parseAddress(Operand &o);
  bool parseVariables(Space space, bool isExtern, std::vector<Variable> &into);
  bool parseDims(Variable &v);
  bool parseAlign(uint64_t &align);
  bool parseInitialiser(Variable &v);
  bool parseScalarInit(Variable &v);
  bool parseInteger(int64_t &value);
  bool skipSection();
  bool skipToSemicolon();

  static bool spaceByName(llvm::StringRef name, Space &space) {
    int s = llvm::StringSwitch<int>(name)
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
  static constexpr uint64_t largest = uint64_t(1) << 30; ///< variable, in bytes
  static constexpr unsigned maxDepth = 64;
  unsigned depth = 0; ///< of braces
  size_t endOfCurrent = 0, lastEnd = 0;
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_PARSERIMPL_H
