//===- Algebra.h - The mathematics of online softmax ------------*- C++ -*-===//
//
// Everything this compiler does rests on one fact: softmax-weighted averages
// can be computed piecewise. This page states it once; ops, passes, kernels and
// the cost model point here.
//
// The state of a row
// ------------------
// A query has scores s_j and values v_j at its keys j. Over any set of keys
// keep
//
//     r     a reference, a number near the largest score
//     l     = sum_j e^(s_j - r)
//     acc   = sum_j e^(s_j - r) v_j             (a vector, as long as v_j)
//
// Then acc / l is the softmax-weighted average of the v_j over these keys, and
// it does not depend on r: a change of reference multiplies l and acc alike. r
// only keeps the exponentials in range. It is usually the running maximum, so
// that every exponent is <= 0; a GPU kernel may leave it up to 8 log2-units
// below, so that it seldom has to rescale.
//
// Two states over disjoint keys combine by moving both to one reference:
//
//     r   = max(r1, r2)
//     l   = l1 e^(r1 - r')   + l2 e^(r2 - r')
//     acc = acc1 e^(r1 - r') + acc2 e^(r2 - r')       r' = (r == -inf ? 0 : r)
//
// r' is there for states without a key: -inf - -inf would be NaN, whereas
// e^(-inf - 0) is exactly +0. In every implementation exp(-inf) is +0 and
// exp(NaN) is NaN.
//
// `merge` is associative and commutative and has the identity (-inf, 0, 0): the
// states form a commutative monoid. All schedules follow from that alone:
//
//     online softmax     a fold over blocks of keys, in order
//     split keys         partial folds, merged (flash decoding)
//     ring attention     partial folds on different machines, merged
//     masked blocks      left out: they are the identity
//     attention sink     one more key with a score and no value
//
// A block of keys folded into a state is a merge whose right side is made on
// the spot; `fold` writes it out:
//
//     r_new = max(r, max_j s_j)
//     p_j   = e^(s_j - r'),  corr = e^(r - r')
//     l     = l corr + sum_j p_j,   acc = acc corr + sum_j p_j v_j
//
// An example, the scores 1, 3 | 2, 4 in blocks of two (values left out):
//
//     block 1   r = 3   corr = e^(-inf) = 0   l = e^-2 + 1          = 1.1353
//     block 2   r = 4   corr = e^-1 = .3679   l = .4177 + e^-2 + 1  = 1.5530
//     at once   r = 4                         l = e^-3 + e^-1 + e^-2 + 1
//
// The result of a row
// -------------------
//     O = acc / l        LSE = r + log l       (natural logarithm)
//
// A row is *empty* if l = 0: it had no key, or only scores of -inf. Its LSE is
// -inf, and its O what `EmptyRows` says: NaN (0/0, exporters' -inf masks) or 0
// (the guard in PyTorch's scaled_dot_product_attention). A NaN score makes O
// and LSE NaN. l sums the p_j in the accumulate type, before they are rounded
// for the product with V and before any weight (dropout) is applied.
//
// (O, LSE) is itself a state: (LSE, 1, O), since its l is e^(LSE - LSE). So
// finished results merge too; with LSE = -inf they are the identity, whatever O
// holds.
//
// A sink is a score t without a value: the initial state is (t, 1, 0), or the
// identity if t = -inf. Exactly one part of a split starts from it. Then with
// no key O = 0 and LSE = t. softmax1, 1 in the denominator, is t = 0.
//
// Hidden keys that have a score
// -----------------------------
// Some models do not remove a hidden key but give it a score c, such as
// finfo.min or -1e9. Leaving it out is exact when e^(c - r) is 0 in the
// accumulate type; that is tested and not assumed. With `CompletionThreshold` T
// the hidden keys of a block of rows are folded, as scores c, if some row has
// r - c < T. T is the magnitude of the exponent at which exp gives +0 even in
// subnormals, rounded up:
//
//     f32   2^-149 / 2 = 2^-150  ->  104 natural units;    105    (151.5 log2)
//     f64   2^-1074 / 2 = 2^-1075 -> 745.1 natural units;  746    (1076.3 log2)
//
// Backward
// --------
// Let X be the scores that softmax sees (after scale, extras, masks), Z the
// weights that multiply P (1 without dropout), P = e^(X - LSE), O = (P.Z) V.
// P is made again from LSE, a number per row, instead of being kept. With
// incoming dO, and dLSE if LSE was a result:
//
//     D  = rowsum(dO.O) - dLSE           one number per row
//     dV = (P.Z)^T dO                    dP = Z.(dO V^T)
//     dX = P.(dP - D)                    dZ = P.(dO V^T)
//     (dS, dextras) = the vector-Jacobian product of the score function with
//                     (dX, dZ); S = scale Q K^T
//     dQ = scale dS K      dK = scale dS^T Q      dsink = -sum e^(sink - LSE) D
//
// dX is the softmax's Jacobian diag(p) - p p^T applied to dP: p_j (dP_j -
// sum_i p_i dP_i), where sum_i p_i dP_i = sum_i p_i z_i dO.v_i = dO.O takes no
// sum over keys. dLSE enters with d LSE / d x_j = p_j. A key that is hidden
// sends nothing back through its score. Every gradient is summed, in a fixed
// order, over all dims that its tensor lacks (the heads of a group, for shared
// K, V).
//
// Sources
// -------
// M. Milakov and N. Gimelshein, Online normalizer calculation for softmax,
//   arXiv:1805.02867 (2018): the running maximum and sum.
// T. Dao, D. Fu, S. Ermon, A. Rudra, C. Re, FlashAttention, arXiv:2205.14135
//   (2022): tiling with it, and recomputation from the LSE in the backward.
// T. Dao, FlashAttention-2, arXiv:2307.08691 (2023): division once at the end,
//   queries outermost, D = rowsum(dO.O) precomputed.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_ALGEBRA_H
#define ATTN_SUPPORT_ALGEBRA_H

