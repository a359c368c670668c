//===- Decoder.h - From statements to a program -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Resolves names, gives registers their rows, inlines device functions, and
// selects handlers. What does not fit a handler's operands exactly (a wide
// register for a narrow type, a negated predicate) is adapted by uncounted
// instructions around it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_DECODER_H
#define ATTN_LIB_EMULATOR_DECODER_H

#include "Ast.h"
#include "Program.h"
#include "Select.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <deque>
#include <memory>

namespace attn::emulator {

/// Errors list up to 20 statements that are not understood.
llvm::Expected<std::unique_ptr<Program>> decode(const ParsedModule &module,
                                                llvm::StringRef kernel);

/// Fills Inst::target, reconverge, loop and Program::loops from the branches'
/// targets (instruction indices).
void analyseControlFlow(Program &program);

/// Shares rows between registers that are never live together, which keeps the
/// register files of a CTA inside the host's caches.
void compactRegisters(Program &program);

class Decoder {
public:
  Decoder(const ParsedModule &module, Program &program)
      : module(module), program(program), selectLanes(hostSelectLanes()) {}

  /// False if `errors` is not empty.
  bool decodeKernel(const Function &kernel);
  std::vector<std::string> errors;

private:
  /// What a name stands for.
  struct Binding {
    enum Kind : uint8_t { None, Row, Memory, ModuleVariable } kind = None;
    Type type = Type::None;
    Space space = Space::Reg;
    int32_t row = 0;     ///< Row
    int64_t address = 0; ///< Memory: within its space
  };
  struct Scope {
    Scope *parent = nullptr;
    llvm::StringMap<Binding> names;
    llvm::StringMap<std::pair<Type, uint32_t>> families; ///< %r<100>
    llvm::StringMap<int32_t> labels;
    llvm::StringMap<const Statement *> tables; ///< of branch targets
  };
  struct Fixup {
    size_t inst;
    llvm::StringRef label;
    Scope *scope;
    const Statement *statement;
  };
  struct AddressOperand {
    int32_t row = 0;
    bool wide = false;
    int64_t offset = 0;
    Space space = Space::Reg;
  };

  bool fail(const Statement &s, const llvm::Twine &what);

  // Names and rows (Decoder.cpp).
  Scope *pushScope();
  void popScope() { scope = scope->parent; }
  Binding find(llvm::StringRef name);
  Binding findSpecial(llvm::StringRef name);
  Binding bindModuleVariable(llvm::StringRef name);
  void declare(const Variable &v);
  int32_t newRow(Type type);
  int32_t constantRow(uint64_t bits, bool wide);
  int32_t addressConstant(const Binding &b, llvm::StringRef name,
                          int64_t addend, bool wide);
  bool sourceRow(const Statement &s, const Operand &o, Type type, int32_t &row);
  bool resultRow(const Statement &s, const Operand &o, const Slot &slot,
                 int32_t &row);
  bool immediate(const Statement &s, const Operand &o, Type type, int32_t &row);
  bool addressOf(const Statement &s, const Operand &o, Space space,
                 AddressOperand &address);
  bool bindSlots(const Statement &s, llvm::ArrayRef<Slot> slots,
                 llvm::SmallVectorImpl<int32_t> &rows);

  // Statements (DecodeStatement.cpp).
  bool decodeBody(const Function &f);
  bool decodeStatement(const Statement &s);
  bool decodeControl(const Statement &s, Mnemonic &m, bool &handled);
  bool decodeBranch(const Statement &s, Mnemonic &m);
  bool decodeTableBranch(const Statement &s, Mnemonic &m);
  bool decodeCall(const Statement &s);
  bool decodeBarrier(const Statement &s, Mnemonic &m);
  bool decodeSimple(const Statement &s, const Selection &selection);
  /// Bit k of `results`: operand k is written; of `plain`: it is a number and
  /// not a row.
  Inst &emit(const Statement &s, Inst inst, llvm::ArrayRef<int32_t> rows,
             uint32_t results = 0, uint32_t plain = 0);
  void emitAdapter(const Statement &s, const char *opcode,
                   llvm::ArrayRef<int32_t> rows, bool after);
  bool setGuard(const Statement &s, Inst &inst);
  bool resolveLabels(size_t firstFixup);

  // Memory (DecodeMemory.cpp).
  bool decodeMemory(const Statement &s, Mnemonic &m, bool &handled);
  bool decodeLoadStore(const Statement &s, Mnemonic &m, bool isLoad);
  bool decodeAtomic(const Statement &s, Mnemonic &m, bool returns);
  bool decodeMatrix(const Statement &s, Mnemonic &m);
  bool decodeAsyncCopy(const Statement &s, Mnemonic &m);
  bool takeSpace(Mnemonic &m, Space &space);
  bool finish(const Statement &s, Mnemonic &m);

  const ParsedModule &module;
  Program &program;
  SelectLanes selectLanes;

  std::deque<Scope> scopes;
  Scope *scope = nullptr;
  std::vector<Fixup> fixups;
  std::vector<const Function *> callStack;
  /// Branches that leave the function being inlined.
  std::vector<size_t> *returns = nullptr;
  /// Adapters that follow the instruction being emitted.
  struct Pending {
    const char *opcode;
    int32_t to, from;
  };
  std::vector<Pending> pending;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, int32_t> constantRows;
  llvm::StringMap<Binding> moduleBindings;
  llvm::StringMap<Binding> specialBindings;
  uint64_t staticShared = 0, localBytes = 0, parameterBytes = 0;
  int32_t predicateChunk = 0;
  unsigned predicatesLeft = 0;
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_DECODER_H
