//===- Ast.h - PTX as written -----------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// What the parser makes of a PTX text: statements with their mnemonic split at
// the dots and operands by syntactic form. Nothing is resolved here.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_AST_H
#define ATTN_LIB_EMULATOR_AST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attn::emulator {

enum class Space : uint8_t { Reg, Shared, Global, Const, Local, Param };

/// Fundamental types; `Pred` is a lane mask.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F32,
  F64,
  BF16,
  TF32,
  F16x2,
  BF16x2,
  E4M3x2,
  E5M2x2,
};
unsigned sizeOf(Type type);
bool isSigned(Type type);
bool isFloat(Type type);
/// Type::None if `name` (without its dot) is not a type.
Type typeByName(llvm::StringRef name);

struct Operand {
  enum Kind : uint8_t {
    Name,    ///< register, special register, variable, label or function
    Integer, ///< `integer`
    Float,   ///< `integer` holds the bits of an f64 (0d, decimal) or f32 (0f)
    Address, ///< [name + integer] or [integer]
    Vector,  ///< {elements}
    List,    ///< (elements), of calls
    Sink,    ///< _
  };
  Kind kind = Name;
  bool negated = false;     ///< !%p
  bool singleFloat = false; ///< Float written 0f........
  llvm::StringRef name;
  llvm::StringRef
      second; ///< the q of p|q; the .x of a special register is part of `name`
  int64_t integer = 0;
  std::vector<Operand> elements;
};

struct Statement {
  enum Kind : uint8_t { Instruction, Label, ScopeBegin, ScopeEnd, Declaration };
  Kind kind = Instruction;
  bool guardNegated = false;
  unsigned line = 0;
  llvm::StringRef guard;         ///< predicate name or empty
  llvm::StringRef opcode;        ///< whole mnemonic; the label's name
  llvm::StringRef text;          ///< as written, for messages
  std::vector<Operand> operands; ///< of a label: its branch targets, if a table
  unsigned variable = 0; ///< Declaration: index into Function::variables
};

/// A register, a parameter, or a variable in memory.
struct Variable {
  std::string name;
  Space space = Space::Reg;
  Type type = Type::None;
  unsigned line = 0;
  uint32_t count = 0; ///< registers name0..name<count-1> if nonzero
  uint64_t bytes = 0; ///< whole size in memory
  uint64_t align = 1;
  bool isExtern = false;
  std::vector<uint8_t> init; ///< empty: zero (global, const) or undefined
  /// Addresses stored in the initialiser: byte offset, symbol, addend, bytes,
  /// and whether generic(symbol) was written.
  struct Reloc {
    uint64_t offset;
    std::string symbol;
    int64_t addend;
    unsigned bytes;
    bool generic;
  };
  std::vector<Reloc> relocations;
};

struct Function {
  std::string name;
  bool isEntry = false, hasBody = false;
  unsigned line = 0;
  std::vector<Variable> results, params;
  std::vector<Variable> variables; ///< declared in the body
  std::vector<Statement> body;
  uint32_t requiredBlock[3] = {0, 0, 0}; ///< .reqntid
  uint32_t maxThreads = 0;               ///< product of .maxntid
};

struct ParsedModule {
  std::string text;
  std::string name;
  std::string target, version;
  unsigned addressSize = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  const Function *find(llvm::StringRef name) const {
    // A definition wins over the declarations before it.
    const Function *found = nullptr;
    for (const Function &f : functions)
      if (f.name == name && (!found || f.hasBody))
        found = &f;
    return found;
  }
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_AST_H
