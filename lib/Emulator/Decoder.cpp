//===- Decoder.cpp - Names, rows and operands -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;

namespace attn::emulator {

Expected<std::unique_ptr<Program>> decode(const ParsedModule &module,
                                          StringRef kernel) {
  const Function *f = module.find(kernel);
  if (!f || !f->isEntry || !f->hasBody) {
    std::string known;
    for (const Function &g : module.functions)
      if (g.isEntry)
        known += (known.empty() ? "" : ", ") + g.name;
    return createStringError(Twine(module.name) +
                             ": expected one of the kernels " + known +
                             ", got '" + kernel + "'");
  }
  auto program = std::make_unique<Program>();
  Decoder decoder(module, *program);
  if (!decoder.decodeKernel(*f))
    return createStringError(join(decoder.errors, "\n"));
  analyseControlFlow(*program);
  compactRegisters(*program);
  return program;
}

/// Messages quote this much of what they are about.
static constexpr size_t quoted = 300;

bool Decoder::fail(const Statement &s, const Twine &what) {
  if (errors.size() < 20)
    errors.push_back((Twine(module.name) + ":" + Twine(s.line) + ": " +
                      StringRef(what.str()).take_front(quoted) + ": " +
                      s.text.take_front(quoted))
                         .str());
  return false;
}

/// Loads, stores and conversions take registers wider than their type.
static bool takesWiderRegisters(const Statement &s) {
  StringRef base = StringRef(s.opcode).split('.').first;
  return base == "ld" || base == "ldu" || base == "st" || base == "cvt";
}

Decoder::Scope *Decoder::pushScope() {
  scopes.emplace_back();
  scopes.back().parent = scope;
  return scope = &scopes.back();
}

int32_t Decoder::newRow(Type type) {
  if (type == Type::Pred) {
    // Sixteen masks share a row's alignment.
    if (!predicatesLeft) {
      predicateChunk = int32_t(program.registerBytes);
      program.registerBytes += 64;
      predicatesLeft = 16;
    }
    int32_t row = predicateChunk + 4 * int32_t(16 - predicatesLeft--);
    program.rows.push_back({row, 4});
    return row;
  }
  int32_t row = int32_t(program.registerBytes);
  uint32_t bytes = warpSize * (sizeOf(type) == 8 ? 8 : 4);
  program.registerBytes += bytes;
  program.rows.push_back({row, bytes});
  return row;
}

int32_t Decoder::constantRow(uint64_t bits, bool wide) {
  if (!wide)
    bits = uint32_t(bits);
  auto [it, isNew] = constantRows.try_emplace({bits, wide}, 0);
  if (!isNew)
    return it->second;
  it->second = ~int32_t(8 * program.constants.size());
  uint64_t lane = wide ? bits : bits << 32 | bits;
  program.constants.insert(program.constants.end(),
                           wide ? warpSize : warpSize / 2, lane);
  return it->second;
}

int32_t Decoder::addressConstant(const Binding &b, StringRef name,
                                 int64_t addend, bool wide) {
  if (b.kind != Binding::ModuleVariable)
    return constantRow(uint64_t(b.address + addend), wide);
  int32_t row = ~int32_t(8 * program.constants.size());
  program.constants.insert(program.constants.end(),
                           wide ? warpSize : warpSize / 2, 0);
  program.relocations.push_back({uint32_t(~row), wide, name.str(), addend});
  return row;
}

void Decoder::declare(const Variable &v) {
  if (v.space == Space::Reg) {
    if (v.count)
      scope->families[v.name] = {v.type, v.count};
    else
      scope->names[v.name] = {Binding::Row, v.type, Space::Reg, newRow(v.type),
                              0};
    return;
  }
  Binding b{Binding::Memory, v.type, v.space, 0, 0};
  if (v.space == Space::Shared) {
    staticShared = alignTo(staticShared, v.align);
    b.address = int64_t(staticShared);
    staticShared += v.bytes;
  } else {
    // .local variables, and the .param ones of a call sequence.
    b.space = Space::Local;
    localBytes = alignTo(localBytes, v.align);
    b.address = int64_t(localBytes);
    localBytes += v.bytes;
  }
  scope->names[v.name] = b;
}

Decoder::Binding Decoder::bindModuleVariable(StringRef name) {
  auto known = moduleBindings.find(name);
  if (known != moduleBindings.end())
    return known->second;
  Binding b;
  for (const Variable &v : module.variables) {
    if (v.name != name)
      continue;
    b.type = v.type;
    b.space = v.space;
    if (v.space != Space::Shared) {
      b.kind = Binding::ModuleVariable;
      if (v.isExtern)
        continue; // a definition may follow
    } else {
      b.kind = Binding::Memory;
      if (v.isExtern) {
        // All dynamic arrays share one address, set after decoding.
        program.dynamicSharedOffset =
            std::max<uint32_t>(program.dynamicSharedOffset, uint32_t(v.align));
        b.kind = Binding::ModuleVariable;
      } else {
        staticShared = alignTo(staticShared, v.align);
        b.address = int64_t(staticShared);
        staticShared += v.bytes;
      }
    }
    break;
  }
  if (b.kind != Binding::None)
    moduleBindings[name] = b;
  return b;
}

Decoder::Binding Decoder::findSpecial(StringRef name) {
  auto known = specialBindings.find(name);
  if (known != specialBindings.end())
    return known->second;
  static const StringRef names[] = {"%tid.x",
                                    "%tid.y",
                                    "%tid.z",
                                    "%ntid.x",
                                    "%ntid.y",
                                    "%ntid.z",
                                    "%ctaid.x",
                                    "%ctaid.y",
                                    "%ctaid.z",
                                    "%nctaid.x",
                                    "%nctaid.y",
                                    "%nctaid.z",
                                    "%laneid",
                                    "%warpid",
                                    "%nwarpid",
                                    "%lanemask_eq",
                                    "%lanemask_le",
                                    "%lanemask_lt",
                                    "%lanemask_ge",
                                    "%lanemask_gt",
                                    "%smid",
                                    "%nsmid",
                                    "%gridid",
                                    "%dynamic_smem_size",
                                    "%total_smem_size",
                                    "%clusterid.x",
                                    "%clusterid.y",
                                    "%clusterid.z",
                                    "%nclusterid.x",
                                    "%nclusterid.y",
                                    "%nclusterid.z",
                                    "%cluster_ctaid.x",
                                    "%cluster_ctaid.y",
                                    "%cluster_ctaid.z",
                                    "%cluster_nctaid.x",
                                    "%cluster_nctaid.y",
                                    "%cluster_nctaid.z",
                                    "%cluster_ctarank",
                                    "%cluster_nctarank"};
  if (!is_contained(names, name))
    return {};
  Binding b{Binding::Row, Type::U32, Space::Reg, newRow(Type::U32), 0};
  program.specials.push_back({name.str(), b.row, false});
  specialBindings[name] = b;
  return b;
}

Decoder::Binding Decoder::find(StringRef name) {
  // %r12 of .reg .b32 %r<100>: the digits may split in more than one place.
  size_t digits = name.size();
  while (digits > 1 && isDigit(name[digits - 1]))
    --digits;
  for (Scope *s = scope; s; s = s->parent) {
    auto it = s->names.find(name);
    if (it != s->names.end())
      return it->second;
    for (size_t split = digits; split < name.size(); ++split) {
      auto family = s->families.find(name.take_front(split));
      uint32_t index;
      if (family == s->families.end() ||
          name.substr(split).getAsInteger(10, index) ||
          index >= family->second.second)
        continue;
      Type type = family->second.first;
      Binding b{Binding::Row, type, Space::Reg, newRow(type), 0};
      s->names[name] = b;
      return b;
    }
  }
  Binding b = findSpecial(name);
  return b.kind != Binding::None ? b : bindModuleVariable(name);
}

bool Decoder::immediate(const Statement &s, const Operand &o, Type type,
                        int32_t &row) {
  bool wide = sizeOf(type) == 8;
  if (type == Type::Pred) {
    if (o.kind != Operand::Integer)
      return fail(s, "expected 0 or 1 for a predicate");
    row = constantRow((o.integer != 0) != o.negated ? allLanes : 0, false);
    return true;
  }
  if (o.kind == Operand::Integer) {
    if (type == Type::F32 || type == Type::F64)
      return fail(s, "expected a floating point constant (0f or 0d), got '" +
                         Twine(o.integer) + "'");
    row = constantRow(uint64_t(o.integer), wide);
    return true;
  }
  double value;
  if (o.singleFloat) {
    uint32_t bits = uint32_t(o.integer);
    if (!wide) {
      row = constantRow(bits, false);
      return true;
    }
    float f;
    std::memcpy(&f, &bits, 4);
    value = f;
  } else {
    std::memcpy(&value, &o.integer, 8);
  }
  uint64_t bits = 0;
  if (wide) {
    std::memcpy(&bits, &value, 8);
  } else {
    if (isFloat(type) && type != Type::F32)
      return fail(s, "expected the bits of a 16-bit constant as an integer");
    float f = float(value);
    std::memcpy(&bits, &f, 4);
  }
  row = constantRow(bits, wide);
  return true;
}

bool Decoder::sourceRow(const Statement &s, const Operand &o, Type type,
                        int32_t &row) {
  if (o.kind == Operand::Integer || o.kind == Operand::Float)
    return immediate(s, o, type, row);
  if (o.kind == Operand::Vector && o.elements.size() == 1)
    return sourceRow(s, o.elements[0], type, row);
  if (o.kind != Operand::Name)
    return fail(s, "expected a register or a constant");
  if (o.name == "WARP_SZ") {
    row = constantRow(warpSize, sizeOf(type) == 8);
    return true;
  }
  Binding b = find(o.name);
  if (b.kind == Binding::None)
    return fail(s, "unknown name '" + o.name + "'");
  bool wide = sizeOf(type) == 8;
  if (b.kind != Binding::Row) {
    row = addressConstant(b, o.name, o.integer, wide);
    return true;
  }
  row = b.row;
  if ((type == Type::Pred) != (b.type == Type::Pred))
    return fail(s, "expected " +
                       Twine(type == Type::Pred
                                 ? "a predicate"
                                 : "a register that is no predicate") +
                       ", got '" + o.name + "'");
  if (o.negated) {
    if (type != Type::Pred)
      return fail(s, "expected '!' before predicates only");
    int32_t temp = newRow(Type::Pred);
    emitAdapter(s, "not.pred", {temp, row}, false);
    row = temp;
  } else if (wide != (sizeOf(b.type) == 8)) {
    if (wide)
      return fail(s, "expected a 64-bit register, got '" + o.name + "'");
    if (!takesWiderRegisters(s))
      return fail(s, "expected a register of at most 32 bits, got '" + o.name +
                         "', which has 64");
    int32_t temp = newRow(Type::U32);
    emitAdapter(s, "cvt.u32.u64", {temp, row}, false);
    row = temp;
  }
  return true;
}

bool Decoder::resultRow(const Statement &s, const Operand &o, const Slot &slot,
                        int32_t &row) {
  if (o.kind == Operand::Sink) {
    row = slot.optional ? -1 : newRow(slot.type);
    return true;
  }
  if (o.kind == Operand::Vector && o.elements.size() == 1)
    return resultRow(s, o.elements[0], slot, row);
  Binding b = o.kind == Operand::Name ? find(o.name) : Binding();
  if (b.kind != Binding::Row)
    return fail(s, "expected a register for the result, got '" + o.name + "'");
  if ((slot.type == Type::Pred) != (b.type == Type::Pred))
    return fail(s,
                "expected a result register of the instruction's type, got '" +
                    o.name + "'");
  row = b.row;
  bool wide = sizeOf(slot.type) == 8;
  if (wide == (sizeOf(b.type) == 8))
    return true;
  if (wide)
    return fail(s, "expected a 64-bit result register, got '" + o.name + "'");
  if (!takesWiderRegisters(s))
    return fail(s, "expected a result register of at most 32 bits, got '" +
                       o.name + "', which has 64");
  // A wider register takes the extended value.
  int32_t temp = newRow(Type::U32);
  pending.push_back(
      {isSigned(slot.type) ? "cvt.s64.s32" : "cvt.u64.u32", row, temp});
  row = temp;
  return true;
}

bool Decoder::addressOf(const Statement &s, const Operand &o, Space space,
                        AddressOperand &a) {
  if (o.kind != Operand::Address || !o.elements.empty())
    return fail(s, "expected an address [register or symbol + offset]");
  a.space = space;
  a.offset = o.integer;
  if (o.name.empty()) {
    a.row = constantRow(0, true);
    a.wide = true;
    return true;
  }
  Binding b = find(o.name);
  switch (b.kind) {
  case Binding::None:
    return fail(s, "unknown name '" + o.name + "'");
  case Binding::Row:
    a.row = b.row;
    a.wide = sizeOf(b.type) == 8;
    if (b.type == Type::Pred || sizeOf(b.type) < 4)
      return fail(s, "expected an address register, got '" + o.name + "'");
    return true;
  case Binding::Memory:
  case Binding::ModuleVariable:
    // A parameter of an inlined function lives in the caller's local frame.
    if (space == Space::Param || space == Space::Reg)
      a.space = b.space == Space::Const ? Space::Global : b.space;
    a.row = addressConstant(b, o.name, 0, true);
    a.wide = true;
    return true;
  }
  return false;
}

bool Decoder::bindSlots(const Statement &s, ArrayRef<Slot> slots,
                        SmallVectorImpl<int32_t> &rows) {
  size_t next = 0;
  // d|p: the second result comes with the first operand.
  bool paired = slots.size() > 1 && slots[1].isResult && slots[1].optional;
  size_t expected = slots.size() - (paired ? 1 : 0);
  if (s.operands.size() != expected)
    return fail(s, "expected " + Twine(expected) + " operands, got " +
                       Twine(s.operands.size()));
  for (size_t k = 0; k != slots.size(); ++k) {
    const Slot &slot = slots[k];
    int32_t row = -1;
    if (paired && k == 1) {
      StringRef second = s.operands[0].second;
      if (!second.empty() && second != "_") {
        Operand o;
        o.name = second;
        if (!resultRow(s, o, slot, row))
          return false;
      }
      rows.push_back(row);
      continue;
    }
    const Operand &o = s.operands[next++];
    if (!o.second.empty() && !(paired && k == 0))
      return fail(s, "expected a single register, got '" + o.name + "|" +
                         o.second + "'");
    if (slot.count == 1) {
      if (slot.isResult ? !resultRow(s, o, slot, row)
                        : !sourceRow(s, o, slot.type, row))
        return false;
      rows.push_back(row);
      continue;
    }
    if (o.kind != Operand::Vector || o.elements.size() != slot.count)
      return fail(s, "expected a vector of " + Twine(unsigned(slot.count)));
    for (const Operand &e : o.elements) {
      if (slot.isResult ? !resultRow(s, e, slot, row)
                        : !sourceRow(s, e, slot.type, row))
        return false;
      rows.push_back(row);
    }
  }
  return true;
}

} // namespace attn::emulator