#include "llvm/ADT/ArrayRef.h"
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace attn {

/// What O holds in a row without a key.
enum class EmptyRows { NaN, Zero };

/// T in the test `r - c < T`, in units of e (natural) or of 2 (log2), for
/// accumulation in float or double.
template <typename Acc> struct CompletionThreshold;
template <> struct CompletionThreshold<float> {
  static constexpr double natural = 105.0;
  static constexpr double log2 = 151.5;
};
template <> struct CompletionThreshold<double> {
  static constexpr double natural = 746.0;
  static constexpr double log2 = 1076.3;
};

/// How far, in log2-units, a deferred rescale lets the reference lag behind the
/// maximum: exponentials stay below 2^8, and sums of them far inside of float.
inline constexpr double kDeferredRescaleLog2 = 8.0;

/// The state (r, l, acc) of one row. Acc is float or double.
template <typename Acc> struct SoftmaxState {
  static_assert(std::is_floating_point_v<Acc>);
  static constexpr Acc kNegInf = -std::numeric_limits<Acc>::infinity();

  Acc r = kNegInf;
  Acc l = 0;
  std::vector<Acc> acc;

  /// The identity, for values of `depth` elements.
  explicit SoftmaxState(size_t depth) : acc(depth, Acc(0)) {}

  static SoftmaxState fromSink(Acc sink, size_t depth) {
    SoftmaxState s(depth);
    s.r = sink;
    s.l = sink == kNegInf ? Acc(0) : Acc(1);
    return s;
  }

  static SoftmaxState fromFinished(llvm::ArrayRef<Acc> o, Acc lse) {
    SoftmaxState s(o.size());
    if (lse == kNegInf)
      return s;
    s.r = lse;
    s.l = 1;
    s.acc.assign(o.begin(), o.end());
    return s;
  }

  /// r', the reference that is subtracted.
  static Acc finite(Acc r) { return r == kNegInf ? Acc(0) : r; }

  /// The larger one, or NaN if either is: a NaN score must not disappear.
  static Acc maximum(Acc a, Acc b) {
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<Acc>::quiet_NaN();
    return a < b ? b : a;
  }

  /// What a fold did, for those who print or check the recurrence.
  struct Step {
    Acc r, l, corr;
  };

  /// Folds scores.size() keys in; their values are the rows of `values`
  /// (scores.size() x depth), each multiplied by its entry of `weights`, if
  /// there are any.
  Step fold(llvm::ArrayRef<Acc> scores, llvm::ArrayRef<Acc> values,
            llvm::ArrayRef<Acc> weights = {}) {
    Acc rNew = r;
    for (Acc s : scores)
      rNew = maximum(rNew, s);
    Acc corr = std::exp(r - finite(rNew));
    l *= corr;
    for (Acc &a : acc)
      a *= corr;
    for (size_t j = 0; j < scores.size(); ++j) {
      Acc p = std::exp(scores[j] - finite(rNew));
      l += p;
      Acc weighted = weights.empty() ? p : p * weights[j];
      for (size_t d = 0; d < acc.size(); ++d)
        acc[d] += weighted * values[j * acc.size() + d];
    }
    r = rNew;
    return {r, l, corr};
  }

  /// The state of both key sets. Requires equal depth.
  static SoftmaxState merge(const SoftmaxState &a, const SoftmaxState &b) {
    SoftmaxState out(a.acc.size());
    out.r = maximum(a.r, b.r);
    Acc ca = std::exp(a.r - finite(out.r));
    Acc cb = std::exp(b.r - finite(out.r));
    out.l = a.l * ca + b.l * cb;
    for (size_t d = 0; d < out.acc.size(); ++d)
      out.acc[d] = a.acc[d] * ca + b.acc[d] * cb;
    return out;
  }

  struct Finished {
    std::vector<Acc> o;
    Acc lse;
  };
  Finished finish(EmptyRows emptyRows) const {
    if (l == Acc(0)) {
      Acc fill = emptyRows == EmptyRows::Zero
                     ? Acc(0)
                     : std::numeric_limits<Acc>::quiet_NaN();
      return {std::vector<Acc>(acc.size(), fill), kNegInf};
    }
    Finished out{acc, r + std::log(l)};
    for (Acc &o : out.o)
      o /= l;
    return out;
  }
};

} // namespace attn

#endif // ATTN_SUPPORT_ALGEBRA_H
