//===- DecodeStatement.cpp - Statements to instructions -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Warp.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace attn::emulator {

Inst &Decoder::emit(const Statement &s, Inst inst, ArrayRef<int32_t> rows,
                    uint32_t results, uint32_t plain) {
  for (size_t k = 0; k != rows.size(); ++k)
    program.roles.push_back(plain >> k & 1     ? OperandRole::Plain
                            : results >> k & 1 ? OperandRole::Result
                                               : OperandRole::Source);
  inst.firstOperand = uint32_t(program.operands.size());
  inst.operandCount = uint8_t(rows.size());
  program.operands.insert(program.operands.end(), rows.begin(), rows.end());
  inst.statement = uint32_t(program.statements.size());
  program.statements.push_back({s.line, s.text});
  program.code.push_back(inst);
  return program.code.back();
}

/// A conversion that the text does not spell out. `after`: the statement's own
/// guard applies, since it must not overwrite where the statement did not.
void Decoder::emitAdapter(const Statement &s, const char *opcode,
                          ArrayRef<int32_t> rows, bool after) {
  Mnemonic m(opcode);
  Selection selection;
  Statement plain;
  selection.statement = &plain;
  if (!selectLanes(m, selection)) {
    fail(s, Twine("no handler for ") + opcode);
    return;
  }
  Inst inst;
  inst.handler = selection.handler;
  inst.imm = selection.imm;
  inst.counted = false;
  if (after && !setGuard(s, inst))
    return;
  emit(s, inst, rows, 1);
}

bool Decoder::setGuard(const Statement &s, Inst &inst) {
  if (s.guard.empty())
    return true;
  Binding b = find(s.guard);
  if (b.kind != Binding::Row || b.type != Type::Pred)
    return fail(s, "expected a predicate after '@', got '" + s.guard + "'");
  inst.guard = b.row;
  inst.guardNegated = s.guardNegated;
  return true;
}

bool Decoder::decodeKernel(const Function &kernel) {
  program.name = kernel.name;
  // An offset of 0 would read as ~0 = -1, which stands for no operand.
  program.constants.assign(8, 0);
  std::copy(std::begin(kernel.requiredBlock), std::end(kernel.requiredBlock),
            program.requiredBlock);
  program.maxThreads = kernel.maxThreads;
  pushScope();
  for (const Variable &v : kernel.params) {
    parameterBytes = alignTo(parameterBytes, v.align);
    program.parameters.push_back({v.name, v.bytes, v.align, parameterBytes});
    scope->names[v.name] = {Binding::Memory, v.type, Space::Param, 0,
                            int64_t(parameterBytes)};
    parameterBytes += v.bytes;
  }
  callStack.push_back(&kernel);
  decodeBody(kernel);
  callStack.pop_back();
  popScope();

  // Falling off the end is a return.
  Statement end;
  end.line = kernel.body.empty() ? kernel.line : kernel.body.back().line;
  Inst exit;
  exit.kind = Inst::Exit;
  exit.cls = InstructionClass::Control;
  exit.counted = false;
  emit(end, exit, {});

  auto limit = [&](const char *what, uint64_t bytes, uint64_t most) {
    if (bytes > most)
      errors.push_back((Twine(module.name) + ":" + Twine(kernel.line) +
                        ": expected at most " + Twine(most) + " bytes of " +
                        what + ", got " + Twine(bytes))
                           .str());
  };
  limit("local memory per thread", localBytes, 512 * 1024);
  limit("static shared memory", staticShared, 1024 * 1024);
  limit("parameters", parameterBytes, 32764);
  program.localBytes = uint32_t(localBytes);
  program.staticShared = uint32_t(staticShared);
  program.parameterBytes = uint32_t(parameterBytes);
  if (!errors.empty())
    return false;

  // The address of the dynamic arrays is known now.
  uint32_t align = std::max<uint32_t>(program.dynamicSharedOffset, 16);
  program.dynamicSharedOffset = uint32_t(alignTo(program.staticShared, align));
  erase_if(program.relocations, [&](const Program::Reloc &r) {
    auto it = moduleBindings.find(r.symbol);
    if (it == moduleBindings.end() || it->second.space != Space::Shared)
      return false;
    uint64_t address = program.dynamicSharedOffset + uint64_t(r.addend);
    uint64_t lane = r.wide ? address : address << 32 | uint32_t(address);
    std::fill_n(program.constants.begin() + r.offset / 8,
                r.wide ? warpSize : warpSize / 2, lane);
    return true;
  });
  for (Inst &i : program.code)
    i.op = program.operands.data() + i.firstOperand;
  return errors.empty();
}

