//===- Passes.td - from attention to tiles ------------------*- tablegen -*-===//
#ifndef ATTN_TILE_PASSES_TD
#define ATTN_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnSelectTiling : Pass<"attn-select-tiling"> {
  let summary = "Choose tile sizes by the cost model";
  let description = [{
    Sets `#attn.tiling` on every attention and attention_backward: of the tilings that fit the target,
    the one the cost model (`attn/CostModel/Select.h`) predicts to be fastest for
    the op's extents, element type and mask. The target is the enclosing module's
    `attn.target`, else the machine that runs the compiler. Extents that are not
    static are taken to be 2048 rows and keys, a batch of 8 and a head dim of 64;
    symbols that are not constant hide nothing.

    A tiling that an op already has stays: blocks larger than an extent are
    clamped to it (a GPU's query block is not: its warps have their rows whether
    all exist or not), a missing kernel is filled in, and what cannot run on the
    target is an error that names the limit. The option `tiling` gives fields by
    hand for all ops; sizes for fewer dims than an op has are those of the last.
    The option `table` names a file of tilings found by timing
    (`attn/CostModel/TilingTable.h`): where it has an op's problem on this
    machine, its tiling is taken in the place of the model's.

    ```mlir
    %o = attn.attention maps = ... ins(%q, %k, %v) outs(%init)
    // becomes
    %o = attn.attention {tiling = #attn.tiling<query_block = [96], key_block = [256],
           kernel = #attn.cpu<mr = 6, nr = 64>>} maps = ... ins(%q, %k, %v) outs(%init)
    ```

    Numerics and memory: none by itself; `attn-tile` follows the tiling.
  }];
  let dependentDialects = ["::mlir::attn::AttnDialect"];
  let options = [
    Option<"tiling", "tiling", "std::string", /*default=*/"",
           "Fields by hand: query_block=..,key_block=..,order=q_outer|kv_outer,"
           "key_splits=..,kernel=#attn.cpu<mr=..,nr=..> or #attn.gpu<warps=..,rows_per_warp=..,"
           "stages=..>">,
    Option<"atomics", "atomics", "bool", "false",
           "dQ may be added up by atomic additions, in any order (GPU targets only)">,
    Option<"table", "table", "std::string", /*default=*/"",
           "File of tilings found by timing, as attn-run --tune-out writes it">];
  let statistics = [
    Statistic<"numSelected", "num-selected", "Number of attentions given a tiling">,
    Statistic<"numFromTable", "num-from-table", "Number of tilings taken from the table">];
}

def AttnToOnline : Pass<"attn-to-online"> {
  let summary = "Rewrite attn.attention as a fold over its keys";
  let description = [{
    An attention on tensors becomes an initial state (the identity, or the sink),
    one `attn.online_attention` over all keys and an `attn.finish`. `#attn.tiling`
    is copied to both.

    ```mlir
    %o = attn.attention ... ins(%q, %k, %v) outs(%init)
    // becomes
    %acc0 = linalg.fill ins(%zero)   %max0 = linalg.fill ins(%minus_inf) ...
    %acc, %max, %sum = attn.online_attention ... ins(%q, %k, %v)
                         outs(%acc0, %max0, %sum0)
    %o = attn.finish ... ins(%acc, %max, %sum) outs(%init)
    ```

    Numerics: none, it is the definition. Memory: the state, as large as the
    output in the accumulate type, until `attn-tile` makes it a tile's.
  }];
  let dependentDialects = ["::mlir::attn::AttnDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRewritten", "num-rewritten", "Number of attentions rewritten">];
}

