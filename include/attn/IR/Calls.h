//===- Calls.h - what a call can be inlined for ----------------*- C++ -*-===//
//
// Recognition and differentiation read one function at a time. What a function
// calls is part of it once it is inlined; where that cannot be, whoever asks is
// told why, in words for a diagnostic at the call.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_CALLS_H
#define ATTN_IR_CALLS_H

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::attn {

/// The calls inside one symbol table, as it was when this was made.
class Calls {
public:
  explicit Calls(Operation *symbolTable) : graph(symbolTable) {}

  /// The body of what is called; null if there is none.
  Region *bodyOf(CallOpInterface call);

  /// Why a call cannot be replaced by the body of what it calls, as "@f has no
  /// body"; empty if it can. `oneBlock`: what it stands in must keep its
  /// blocks.
  std::string obstacleTo(CallOpInterface call, bool oneBlock);

  /// Puts what is called in the places of the calls in `root`, with what that
  /// calls in turn, by upstream's inliner, also where that asks not to be
  /// (`no_inline`). Calls with an obstacle stay, as do bodies of several
  /// blocks.
  void inlineInto(Operation *root);

private:
  bool reachesItself(Region *body);

  CallGraph graph;
  SymbolTableCollection symbols;
  DenseMap<Region *, bool> recursive;
};

} // namespace mlir::attn

#endif // ATTN_IR_CALLS_H
