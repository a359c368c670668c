//===- VisibleTesting.h - Masks for tests, and brute force ------*- C++ -*-===//
//
// Named masks over (b, m, n) with the symbols B, M, N, L, and random ones. The
// oracle looks at every point with a membership test of its own: each mask
// comes with a plain predicate; for random sets constraints are evaluated one
// by one.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TEST_UNIT_SUPPORT_VISIBLETESTING_H
#define ATTN_TEST_UNIT_SUPPORT_VISIBLETESTING_H

#include "attn/Support/Visible.h"
#include <functional>
#include <random>

namespace attn::masks {

inline const Expr b = Expr::dim(0), m = Expr::dim(1), n = Expr::dim(2);
inline const Expr M = Expr::symbol(1), N = Expr::symbol(2), L = Expr::symbol(3);
constexpr unsigned kDims = 3, kSymbols = 4;

inline Constraint ge(Expr e) { return {std::move(e), false}; }
inline Constraint eq(Expr e) { return {std::move(e), true}; }
inline Visible
makeVisible(std::initializer_list<std::initializer_list<Constraint>> sets) {
  llvm::SmallVector<AffineSet> list;
  for (auto &set : sets)
    list.push_back(AffineSet{set});
  return Visible(kDims, kSymbols, list);
}

struct Mask {
  const char *name;
  Visible visible;
  // (m, n, M, N, L)
  std::function<bool(int64_t, int64_t, int64_t, int64_t, int64_t)> isVisible;
};

inline std::vector<Mask> namedMasks() {
  using I = int64_t;
  return {
      {"all", Visible::all(kDims, kSymbols),
       [](I, I, I, I, I) { return true; }},
      {"none", Visible::none(kDims, kSymbols),
       [](I, I, I, I, I) { return false; }},
      {"causal", makeVisible({{ge(m - n)}}),
       [](I m, I n, I, I, I) { return n <= m; }},
      {"causal, bottom right", makeVisible({{ge(m - n + N - M)}}),
       [](I m, I n, I M, I N, I) { return n <= m + (N - M); }},
      {"window", makeVisible({{ge(m - n), ge(n - m + 6)}}),
       [](I m, I n, I, I, I) { return n <= m && m - n < 7; }},
      {"prefix", makeVisible({{ge(m - n)}, {ge(L - 1 - n)}}),
       [](I m, I n, I, I, I L) { return n <= m || n < L; }},
      {"chunked", makeVisible({{eq(m.floorDiv(5) - n.floorDiv(5))}}),
       [](I m, I n, I, I, I) { return m / 5 == n / 5; }},
      {"chunked causal",
       makeVisible({{ge(m.floorDiv(4) - n.floorDiv(4)), ge(m - n)}}),
       [](I m, I n, I, I, I) { return n / 4 <= m / 4 && n <= m; }},
      {"dilated", makeVisible({{eq((m - n).mod(4)), ge(m - n)}}),
       [](I m, I n, I, I, I) { return n <= m && (m - n) % 4 == 0; }},
      {"lengths", makeVisible({{ge(L - 1 - n)}}),
       [](I, I n, I, I, I L) { return n < L; }},
      {"diagonal", makeVisible({{eq(m - n)}}),
       [](I m, I n, I, I, I) { return m == n; }},
      {"sinks and window",
       makeVisible({{ge(m - n), ge(n - m + 3)}, {ge(m - n), ge(2 - n)}}),
       [](I m, I n, I, I, I) { return n <= m && (m - n < 4 || n < 3); }},
      {"off diagonal", makeVisible({{ge(m - n - 1)}, {ge(n - m - 1)}}),
       [](I m, I n, I, I, I) { return m != n; }},
      {"strided columns", makeVisible({{ge(m - 3 * n), eq(n.mod(3) - 1)}}),
       [](I m, I n, I, I, I) { return 3 * n <= m && n % 3 == 1; }},
  };
}

class RandomVisible {
public:
  explicit RandomVisible(unsigned seed) : rng(seed) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }
  Expr linear() {
    return pick(-1, 1) * b + pick(-3, 3) * m + pick(-3, 3) * n +
           pick(-1, 1) * L + pick(-12, 12);
  }
  Expr expr() {
    switch (pick(0, 5)) {
    case 0:
      return linear() + pick(-2, 2) * linear().floorDiv(pick(2, 7));
    case 1:
      return linear() + pick(-2, 2) * linear().mod(pick(2, 5));
    case 2:
      return pick(-3, 3) * m.floorDiv(pick(1, 6)) -
             pick(0, 3) * n.floorDiv(pick(1, 6)) + pick(-1, 1);
    default:
      return linear();
    }
  }
  Visible next() {
    llvm::SmallVector<AffineSet> sets;
    for (int64_t s = pick(0, 3); s > 0; --s) {
      AffineSet set;
      for (int64_t c = pick(0, 3); c > 0; --c)
        set.constraints.push_back({expr(), pick(0, 5) == 0});
      sets.push_back(std::move(set));
    }
    return Visible(kDims, kSymbols, sets);
  }
  Range range(int64_t lo, int64_t hi) {
    int64_t a = pick(lo, hi), c = pick(lo, hi);
    return {std::min(a, c), std::max(a, c) + 1};
  }

private:
  std::mt19937 rng;
};

inline bool isVisibleByConstraints(const Visible &visible,
                                   llvm::ArrayRef<int64_t> point,
                                   llvm::ArrayRef<int64_t> symbols) {
  for (const AffineSet &set : visible.sets()) {
    bool all = true;
    for (const Constraint &c : set.constraints) {
      int64_t value = c.expr.evaluate(point, symbols);
      all &= c.isEquality ? value == 0 : value >= 0;
    }
    if (all)
      return true;
  }
  return false;
}

/// Visible and total points of a box.
inline std::pair<int64_t, int64_t> tally(const Visible &visible,
                                         llvm::ArrayRef<Range> box,
                                         llvm::ArrayRef<int64_t> symbols) {
  int64_t seen = 0, total = 0;
  for (int64_t b = box[0].begin; b < box[0].end; ++b)
    for (int64_t m = box[1].begin; m < box[1].end; ++m)
      for (int64_t n = box[2].begin; n < box[2].end; ++n, ++total)
        seen += isVisibleByConstraints(visible, {b, m, n}, symbols);
  return {seen, total};
}

inline BlockKind kindOf(std::pair<int64_t, int64_t> seenOfTotal) {
  auto [seen, total] = seenOfTotal;
  return seen == 0       ? BlockKind::Empty
         : seen == total ? BlockKind::Full
                         : BlockKind::Partial;
}

} // namespace attn::masks

#endif // ATTN_TEST_UNIT_SUPPORT_VISIBLETESTING_H