def AttnTile : Pass<"attn-tile"> {
  let summary = "Tile attention, forward and backward, over query and key blocks";
  let description = [{
    An `attn.finish` and the online attention that feeds it become an `scf.forall`
    over batch dims and query blocks; in it, an `scf.for` over key blocks folds
    one block after the other into the block's state. The key range of a query
    block comes from `visible`: blocks outside are never visited, blocks that are
    visible in full lose the mask, and the loop is split where one kind ends and
    the next begins. Ragged tails are blocks of a smaller, dynamic size; nothing is
    padded.

    Block sizes are those of `#attn.tiling`, or the options where an op has none.

    ```mlir
    %acc, %max, %sum = attn.online_attention {visible = [m - n >= 0]} ...
    %o = attn.finish ...
    // becomes
    %o = scf.forall (%b, %m) = (0, 0) to (8, 1024) step (1, 64) shared_outs(...) {
      %s1:3 = scf.for %n = %c0 to %full step %c64 iter_args(...) {
        attn.online_attention ...                            // every key visible
      }
      %s2:3 = scf.for %n = %full to %end step %c64 iter_args(%s1#0, ...) {
        attn.online_attention {visible = [m - n >= 0]} origin = [%b, %m, %n] ...
      }
      attn.finish ...
    }
    ```

    An `attn.attention_backward` becomes D = rowsum(dO.O) - dlse, and an
    `scf.forall` over the batch dims that index every gradient. In it, with
    `order = kv_outer`, each key block starts its dK and dV at 0 and runs over the
    query blocks that see it, adding to dQ in memory; `q_outer` is the same with
    the roles of rows and keys exchanged. `key_splits` parts of the keys run in
    parallel, each with a dQ of its own, which are summed in order. Where a hidden
    key may count (it is replaced and close to some row's LSE, or a row without
    keys yields NaN) nothing is skipped; that is tested at run time.

    ```mlir
    %dq, %dk, %dv = attn.attention_backward ...
    // becomes
    %dq, %dk, %dv = scf.forall (%b) in (8) shared_outs(...) {
      scf.for %n = %c0 to %c1024 step %c128 iter_args(%dq1, ...) {
        %zero = linalg.fill ...
        scf.for %m = %first to %end step %c64 iter_args(...) {
          attn.online_backward ... origin = [%b, %m, %n, 0, 0]
    ```

    Numerics: the order of summation over keys (and rows, for dK and dV), which is
    fixed by the block sizes, whatever the number of threads. Memory: a state of
    query_block rows per iteration, in the backward D and the gradients that are
    not in the accumulate type; no tensor of rows x keys.
  }];
  let dependentDialects = ["::mlir::attn::AttnDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"queryBlock", "query-block", "int64_t", /*default=*/"64",
           "Rows per query block of an op without #attn.tiling">,
    Option<"keyBlock", "key-block", "int64_t", /*default=*/"64",
           "Keys per key block of an op without #attn.tiling">];
  let statistics = [
    Statistic<"numTiled", "num-tiled", "Number of attentions tiled">];
}

def AttnCountIO : Pass<"attn-count-io", "::mlir::ModuleOp"> {
  let summary = "Instrument tiled attention to count the elements it moves";
  let description = [{
    Inserts calls to `attn_count_io(operand, direction, elements)`, a function of
    the runtime, where a tile of an operand is read or written: an input where its
    slice is taken, unless the innermost loops do not change the slice: then on
    entering them; a state or a gradient that lives in memory (`kv_outer`; dQ with
    key blocks outermost, dK and dV with query blocks outermost) once per visited
    block, reading and writing, and where it is set at first; outputs where they
    are inserted. What a loop carries is not moved. Runs on the IR that
    `attn-tile` leaves, before canonicalization, while every tile still has its
    slice.

    `operand`: 0 Q, 1 K, 2 V, 3 O, 4 LSE, 5 acc, 6 r, 7 l (a state's reference
    and sum; also the states of key splits, on their way to `attn.merge`),
    8 blocks (elements of a block-sparse mask that are tested), 9 finish (reading
    a state from memory and writing the outputs; rounding a gradient to its type),
    10 dQ, 11 dK, 12 dV, 13 dO, 14 D, 15 dLSE, 16 + i extra number i, 48 + i its
    gradient.
    `direction`: 0 read, 1 write.

    ```mlir
    %k = tensor.extract_slice %key[0, %n, 0] [1, 64, 32] [1, 1, 1]
    // becomes
    %k = tensor.extract_slice %key[0, %n, 0] [1, 64, 32] [1, 1, 1]
    func.call @attn_count_io(%c1, %c0, %c2048) : (i64, i64, index) -> ()
    ```

    Numerics: none. Memory: none.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numCounters", "num-counters", "Number of counters inserted">];
}

#endif // ATTN_TILE_PASSES_TD
