//===- Select.h - From a mnemonic to its handler ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Each family of opcodes has a select function. It takes the modifiers it knows
// off the mnemonic; whatever is left afterwards makes the statement an error,
// so no modifier is ever ignored by accident.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_SELECT_H
#define ATTN_LIB_EMULATOR_SELECT_H

#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <initializer_list>

namespace attn::emulator {

/// An opcode split at its dots.
class Mnemonic {
public:
  explicit Mnemonic(llvm::StringRef opcode) {
    opcode.split(parts, '.');
    base = parts.front();
    parts.erase(parts.begin());
  }
  llvm::StringRef base;

  /// True if `modifier` was there; it is now used up.
  bool take(llvm::StringRef modifier) {
    auto *it = llvm::find(parts, modifier);
    if (it == parts.end())
      return false;
    parts.erase(it);
    return true;
  }
  /// The first of `modifiers` that is there, or "".
  llvm::StringRef takeAny(std::initializer_list<llvm::StringRef> modifiers) {
    for (llvm::StringRef m : modifiers)
      if (take(m))
        return m;
    return "";
  }
  /// The first type among the modifiers.
  Type takeType() {
    for (auto *it = parts.begin(); it != parts.end(); ++it)
      if (Type t = typeByName(*it); t != Type::None) {
        parts.erase(it);
        return t;
      }
    return Type::None;
  }
  /// Modifiers that select a cache policy, which has no effect here.
  void takeCacheHints() {
    llvm::erase_if(parts, [](llvm::StringRef p) {
      return p.starts_with("L1::evict") || p.starts_with("L1::no_allocate") ||
             p.starts_with("L2::evict") || p == "L2::64B" || p == "L2::128B" ||
             p == "L2::256B";
    });
  }
  bool done() const { return parts.empty(); }
  llvm::ArrayRef<llvm::StringRef> rest() const { return parts; }

private:
  llvm::SmallVector<llvm::StringRef, 8> parts;
};

/// One operand position as the handler wants it.
struct Slot {
  Type type;
  bool isResult = false;
  uint8_t count = 1;     ///< elements of a {vector}
  bool optional = false; ///< may be missing (row -1 stands for that) or _
};

inline Slot result(Type t, unsigned count = 1) {
  return {t, true, uint8_t(count), false};
}
inline Slot source(Type t, unsigned count = 1) {
  return {t, false, uint8_t(count), false};
}

struct Selection {
  const Statement *statement = nullptr; ///< for families whose form decides
  Handler handler = nullptr;
  InstructionClass cls = InstructionClass::Integer;
  llvm::SmallVector<Slot, 6> slots;
  bool allLanes = false;
  uint8_t flags = 0;
  int64_t imm = 0;

  /// Returns true, for use as the last line of a select function.
  bool set(Handler h, InstructionClass c, std::initializer_list<Slot> s) {
    handler = h;
    cls = c;
    slots.assign(s);
    return h != nullptr;
  }
};

/// Selects the operations that touch registers only: true if the mnemonic is
/// known. Compiled once for each instruction set of the host.
using SelectLanes = bool (*)(Mnemonic &, Selection &);
/// The best version for this machine.
SelectLanes hostSelectLanes();

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_SELECT_H
