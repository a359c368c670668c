//===- Case.h - one line of a speed table -----------------------*- C++ -*-===//
//
// A case names an attention by its shape, types, mask and score function, and
// the machine it is compiled for. It becomes a module with one function @main
// that holds one attn op; its work is counted by the cost model, so that a
// masked case is credited with the pairs that are visible and no others.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TOOLS_BENCH_CASE_H
#define ATTN_TOOLS_BENCH_CASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace mlir::attn::bench {

enum class Mask { None, Causal, Window };
enum class Score { Plain, Bias, SoftCap };

struct Case {
  int64_t batch = 1, heads = 1, queries = 1024, depth = 64;
  int64_t kvHeads = 0; ///< 0: as many as heads
  int64_t keys = 0;    ///< 0: as many as queries
  std::string dtype = "f32";
  Mask mask = Mask::None;
  int64_t window = 0; ///< keys a row sees, its own included
  Score score = Score::Plain;
  bool backward = false;
  std::string target; ///< empty: this machine
  unsigned threads = 1;

  int64_t keyHeads() const { return kvHeads ? kvHeads : heads; }
  int64_t keyCount() const { return keys ? keys : queries; }
  unsigned elementBytes() const;

  /// Pairs of a row and a key that it sees, of one head.
  double visiblePairs() const;
  /// Of the products alone: two forward, five backward, 2 per multiply-add.
  double flops() const;
  /// K and V, read once.
  double keyValueBytes() const;

  /// "1x8x1024x64 f32 causal 2 threads".
  std::string name() const;
  std::string moduleText() const;
};

/// "B,H,N,D".
llvm::Error parseShape(llvm::StringRef text, Case &result);
llvm::Error parseType(llvm::StringRef text, Case &result);
/// none, causal, window=W.
llvm::Error parseMask(llvm::StringRef text, Case &result);
/// none, bias, softcap.
llvm::Error parseScore(llvm::StringRef text, Case &result);

} // namespace mlir::attn::bench

#endif // ATTN_TOOLS_BENCH_CASE_H
