//===- AttnOps.td - operations of the attn dialect ----------*- tablegen -*-===//
#ifndef ATTN_IR_ATTNOPS_TD
#define ATTN_IR_ATTNOPS_TD

include "attn/IR/AttnAttrs.td"
include "attn/IR/AttnInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/TilingInterface.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"

class Attn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Attn_Dialect, mnemonic, traits>;

def Attn_SetsAttr : TypedArrayAttrBase<IntegerSetAttr, "array of affine sets">;

defvar Attn_BufferTraits = [
  DestinationStyleOpInterface,
  DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
  DeclareOpInterfaceMethods<Attn_IndexedOpInterface, ["getMapOf"]>,
  DeclareOpInterfaceMethods<BufferizableOpInterface, [
    "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
    "bufferize"]>]<Trait>;
defvar Attn_DestinationTraits = !listconcat(Attn_BufferTraits, [
  DeclareOpInterfaceMethods<TilingInterface, [
    "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
    "getResultTilePosition", "generateResultTileValue",
    "getIterationDomainTileFromResultTile"]>]<Trait>);

defvar Attn_RegionTraits = [
  AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
  DeclareOpInterfaceMethods<Attn_ScoreOpInterface, ["getOutputOperand"]>]<Trait>;
defvar Attn_ScoreTraits = !listconcat(Attn_DestinationTraits, Attn_RegionTraits);

//===----------------------------------------------------------------------===//
// attn.attention
//===----------------------------------------------------------------------===//

