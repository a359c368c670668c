//===- Program.h - A decoded kernel -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// A kernel ready to run. Every value a statement touches is a *row* of 32
// lanes: in the warp's register file, or in the constant pool that all warps
// share. Rows hold 4 bytes a lane, or 8 for 64-bit types; narrower types live
// in the low bits of 4 bytes. A predicate is one 32-bit mask.
//
// An operand is the byte offset of its row: o >= 0 in the register file, and
// ~o in the constant pool for o < 0.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_PROGRAM_H
#define ATTN_LIB_EMULATOR_PROGRAM_H

#include "Ast.h"
#include "attn/Emulator/Launch.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attn::emulator {

constexpr unsigned warpSize = 32;
constexpr uint32_t allLanes = ~0u;

/// Generic addresses: the window that stands for each space.
constexpr uint64_t sharedWindow = 1, localWindow = 2, paramWindow = 3;
constexpr uint64_t windowBase(uint64_t window) {
  return window << Memory::windowBits;
}

struct LaneFile;
struct Inst;
using Handler = void (*)(LaneFile &, const Inst &, uint32_t mask);

struct Inst {
  /// How the warp's loop treats it; everything else is `Lanes`.
  enum Kind : uint8_t { Lanes, Branch, Exit, Barrier, WarpBarrier, Trap };

  Handler handler = nullptr;
  const int32_t *op = nullptr; ///< operand rows, in the order of the handler
  int32_t guard = -1;          ///< predicate row, or -1
  bool guardNegated = false;
  bool counted = true;   ///< false for conversions that decoding added
  bool allLanes = false; ///< an error unless all 32 lanes execute it
  Kind kind = Lanes;
  InstructionClass cls = InstructionClass::Integer;
  uint8_t width = 0;        ///< bytes of one memory element
  uint8_t elements = 1;     ///< vector width of ld and st
  uint8_t flags = 0;        ///< by handler; of memory accesses: MemoryFlags
  Space space = Space::Reg; ///< of memory accesses; Reg: a generic address
  uint8_t operandCount = 0;
  uint32_t firstOperand = 0; ///< in Program::operands
  uint32_t statement = 0;    ///< index into Program::statements
  int32_t target = -1;       ///< Branch: where taken lanes go
  int32_t reconverge = -1; ///< Branch: immediate post-dominator; -1 is the exit
  int32_t loop = -1;       ///< innermost loop
  int64_t imm = 0;         ///< address offset, or by handler
};

enum MemoryFlags : uint8_t {
  WideAddress = 1, ///< the address row has 8 bytes a lane
  SignExtend = 2,
  Strong = 4, ///< volatile, relaxed, acquire, release: never races with another
  Transposed = 8,
};

/// Inst::flags of barriers.
enum BarrierFlags : uint8_t {
  BarrierSync,
  BarrierArrive,
  BarrierPopc,
  BarrierAnd,
  BarrierOr,
};

struct Loop {
  int32_t header = 0; ///< instruction index
  unsigned depth = 1;
};

/// Where a source statement came from, for messages.
struct SourceStatement {
  unsigned line;
  llvm::StringRef text;
};

enum class OperandRole : uint8_t { Source, Result, Plain };

struct Program {
  std::string name;
  std::vector<Inst> code;
  std::vector<int32_t> operands;  ///< what Inst::op points into
  std::vector<OperandRole> roles; ///< of `operands`
  /// The rows of the register file: offset and bytes.
  std::vector<std::pair<int32_t, uint32_t>> rows;
  std::vector<SourceStatement> statements;
  std::vector<Loop> loops;

  uint32_t registerBytes = 0;
  std::vector<uint64_t> constants; ///< the constant pool

  /// Constant rows that hold the address of a module variable.
  struct Reloc {
    uint32_t offset; ///< of the row in the pool, in bytes
    bool wide;       ///< 8 bytes a lane
    std::string symbol;
    int64_t addend;
  };
  std::vector<Reloc> relocations;

  /// Rows that hold special registers, filled when a warp starts.
  struct SpecialRow {
    std::string name;
    int32_t offset;
    bool wide;
  };
  std::vector<SpecialRow> specials;

  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t staticShared = 0;
  uint32_t dynamicSharedOffset = 0; ///< where .extern .shared begins
  uint32_t localBytes = 0;          ///< per thread
  uint32_t requiredBlock[3] = {0, 0, 0};
  uint32_t maxThreads = 0;

  const SourceStatement &source(const Inst &i) const {
    return statements[i.statement];
  }
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_PROGRAM_H
