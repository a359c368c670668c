//===- Obligations.cpp - what must hold, what is assumed ------------------===//
#include "attn/Recognize/Obligations.h"

using namespace mlir::attn;

static const Statement obligationTable[] = {
    {1, "product",
     "the result is a sum over keys of a product, starting at zero, up to "
     "casts "
     "and a division",
     "another start value, or a further term, would be lost"},
    {2, "exponential",
     "exactly one factor of the product is an exponential that depends on the "
     "key; of the others one, V, depends on the key, the rest do not",
     "a second exponential or a weight is no part of a softmax"},
    {3, "constant-shift",
     "what is subtracted from the score before exponentiation does not depend "
     "on "
     "the key; where a finite fill hides keys, it is the row maximum",
     "only a shift that all keys of a row share cancels in the division"},
    {4, "normalised",
     "the product is divided exactly once, by a sum of exponentials (a "
     "division, "
     "a reciprocal, or a log in the exponent), before, inside or after it",
     "unnormalised or twice normalised weights are not a softmax"},
    {5, "same-axes",
     "the normalising sum runs over exactly the keys that the product "
     "contracts",
     "a softmax over other axes, or over some keys only, has other weights"},
    {6, "same-exponent",
     "the same score is exponentiated above and below, up to a shift that does "
     "not depend on the key",
     "a shift along the keys, or a mask on one side only, changes the weights"},
    {7, "guards",
     "a select around the probabilities replaces rows without any key by zero, "
     "or repeats the mask of the exponential",
     "any other select is a weight after the softmax"},
    {8, "one-contraction",
     "the score is an elementwise function of exactly one contraction along "
     "the "
     "keys",
     "without one there is no Q K^T; with two, one would have to be "
     "materialised"},
    {9, "plain-contraction",
     "that contraction sums a product over at least one loop, and each of its "
     "factors depends on no other loops than Q or than K",
     "only such a sum is Q K^T"},
    {10, "types", "Q, K, V and the result are f16, bf16, f32 or f64",
     "attn.attention has no other element types"},
    {11, "roles",
     "every loop has a role: row {Q,O}, key {K,V}, depth {Q,K}, value {V,O}, "
     "or "
     "batch {Q,K,V,O}, {K,V,O}, {Q,K,O}, {Q,V,O}, {K,O}",
     "P^T V, for one, contracts the rows"},
    {12, "score-function",
     "what lies between the contraction and the exponential is scalar arith "
     "and "
     "math on the score, constants, indices and tensors read along batch, row "
     "and key loops",
     "nothing else fits the score region"},
    {13, "layout",
     "Q, K, V and the result can be read and written through projected "
     "permutations of the loops, after splitting and merging dims at most",
     "anything else needs a copy or a gather"},
    {14, "no-other-use",
     "nothing outside the match needs the scores, the probabilities or their "
     "sums",
     "they would have to be materialised all the same"},
    {15, "roundings",
     "under strict-rounding, fusing drops no rounding narrower than the "
     "accumulate type",
     "the result could differ by more than its own rounding"},
};

static const Statement assumptionTable[] = {
    {1, "hidden-finite", "scores, keys and values at hidden keys are finite",
     "NaN there would spread in the unfused product (0 * NaN), not in the "
     "fused"},
    {2, "absorbing", "an added -inf or fill of at most -1e30 absorbs the score",
     "true of every finite score below 1e13 in size"},
    {3, "shift-safe",
     "an exponential whose shift is not the row maximum neither overflows nor "
     "vanishes over a whole row",
     "the fused form shifts by the maximum, and is right where this one is "
     "not"},
    {4, "dropped-roundings",
     "roundings of scores or probabilities to types narrower than the "
     "accumulate "
     "type may be left out",
     "the fused form rounds less often"},
    {5, "merged-scales",
     "factors of Q, K and the score may be merged into one scale",
     "reassociates products of constants, a relative error of a few roundings"},
    {6, "no-broadcast",
     "a dim of unknown size that is read with a test for size 1 is not "
     "broadcast, and is read whole",
     "exporters write the test everywhere; the sizes agree when it is "
     "exported"},
};

llvm::ArrayRef<Statement> mlir::attn::obligations() { return obligationTable; }
llvm::ArrayRef<Statement> mlir::attn::assumptions() { return assumptionTable; }

std::string mlir::attn::cite(Obligation obligation) {
  return "O" + std::to_string(static_cast<unsigned>(obligation));
}
std::string mlir::attn::cite(Assumption assumption) {
  return "A" + std::to_string(static_cast<unsigned>(assumption));
}