bool Decoder::decodeBody(const Function &f) {
  pushScope();
  scope_exit leave([&] { popScope(); });
  size_t firstFixup = fixups.size();
  for (const Statement &s : f.body) {
    switch (s.kind) {
    case Statement::ScopeBegin:
      pushScope();
      break;
    case Statement::ScopeEnd:
      popScope();
      break;
    case Statement::Declaration:
      declare(f.variables[s.variable]);
      break;
    case Statement::Label:
      if (!scope->labels.try_emplace(s.opcode, int32_t(program.code.size()))
               .second)
        fail(s, "expected one place for this label, got another");
      if (!s.operands.empty())
        scope->tables[s.opcode] = &s;
      break;
    case Statement::Instruction:
      pending.clear();
      if (decodeStatement(s))
        for (const Pending &p : pending)
          emitAdapter(s, p.opcode, {p.to, p.from}, true);
      break;
    }
  }
  return resolveLabels(firstFixup);
}

bool Decoder::resolveLabels(size_t firstFixup) {
  for (size_t k = firstFixup; k != fixups.size(); ++k) {
    const Fixup &f = fixups[k];
    int32_t target = -1;
    for (Scope *s = f.scope; s && target < 0; s = s->parent)
      if (auto it = s->labels.find(f.label); it != s->labels.end())
        target = it->second;
    if (target < 0)
      fail(*f.statement, "unknown label '" + f.label + "'");
    program.code[f.inst].target = target;
  }
  fixups.resize(firstFixup);
  return errors.empty();
}

bool Decoder::decodeStatement(const Statement &s) {
  Mnemonic m(s.opcode);
  bool handled = false;
  if (!decodeControl(s, m, handled) || handled)
    return handled && errors.empty();
  if (!decodeMemory(s, m, handled) || handled)
    return handled && errors.empty();
  Selection selection;
  selection.statement = &s;
  if (!selectLanes(m, selection))
    return fail(s, "unknown opcode '" + s.opcode + "'");
  return decodeSimple(s, selection);
}

bool Decoder::decodeSimple(const Statement &s, const Selection &selection) {
  SmallVector<int32_t, 16> rows;
  if (!bindSlots(s, selection.slots, rows))
    return false;
  uint32_t results = 0, position = 0;
  for (const Slot &slot : selection.slots) {
    uint32_t ones = (1u << slot.count) - 1;
    results |= slot.isResult ? ones << position : 0;
    position += slot.count;
  }
  Inst inst;
  inst.handler = selection.handler;
  inst.cls = selection.cls;
  inst.imm = selection.imm;
  inst.flags = selection.flags;
  inst.allLanes = selection.allLanes;
  if (!setGuard(s, inst))
    return false;
  emit(s, inst, rows, results);
  return true;
}

bool Decoder::finish(const Statement &s, Mnemonic &m) {
  if (m.done())
    return true;
  return fail(s, "unknown modifier '." + m.rest().front() + "' in opcode '" +
                     s.opcode + "'");
}

bool Decoder::decodeControl(const Statement &s, Mnemonic &m, bool &handled) {
  handled = true;
  StringRef base = m.base;
  Inst inst;
  inst.cls = InstructionClass::Control;
  if (base == "bra")
    return decodeBranch(s, m);
  if (base == "brx")
    return decodeTableBranch(s, m);
  if (base == "call")
    return decodeCall(s);
  if (base == "bar" || base == "barrier")
    return decodeBarrier(s, m);
  if (base == "ret" || base == "exit") {
    m.take("uni");
    if (!finish(s, m) || !setGuard(s, inst))
      return false;
    if (base == "ret" && callStack.size() > 1) {
      inst.kind = Inst::Branch;
      returns->push_back(program.code.size());
    } else {
      inst.kind = Inst::Exit;
    }
    emit(s, inst, {});
    return true;
  }
  if (base == "trap") {
    inst.kind = Inst::Trap;
    if (!finish(s, m) || !setGuard(s, inst))
      return false;
    emit(s, inst, {});
    return true;
  }
  if (base == "membar" || base == "fence" || base == "nanosleep" ||
      base == "prefetch" || base == "prefetchu" || base == "griddepcontrol" ||
      base == "pmevent") {
    // Memory is coherent here and CTAs do not overlap in a way that a fence
    // could order: these take an issue slot and nothing else.
    inst.handler = &nothingOp;
    if (base == "membar" || base == "fence")
      inst.cls = InstructionClass::Barrier;
    if (!setGuard(s, inst))
      return false;
    emit(s, inst, {});
    return true;
  }
  if (base == "mov" && s.operands.size() == 2 &&
      (s.operands[1].name.starts_with("%clock") ||
       s.operands[1].name.starts_with("%globaltimer"))) {
    Type t = m.takeType();
    int32_t row = -1;
    if ((t != Type::U32 && t != Type::U64 && t != Type::B32 &&
         t != Type::B64) ||
        !resultRow(s, s.operands[0], result(t), row) || !setGuard(s, inst))
      return fail(s, "expected a 32 or 64 bit type");
    inst.handler = &clockOp;
    inst.width = uint8_t(sizeOf(t));
    inst.cls = InstructionClass::Move;
    emit(s, inst, {row}, 1);
    return true;
  }
  handled = false;
  return true;
}