def Attn_AttentionOp : Attn_Op<"attention", Attn_ScoreTraits> {
  let summary = "softmax(score(scale Q K^T)) V over an iteration space";
  let description = [{
    Over the iteration space of batch, row, key, depth and value dims:

    ```
    s[b,m,n] = scale * sum_k Q[b,m,k] K[b,n,k]
    x[b,m,n] = region(s, extras..., indices)        hidden keys: see `hidden`
    p[b,m,n] = exp(x - lse[b,m]),  lse[b,m] = log(exp(sink) + sum_n exp(x[b,m,n]))
    O[b,m,d] = sum_n p[b,m,n] z[b,m,n] V[b,n,d]     z: the yielded weight, or 1
    ```

    Scores, exponentials and sums are in the accumulate type: f64 if Q, K or V
    is f64, else f32. `p z` is rounded once, unnormalised, to V's type before the
    product with V; results are rounded once. The algebra is told in
    `attn/Support/Algebra.h`.

    **Roles.** A dim's role follows from which of Q, K, V, O it indexes: row
    {Q,O}, key {K,V}, depth {Q,K}, value {V,O}, batch {Q,K,V,O}, {K,V,O},
    {Q,K,O}, {Q,V,O} or {K,O}. Any number of dims may have a role; grouped
    queries are a second row dim.

    **Operands.** `ins`: Q, K, V. `extras`: read by the score region at the
    current batch, row and key indices, in their own element type; scalars have a
    map without results. `sink`: a further score per row without a value.
    `symbols`: integers that `visible` uses, index scalars or integer tensors
    over batch dims. `blocks`: i1, a false entry hides a block of keys from a
    block of rows. `outs`: O and, if asked for, the log-sum-exp.

    **Mask.** `visible` is a union of affine sets over the batch, row and key
    dims in order; their symbols are the extents of these dims in order, then
    `symbols`. Absent: all keys are visible; `[]`: none. `hidden` says what a
    hidden key means; `empty_rows` what a row without any key yields. `origin`
    and `extents` place a tile in the whole problem: `visible`, `attn.index` and
    `attn.keep` see origin + local index.

    **Score region.** One block; arguments: the score (accumulate type), then one
    value per extra. It holds `arith`, `math`, `attn.index` and `attn.keep` ops
    and yields the score x and optionally the weight z. An identity region is not
    printed.

    **Constraints.** C1 one map per shaped operand (and scalar extra), in
    operand order. C2 all maps have the same dims and no symbols. C3 the maps of
    Q, K, V, O and the log-sum-exp are projected permutations. C4 operands are
    ranked tensors or memrefs, extras and symbols may be scalars; a map has as
    many results as its operand has dims. C5 every dim has a role. C6 there is a
    key dim. C7 operands agree on the size of a dim; behind 0, floordiv and mod
    they are large enough for every index. C8 Q, K, V and O have elements of
    type f16, bf16, f32 or f64. C9 the log-sum-exp is indexed by exactly the
    batch and row dims and has the accumulate type. C10 extras are indexed by
    batch, row and key dims, by constants 0, or by one of these dims floordiv or
    mod a positive constant. C11 sink is a float indexed by batch and row dims.
    C12 symbols are index or integer scalars, or integer tensors indexed by
    batch dims. C13 blocks is i1, indexed by batch dims, the last row dim
    floordiv a constant and the key dim floordiv a constant (a plain dim: blocks
    of 1), and needs `hidden = skip`. C14 a visible set has one dim per batch,
    row and key dim and one symbol per such dim and per symbol operand. C15 the
    region's arguments are the score and one value per extra; it yields one or
    two values of the accumulate type. C16 it holds arith, math, attn.index and
    attn.keep ops only. C17 scale is finite. C18 the value of replace is finite.
    C19 origin and extents are empty or have one entry per dim. C20 the tiling
    has one query block per row dim and one key block per key dim. C21 on
    tensors there is a result per destination, on memrefs none.

    ```mlir
    %o = attn.attention {scale = 0.125, visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>]}
        maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
        ins(%q, %k, %v : tensor<8x64x32xf32>, tensor<8x64x32xf32>, tensor<8x64x32xf32>)
        outs(%init : tensor<8x64x32xf32>)
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Variadic<AnyType>:$extras, Optional<AnyShaped>:$sink,
    Variadic<AnyType>:$symbols, Optional<AnyShaped>:$blocks,
    Variadic<Index>:$origin, Variadic<Index>:$extents,
    AnyShaped:$output, Optional<AnyShaped>:$lse,
    AffineMapArrayAttr:$maps, F64Attr:$scale,
    OptionalAttr<Attn_SetsAttr>:$visible, Attn_HiddenAttr:$hidden,
    Attn_EmptyRowsAttr:$empty_rows,
    DenseI64ArrayAttr:$static_origin, DenseI64ArrayAttr:$static_extents,
    OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let builders = [
    // Builds an attention with an identity score region over `extras`; fill the
    // region afterwards if it is to be another one. Null values and attributes
    // are absent operands and defaults (scale 1, all visible, skip, nan).
    OpBuilder<(ins "::mlir::ValueRange":$qkv, "::mlir::ValueRange":$extras,
                   "::mlir::Value":$sink, "::mlir::ValueRange":$symbols,
                   "::mlir::Value":$blocks, "::mlir::ValueRange":$outs,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "double":$scale,
                   "::mlir::ArrayAttr":$visible, "::mlir::attn::HiddenAttr":$hidden,
                   "::mlir::attn::EmptyRows":$emptyRows)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

//===----------------------------------------------------------------------===//
// attn.online_attention
//===----------------------------------------------------------------------===//

def Attn_OnlineAttentionOp : Attn_Op<"online_attention", !listconcat(Attn_ScoreTraits, [
    DeclareOpInterfaceMethods<PartialReductionOpInterface, [
      "generateInitialTensorForPartialReduction", "tileToPartialReduction",
      "mergeReductions", "getPartialResultTilePosition"]>]<Trait>)> {
  let summary = "Folds keys into a running softmax state";
  let description = [{
    `outs` hold the state (acc, max, sum) of each row: the unnormalised output,
    the reference (the running maximum) and the sum of exponentials. The op folds
    all its keys into it (`attn/Support/Algebra.h`):

    ```
    max' = max(max, max_n x[n]),  c = exp(max - max')
    sum' = sum c + sum_n exp(x[n] - max')
    acc' = acc c + sum_n round(exp(x[n] - max') z[n]) V[n]
    ```

    Operands, region, mask and position are those of `attn.attention` (a sink is
    an initial state, so there is no operand for it). Key dims tile as a
    sequential loop, or through partial reductions joined by `attn.merge`.

    **Constraints.** C1 to C8, C10, C12 to C21 of `attn.attention`, with acc in the
    place of O; C22 acc, max and sum have the accumulate type as element type; C23
    max and sum share one map, indexed by exactly the batch and row dims that the
    scores depend on.

    ```mlir
    %acc, %max, %sum = attn.online_attention {scale = 0.125}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %k, %v : tensor<64x32xf16>, tensor<128x32xf16>, tensor<128x32xf16>)
        outs(%acc0, %max0, %sum0 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Variadic<AnyType>:$extras, Variadic<AnyType>:$symbols,
    Optional<AnyShaped>:$blocks, Variadic<Index>:$origin, Variadic<Index>:$extents,
    AnyShaped:$acc, AnyShaped:$max, AnyShaped:$sum,
    AffineMapArrayAttr:$maps, F64Attr:$scale,
    OptionalAttr<Attn_SetsAttr>:$visible, Attn_HiddenAttr:$hidden,
    DenseI64ArrayAttr:$static_origin, DenseI64ArrayAttr:$static_extents,
    OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let builders = [
    // Null values and attributes as in attn.attention; outs = acc, max, sum.
    OpBuilder<(ins "::mlir::ValueRange":$qkv, "::mlir::ValueRange":$extras,
                   "::mlir::ValueRange":$symbols, "::mlir::Value":$blocks,
                   "::mlir::ValueRange":$outs,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "double":$scale,
                   "::mlir::ArrayAttr":$visible, "::mlir::attn::HiddenAttr":$hidden)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

//===----------------------------------------------------------------------===//
// attn.attention_backward
//===----------------------------------------------------------------------===//

def Attn_AttentionBackwardOp : Attn_Op<"attention_backward",
    !listconcat(Attn_BufferTraits, Attn_RegionTraits)> {
  let summary = "The gradients of an attention, recomputed from its log-sum-exp";
  let description = [{
    From the operands of an `attn.attention`, its results O and lse, and the
    gradient dO of a loss with respect to O (and dlse, to lse), the gradients of Q,
    K, V, the sink and chosen extras. Scores and probabilities are recomputed;
    nothing of rows x keys is an operand:

    ```
    x = region(scale Q K^T, extras, indices),  p = exp(x - lse),  z: the weight, or 1
    D = sum_d dO O - dlse
    dx = p (z (dO V^T) - D),  dz = p (dO V^T)
    (ds, d extras) = the region's vector-Jacobian product of (dx, dz)
    dQ = scale ds K,  dK = scale ds^T Q,  dV = (p z)^T dO
    d sink = -exp(sink - lse) D
    ```

    Each gradient is summed over the iteration dims that its operand's map lacks.
    Nothing flows through the score of a hidden key. A row without a key gives, by
    `empty_rows`: `zero`, nothing; `nan`, NaN to its dQ and to all dK and dV;
    `nan_select`, 0 to dQ, nothing to dK, NaN to dV. The mathematics is told in
    `attn/Support/Algebra.h`.

    `forward`: O and lse. `grad`: dO and, if the loss depends on it, dlse. `outs`:
    dQ, dK, dV, then the sink's gradient if there is a sink, then one gradient for
    each extra listed in `differentiate`. Maps: those of Q, K, V, extras, sink,
    symbol tensors, blocks, O and lse; a gradient has the map of what it is the
    gradient of.

    **Constraints.** C1 to C20 of `attn.attention`; lse is required. B1 dO has O's
    shape and dlse lse's. B2 a destination has the shape of its operand and
    elements of type f16, bf16, f32 or f64. B3 `differentiate` lists different float
    extras that are arrays. B4 every op of the region on the way from the score or
    a listed extra to a yielded value has a derivative. B5 on tensors there is a
    result per destination, on memrefs none.

    ```mlir
    %dq, %dk, %dv = attn.attention_backward {scale = 0.125}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %k, %v : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
        forward(%o, %lse : tensor<64x32xf32>, tensor<64xf32>)
        grad(%do : tensor<64x32xf32>)
        outs(%dq0, %dk0, %dv0 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Variadic<AnyType>:$extras, Optional<AnyShaped>:$sink,
    Variadic<AnyType>:$symbols, Optional<AnyShaped>:$blocks,
    Variadic<Index>:$origin, Variadic<Index>:$extents,
    AnyShaped:$output, AnyShaped:$lse,
    AnyShaped:$output_grad, Optional<AnyShaped>:$lse_grad,
    Variadic<AnyShaped>:$grads,
    AffineMapArrayAttr:$maps, F64Attr:$scale,
    OptionalAttr<Attn_SetsAttr>:$visible, Attn_HiddenAttr:$hidden,
    Attn_EmptyRowsAttr:$empty_rows, DenseI64ArrayAttr:$differentiate,
    DenseI64ArrayAttr:$static_origin, DenseI64ArrayAttr:$static_extents,
    OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getGradsMutable(); }
    /// The destination of the sink's gradient, or null.
    ::mlir::Value getSinkGrad() {
      return getSink() ? getGrads()[3] : ::mlir::Value();
    }
    /// The destinations of the gradients of the extras in `differentiate`.
    ::mlir::ValueRange getExtraGrads() {
      return ::mlir::ValueRange(getGrads()).drop_front(getSink() ? 4 : 3);
    }
  }];
}

//===----------------------------------------------------------------------===//
// attn.online_backward
//===----------------------------------------------------------------------===//

def Attn_OnlineBackwardOp : Attn_Op<"online_backward", Attn_ScoreTraits> {
  let summary = "Adds the gradients of a block of rows and keys to running sums";
  let description = [{
    What `attn.attention_backward` is made of: `outs` hold the gradients so far,
    unrounded, and the op adds what its rows and keys contribute:

    ```
    x = region(scale Q K^T, extras, indices),  p = exp(x - lse),  z: the weight, or 1
    dx = p (z (dO V^T) - delta),  dz = p (dO V^T)
    (ds, d extras) = the region's vector-Jacobian product of (dx, dz)
    dQ += scale ds K,  dK += scale ds^T Q,  dV += round(p z)^T dO
    ```

    `delta` is D = sum_d dO O - dlse, once per row. Hidden keys and rows without
    a key are treated as in `attn.attention_backward`, which is this op on zeros
    (a sink touches its own gradient alone). p z is rounded to V's type before
    its product; nothing else is rounded.

    `grad`: dO. `rows`: lse and delta. `outs`: dQ, dK, dV, then one gradient for
    each extra in `differentiate`. Maps: those of Q, K, V, extras, symbol tensors,
    blocks, dO and lse, which delta shares; a gradient has the map of what it is
    the gradient of. Batch, row and key dims tile: sequentially, except those
    that index every gradient.

    **Constraints.** C1 to C8, C10, C12 to C20 of `attn.attention`, with dO in the
    place of O, C9 for lse and delta; B2 to B5 of `attn.attention_backward`; S1
    gradients have the accumulate type.

    ```mlir
    %dq, %dk, %dv = attn.online_backward {scale = 0.125}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %k, %v : tensor<64x32xf16>, tensor<96x32xf16>, tensor<96x32xf16>)
        grad(%do : tensor<64x32xf16>) rows(%lse, %delta : tensor<64xf32>, tensor<64xf32>)
        outs(%dq0, %dk0, %dv0 : tensor<64x32xf32>, tensor<96x32xf32>, tensor<96x32xf32>)
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Variadic<AnyType>:$extras, Variadic<AnyType>:$symbols,
    Optional<AnyShaped>:$blocks, Variadic<Index>:$origin, Variadic<Index>:$extents,
    AnyShaped:$output_grad, AnyShaped:$lse, AnyShaped:$delta,
    Variadic<AnyShaped>:$grads,
    AffineMapArrayAttr:$maps, F64Attr:$scale,
    OptionalAttr<Attn_SetsAttr>:$visible, Attn_HiddenAttr:$hidden,
    Attn_EmptyRowsAttr:$empty_rows, DenseI64ArrayAttr:$differentiate,
    DenseI64ArrayAttr:$static_origin, DenseI64ArrayAttr:$static_extents,
    OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let builders = [
    // The same attention's gradients, from an attention_backward: its inputs,
    // region, mask and tiling, with `delta` and the accumulators `grads`.
    OpBuilder<(ins "::mlir::attn::AttentionBackwardOp":$backward,
                   "::mlir::Value":$delta, "::mlir::ValueRange":$grads)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getGradsMutable(); }
    /// The accumulators of the gradients of the extras in `differentiate`.
    ::mlir::ValueRange getExtraGrads() {
      return ::mlir::ValueRange(getGrads()).drop_front(3);
    }
  }];
}

//===----------------------------------------------------------------------===//
// attn.merge, attn.finish
//===----------------------------------------------------------------------===//

def Attn_MergeOp : Attn_Op<"merge", Attn_DestinationTraits> {
  let summary = "Joins two softmax states over disjoint key sets";
  let description = [{
    Folds the state `ins(acc, max, sum)` into the state `outs(acc, max, sum)`:

    ```
    max' = max(max1, max2)
    sum' = sum1 exp(max1 - max') + sum2 exp(max2 - max');  acc' likewise
    ```

    States form a commutative monoid with the identity (0, -inf, 0).
    `maps`: acc's, then the one that max and sum share.

    **Constraints.** M1 two maps over the same dims, projected permutations, as
    many results as the operands have dims; the second's dims are among the
    first's. M2 both states have the same types, all of one float type. M3 on
    tensors three results, on memrefs none.

    ```mlir
    %acc, %max, %sum = attn.merge maps = [(m, d) -> (m, d), -> (m)]
        ins(%acc1, %max1, %sum1 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
        outs(%acc2, %max2, %sum2 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins AnyShaped:$acc, AnyShaped:$max, AnyShaped:$sum,
                       AnyShaped:$acc_init, AnyShaped:$max_init, AnyShaped:$sum_init,
                       AffineMapArrayAttr:$maps);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

def Attn_FinishOp : Attn_Op<"finish", Attn_DestinationTraits> {
  let summary = "Turns a softmax state into the output and the log-sum-exp";
  let description = [{
    ```
    O = acc / sum, rounded once to O's type;  lse = max + log(sum)
    ```

    A row is empty if sum = 0: then lse = -inf and O by `empty_rows`.
    `maps`: those of acc, of max and sum, of O, and of the log-sum-exp if there is
    one.

    **Constraints.** F1 one map for acc, one for max and sum, one per destination,
    over the same dims, projected permutations, as many results as the operand has
    dims. F2 acc, max, sum and lse have one float type (f32 or f64). F3 a map of O
    uses the dims of acc's, one of lse the dims of max's. F4 on tensors a result
    per destination, on memrefs none.

    ```mlir
    %o, %lse = attn.finish {empty_rows = zero}
        maps = [(m, d) -> (m, d), -> (m), -> (m, d), -> (m)]
        ins(%acc, %max, %sum : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
        outs(%o0, %l0 : tensor<64x32xf16>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins AnyShaped:$acc, AnyShaped:$max, AnyShaped:$sum,
                       AnyShaped:$output, Optional<AnyShaped>:$lse,
                       AffineMapArrayAttr:$maps, Attn_EmptyRowsAttr:$empty_rows,
                       OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

//===----------------------------------------------------------------------===//
// Inside the score region
//===----------------------------------------------------------------------===//

def Attn_YieldOp : Attn_Op<"yield", [Pure, Terminator,
    ParentOneOf<["AttentionOp", "OnlineAttentionOp", "AttentionBackwardOp",
                 "OnlineBackwardOp"]>]> {
  let summary = "Ends a score region: the score and optionally the weight";
  let description = [{
    The weight multiplies the probability after normalisation; it is not part of
    the row sum. Dropout is `attn.keep` here.

    ```mlir
    attn.yield %score, %weight : f32, f32
    ```
  }];
  let arguments = (ins AnyFloat:$score, Optional<AnyFloat>:$weight);
  let assemblyFormat = "$score (`,` $weight^)? attr-dict `:` type($score) (`,` type($weight)^)?";
}

def Attn_IndexOp : Attn_Op<"index", [Pure]> {
  let summary = "The whole-problem index of an iteration dim";
  let description = [{
    Origin + local index of dim `dim`, which must be a batch, row or key dim of
    the enclosing op.

    ```mlir
    %n = attn.index 3 : index
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Attn_KeepOp : Attn_Op<"keep", [Pure]> {
  let summary = "Counter-based dropout: the factor 0 or 1/(1-p) of this element";
  let description = [{
    Philox4x32-10 of the element's position in the whole problem, `seed` and
    `offset` (see `attn/Support/Philox.h` for the counter's layout): 0 with
    probability `p`, else 1/(1-p). The same for every tiling, thread count and
    target. `seed` and `offset` are block arguments of the region (scalar
    extras).

    ```mlir
    %z = attn.keep %seed, %offset {p = 0.1} : f32
    ```
  }];
  let arguments = (ins I64:$seed, I64:$offset, F64Attr:$p);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$seed `,` $offset attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // ATTN_IR_ATTNOPS_TD
