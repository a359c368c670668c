//===- Obligations.cpp - what must hold, what is assumed ------------------===//
#include "attn/Recognize/Obligations.h"

using namespace mlir::attn;

static const Statement obligationTable[] = {
    {"O1", "product",
     "the result is a sum over keys of a product, starting at zero, up to "
     "casts "
     "and a division",
     "another start value, or a further term, would be lost"},
    {"O2", "exponential",
     "exactly one factor of the product is an exponential that depends on the "
     "key; of the others one is V; what depends on rows and keys only is a "
     "weight",
     "a second exponential is no part of a softmax"},
    {"O3", "constant-shift",
     "what is subtracted from the score before exponentiation does not depend "
     "on "
     "the key; where a finite fill hides keys, it is the row maximum",
     "only a shift that all keys of a row share cancels in the division"},
    {"O4", "normalised",
     "the product is divided exactly once, by a sum of exponentials (a "
     "division, "
     "a reciprocal, or a log in the exponent), before, inside or after it",
     "unnormalised or twice normalised weights are not a softmax"},
    {"O5", "same-axes",
     "the normalising sum runs over exactly the keys that the product "
     "contracts",
     "a softmax over other axes, or over some keys only, has other weights"},
    {"O6", "same-exponent",
     "the same score is exponentiated above and below, up to a shift that does "
     "not depend on the key",
     "a shift along the keys, or a mask on one side only, changes the weights"},
    {"O7", "guards",
     "a select around the probabilities replaces rows without any key by zero, "
     "or repeats the mask of the exponential",
     "any other select is a weight after the softmax"},
    {"O8", "one-contraction",
     "the score is an elementwise function of exactly one contraction along "
     "the "
     "keys",
     "without one there is no Q K^T; with two, one would have to be "
     "materialised"},
    {"O9", "plain-contraction",
     "that contraction sums a product over at least one loop, and each of its "
     "factors depends on no other loops than Q or than K",
     "only such a sum is Q K^T"},
    {"O10", "types", "Q, K, V and the result are f16, bf16, f32 or f64",
     "attn.attention has no other element types"},
    {"O11", "roles",
     "every loop has a role: row {Q,O}, key {K,V}, depth {Q,K}, value {V,O}, "
     "or "
     "batch {Q,K,V,O}, {K,V,O}, {Q,K,O}, {Q,V,O}, {K,O}",
     "P^T V, for one, contracts the rows"},
    {"O12", "score-function",
     "what lies between the contraction and the exponential is scalar arith "
     "and "
     "math on the score, constants, indices and tensors read along batch, row "
     "and key loops",
     "nothing else fits the score region"},
    {"O13", "layout",
     "Q, K, V and the result can be read and written through projected "
     "permutations of the loops, after splitting and merging dims at most",
     "anything else needs a copy or a gather"},
    {"O14", "no-other-use",
     "nothing outside the match needs the scores, the probabilities or their "
     "sums",
     "they would have to be materialised all the same"},
    {"O15", "roundings",
     "fusing drops no rounding to fewer than 16 bits and, under "
     "strict-rounding, none narrower than the accumulate type",
     "the result could differ by more than its own rounding"},
    {"G1", "joint-probabilities",
     "what the gradients are fed by is an exponential of one score contraction "
     "over its sum over the keys, or less a log-sum-exp that is given",
     "without normalised probabilities there is no softmax to differentiate"},
    {"G2", "joint-output-gradient",
     "besides the scores, the gradients of Q and K depend on one contraction "
     "along the keys, dO V^T, and on numbers of the rows",
     "its factors are the gradient of the output and V; with two there would "
     "be "
     "two outputs"},
    {"G3", "joint-gradient",
     "each sum fed by the probabilities is P V, P^T dO, dS K or dS^T Q, with "
     "dS "
     "= P (dP - rowsum(P dP) + dLSE) times the derivative of this score",
     "any other Jacobian is not this attention's: 1 - P^T 1, a transposed dS, "
     "a "
     "missing scale"},
    {"G4", "joint-rows",
     "the gradients at hidden keys, and of rows without keys, are those of a "
     "row kind, or every row has a key",
     "NaN and 0 would change places"},
    {"G5", "joint-place",
     "all operands are known before a gradient is first used",
     "one op computes all of them at once"},
};

static const Statement assumptionTable[] = {
    {"A1", "hidden-finite", "scores, keys and values at hidden keys are finite",
     "NaN there would spread in the unfused product (0 * NaN), not in the "
     "fused"},
    {"A2", "absorbing",
     "an added -inf or fill of at most -1e30 absorbs the score",
     "true of every finite score below 1e13 in size"},
    {"A3", "shift-safe",
     "an exponential whose shift is not the row maximum neither overflows nor "
     "vanishes over a whole row",
     "the fused form shifts by the maximum, and is right where this one is "
     "not"},
    {"A4", "roundings",
     "roundings of scores or probabilities to types narrower than the "
     "accumulate type may be left out, and probabilities wider than V rounded "
     "to its type",
     "the fused form rounds probabilities once, to V's type"},
    {"A5", "merged-scales",
     "factors of Q, K and the score may be merged into one scale",
     "reassociates products of constants, a relative error of a few roundings"},
    {"A6", "no-broadcast",
     "a dim of unknown size that is read with a test for size 1 is not "
     "broadcast, and is read whole",
     "exporters write the test everywhere; the sizes agree when it is "
     "exported"},
    {"A7", "small-integers",
     "sizes that are not known, and lengths, prefixes and offsets that data "
     "gives, are below 2^30, and so small that their sums and multiples do not "
     "wrap around in the type they are computed in",
     "a length of 2^31 - 1, plus one, would hide all keys unfused"},
    {"A8", "saved-rows",
     "a log-sum-exp, or a maximum and a sum, that a backward is given is a "
     "number, or -inf in rows without keys alone",
     "the fused form takes a row whose log-sum-exp is -inf for one without "
     "keys"},
    {"A9", "finite-sinks",
     "a sink that data gives, and that the maximum does not take in, is a "
     "number; so is one of several",
     "beside a sink of +inf all probabilities are 0 unfused, and NaN fused"},
};

llvm::ArrayRef<Statement> mlir::attn::obligations() { return obligationTable; }
llvm::ArrayRef<Statement> mlir::attn::assumptions() { return assumptionTable; }

std::string mlir::attn::cite(Obligation obligation) {
  return obligations()[static_cast<unsigned>(obligation) - 1].number.str();
}
std::string mlir::attn::cite(Assumption assumption) {
  return assumptions()[static_cast<unsigned>(assumption) - 1].number.str();
}