bool Decoder::decodeBranch(const Statement &s, Mnemonic &m) {
  m.take("uni");
  if (!finish(s, m))
    return false;
  if (s.operands.size() != 1 || s.operands[0].kind != Operand::Name)
    return fail(s, "expected a label");
  Inst inst;
  inst.kind = Inst::Branch;
  inst.cls = InstructionClass::Control;
  if (!setGuard(s, inst))
    return false;
  fixups.push_back({program.code.size(), s.operands[0].name, scope, &s});
  emit(s, inst, {});
  return true;
}

/// brx.idx i, table: one comparison and branch after the other. An index beyond
/// the table is at fault.
bool Decoder::decodeTableBranch(const Statement &s, Mnemonic &m) {
  bool isIndexed = m.take("idx");
  m.take("uni");
  if (!isIndexed || !finish(s, m) || s.operands.size() != 2 ||
      s.operands[1].kind != Operand::Name)
    return fail(s, "expected brx.idx, an index and a label of .branchtargets");
  const Statement *table = nullptr;
  for (Scope *at = scope; at && !table; at = at->parent)
    table = at->tables.lookup(s.operands[1].name);
  if (!table)
    return fail(s, "expected a label of .branchtargets above, got '" +
                       s.operands[1].name + "'");
  int32_t index;
  if (!sourceRow(s, s.operands[0], Type::U32, index))
    return false;
  Inst inst;
  inst.kind = Inst::Branch;
  inst.cls = InstructionClass::Control;
  if (!setGuard(s, inst))
    return false;
  // The one that counts is the way past the table, taken where the guard is
  // off.
  size_t past = program.code.size();
  inst.guardNegated = !inst.guardNegated;
  emit(s, inst, {});
  bool isGuarded = inst.guard != -1;
  inst.counted = false;
  inst.guardNegated = false;
  for (auto [number, target] : enumerate(table->operands)) {
    inst.guard = newRow(Type::Pred);
    emitAdapter(s, "setp.eq.u32",
                {inst.guard, -1, index, constantRow(number, false), -1}, false);
    fixups.push_back({program.code.size(), target.name, scope, &s});
    emit(s, inst, {});
  }
  Inst beyond;
  beyond.kind = Inst::Trap;
  beyond.cls = InstructionClass::Control;
  beyond.counted = false;
  emit(s, beyond, {});
  program.code[past].target =
      int32_t(isGuarded ? program.code.size() : past + 1);
  return true;
}

bool Decoder::decodeCall(const Statement &s) {
  const Operand *name = nullptr, *results = nullptr, *args = nullptr;
  for (const Operand &o : s.operands) {
    if (o.kind == Operand::Name && !name)
      name = &o;
    else if (o.kind == Operand::List)
      (name ? args : results) = &o;
  }
  const Function *f = name ? module.find(name->name) : nullptr;
  if (!f)
    return fail(s, "expected the name of a function of this module: indirect "
                   "calls are not supported");
  if (f->name == "__assertfail") {
    Inst trap;
    trap.kind = Inst::Trap;
    trap.cls = InstructionClass::Control;
    if (!setGuard(s, trap))
      return false;
    emit(s, trap, {});
    return true;
  }
  if (!f->hasBody)
    return fail(s, "expected a function with a body, '" + f->name +
                       "' is only declared");
  if (is_contained(callStack, f))
    return fail(s, "recursion is not supported: functions are inlined");
  size_t nArgs = args ? args->elements.size() : 0;
  size_t nResults = results ? results->elements.size() : 0;
  if (nArgs != f->params.size() || nResults != f->results.size())
    return fail(s, "expected " + Twine(f->params.size()) + " arguments and " +
                       Twine(f->results.size()) + " results");
  Inst call;
  call.kind = Inst::Branch;
  call.cls = InstructionClass::Control;
  if (!setGuard(s, call))
    return false;
  // The call costs one control instruction; a guard skips it.
  call.guardNegated = !call.guardNegated;
  bool guarded = call.guard != -1;
  size_t skip = program.code.size();
  emit(s, call, {});

  // A register argument is copied; a .param one is the caller's variable.
  Scope *caller = scope;
  Scope bindings;
  Statement unguarded = s;
  unguarded.guard = "";
  auto bind = [&](const Variable &formal, const Operand &actual,
                  bool isResult) -> bool {
    if (formal.space != Space::Reg) {
      Binding b = actual.kind == Operand::Name ? find(actual.name) : Binding();
      if (b.kind != Binding::Memory)
        return fail(s, "expected a .param variable for '" + formal.name + "'");
      bindings.names[formal.name] = b;
      return true;
    }
    Binding b{Binding::Row, formal.type, Space::Reg, newRow(formal.type), 0};
    bindings.names[formal.name] = b;
    int32_t from;
    if (isResult)
      return true;
    if (!sourceRow(unguarded, actual, formal.type, from))
      return false;
    emitAdapter(s,
                formal.type == Type::Pred  ? "mov.pred"
                : sizeOf(formal.type) == 8 ? "mov.b64"
                                           : "mov.b32",
                {b.row, from}, false);
    return true;
  };
  for (size_t k = 0; k != nArgs; ++k)
    if (!bind(f->params[k], args->elements[k], false))
      return false;
  for (size_t k = 0; k != nResults; ++k)
    if (!bind(f->results[k], results->elements[k], true))
      return false;

  // The callee sees module names and its parameters only.
  scope = nullptr;
  Scope *inner = pushScope();
  inner->names = bindings.names;
  std::vector<size_t> leaving, *outer = returns;
  returns = &leaving;
  callStack.push_back(f);
  auto keep = std::move(pending);
  bool ok = decodeBody(*f);
  pending = std::move(keep);
  callStack.pop_back();
  returns = outer;
  scope = caller;
  for (size_t k : leaving)
    program.code[k].target = int32_t(program.code.size());
  for (size_t k = 0; k != nResults; ++k) {
    const Variable &formal = f->results[k];
    if (formal.space != Space::Reg)
      continue;
    int32_t to;
    if (!resultRow(s, results->elements[k], result(formal.type), to))
      return false;
    emitAdapter(s,
                formal.type == Type::Pred  ? "mov.pred"
                : sizeOf(formal.type) == 8 ? "mov.b64"
                                           : "mov.b32",
                {to, bindings.names[formal.name].row}, false);
  }
  program.code[skip].target = int32_t(guarded ? program.code.size() : skip + 1);
  return ok;
}

bool Decoder::decodeBarrier(const Statement &s, Mnemonic &m) {
  Inst inst;
  inst.cls = InstructionClass::Barrier;
  if (!setGuard(s, inst))
    return false;
  if (m.take("warp")) {
    int32_t members;
    if (!m.take("sync") || !finish(s, m) || s.operands.size() != 1 ||
        !sourceRow(s, s.operands[0], Type::B32, members))
      return fail(s, "expected bar.warp.sync and a member mask");
    inst.kind = Inst::WarpBarrier;
    emit(s, inst, {members});
    return true;
  }
  m.take("cta");
  m.take("aligned");
  inst.kind = Inst::Barrier;
  int32_t target = -1, id = -1, count = -1, predicate = -1;
  size_t next = 0;
  if (m.take("red")) {
    StringRef op = m.takeAny({"popc", "and", "or"});
    Type t = m.takeType();
    inst.flags = op == "popc"  ? BarrierPopc
                 : op == "and" ? BarrierAnd
                               : BarrierOr;
    if (op.empty() || s.operands.size() < 3 ||
        !resultRow(s, s.operands[next++], result(t), target) ||
        !sourceRow(s, s.operands.back(), Type::Pred, predicate))
      return fail(s, "expected bar.red.{popc,and,or} d, barrier{, count}, p");
  } else if (m.take("arrive")) {
    inst.flags = BarrierArrive;
  } else if (m.take("sync")) {
    inst.flags = BarrierSync;
  } else {
    return fail(s, "unknown opcode '" + s.opcode + "'");
  }
  size_t end = s.operands.size() - (predicate != -1 ? 1 : 0);
  if (!finish(s, m))
    return false;
  if (next >= end || !sourceRow(s, s.operands[next++], Type::U32, id))
    return fail(s, "expected a barrier number");
  if (next < end && !sourceRow(s, s.operands[next++], Type::U32, count))
    return false;
  if (next != end || (inst.flags == BarrierArrive && count == -1))
    return fail(s, "expected a barrier number and a thread count");
  emit(s, inst, {id, count, target, predicate}, 1u << 2);
  return true;
}

} // namespace attn::emulator
