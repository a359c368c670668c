//===- AttnGPUOps.td - the attn_gpu dialect ------------------*- tablegen -*-===//
#ifndef ATTN_GPU_ATTNGPUOPS_TD
#define ATTN_GPU_ATTNGPUOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AttnGPU_Dialect : Dialect {
  let name = "attn_gpu";
  let cppNamespace = "::mlir::attn_gpu";
  let summary = "The tile program of a GPU kernel";
  let description = [{
    A kernel as one warp sees it: matrices spread over the lanes of a warp
    (`!attn_gpu.fragment`), tiles in shared memory that the warps of a thread
    array fill together (`!attn_gpu.shared`), and a dozen ops that move and
    combine them. The schedule is visible: which copy is issued before which
    product, which wait covers it, which loop walks the keys. Lanes, registers
    and addresses are not: `attn-distribute-to-nvvm` adds them.

    Waits and barriers are upstream's (`nvvm.cp.async.commit.group`,
    `nvvm.cp.async.wait.group`, `gpu.barrier`), control flow is scf, index
    arithmetic arith.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class AttnGPU_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::attn_gpu";
  let genSpecializedAttr = 0;
}

def AttnGPU_Layout : AttnGPU_Enum<"Layout", "which lane holds which element", [
    I32EnumAttrCase<"Acc", 0, "acc">,
    I32EnumAttrCase<"Lhs", 1, "lhs">,
    I32EnumAttrCase<"Row", 2, "row">,
    I32EnumAttrCase<"Col", 3, "col">]>;

class AttnGPU_Type<string name, string typeMnemonic>
    : TypeDef<AttnGPU_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def AttnGPU_Fragment : AttnGPU_Type<"Fragment", "fragment"> {
  let summary = "A matrix, or a column or row of it, in the registers of one warp";
  let description = [{
    Rows are a multiple of 16. With lane = 4 g + t (g < 8, t < 4), the element
    (m, n) is held as follows, as `mma.sync` wants it:

    | layout | lane | register |
    |---|---|---|
    | `acc`: accumulator | g = m mod 8, t = n mod 8 / 2 | n mod 2, then m / 8 mod 2, then n / 8, then m / 16 |
    | `lhs`: left operand, 16-bit | g = m mod 8, t = n mod 8 / 2 | pairs (n mod 2) packed in 32 bits: m / 8 mod 2, then n / 8 mod 2, then n / 16, then m / 16 |
    | `lhs`, 32-bit | g = m mod 8, t = n mod 8 / 2 | m / 8 mod 2, then n mod 2, then n / 8, then m / 16 |
    | `row`: one value per row | g = m mod 8, any t | m / 8 |
    | `col`: one value per column | t = n mod 8 / 2, any g | n mod 2, then n / 8 |

    "then" goes from the fastest index to the slowest. In the layout `row` the
    four lanes of a row hold the same value, or (a partial result) values of
    which the row's is the sum or the maximum.

    ```mlir
    !attn_gpu.fragment<32x64xf32, acc>
    !attn_gpu.fragment<32xf32, row>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::attn_gpu::Layout":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRows() const { return isCol() ? 1 : getShape()[0]; }
    int64_t getColumns() const { return isRow() ? 1 : getShape().back(); }
    bool isRow() const { return getLayout() == ::mlir::attn_gpu::Layout::Row; }
    bool isCol() const { return getLayout() == ::mlir::attn_gpu::Layout::Col; }
    bool isMatrix() const { return getShape().size() == 2; }
    /// Values a lane holds (words of two elements for 16-bit `lhs`).
    int64_t getLaneValues() const;
    /// The type of one of them.
    ::mlir::Type getLaneType() const;
    /// The same fragment with another element type or layout.
    FragmentType with(::mlir::Type elementType) const;
    static FragmentType getRow(int64_t rows, ::mlir::Type elementType);
    static FragmentType getCol(int64_t columns, ::mlir::Type elementType);
    static FragmentType getAcc(int64_t rows, int64_t columns, ::mlir::Type elementType);
  }];
}

def AttnGPU_Shared : AttnGPU_Type<"Shared", "shared"> {
  let summary = "A tile in shared memory";
  let description = [{
    A row-major matrix whose rows are cut into pieces of 16 bytes. The pieces of a
    row are permuted, so that the same piece of eight neighbouring rows lies in
    eight different groups of banks and `ldmatrix` never meets a conflict: with
    2^a the largest power of two in a row's number of pieces and b = min(a, 3),
    the low b bits of a piece's number are xored with bits [3 - b, 3) of its row.
    With b = 2, two rows lie side by side in the banks: they change places where
    bit 2 of the row is set, and the two bits are xored in the other order, so that
    two pieces of every other row do not meet either.

    ```mlir
    !attn_gpu.shared<64x128xf16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRows() const { return getShape()[0]; }
    int64_t getColumns() const { return getShape()[1]; }
    int64_t getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }
    int64_t getRowBytes() const { return getColumns() * getElementBytes(); }
    int64_t getBytes() const { return getRows() * getRowBytes(); }
    /// Elements in a piece of 16 bytes.
    int64_t getPiece() const { return 16 / getElementBytes(); }
    /// b of the description: how many bits of a piece's number are permuted.
    unsigned getSwizzleBits() const;
  }];
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A generic address; global memory is the only place it points to.
def AttnGPU_Pointer
    : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">,
           "pointer", "::mlir::LLVM::LLVMPointerType">,
      BuildableType<"$_builder.getType<::mlir::LLVM::LLVMPointerType>()">;

class AttnGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnGPU_Dialect, mnemonic, traits>;

def AttnGPU_Access : AttnGPU_Enum<"Access", "what a kernel does with a buffer", [
    I32EnumAttrCase<"Read", 0, "read">,
    I32EnumAttrCase<"Write", 1, "write">,
    I32EnumAttrCase<"Scratch", 2, "scratch">]>;
def AttnGPU_AccessAttr : EnumAttr<AttnGPU_Dialect, AttnGPU_Access, "access"> {
  let assemblyFormat = "$value";
}

def AttnGPU_AddressOp : AttnGPU_Op<"address", [Pure]> {
  let summary = "Host code: a buffer as a kernel's argument";
  let description = [{
    The device address of the buffer's first element (the one at index 0 in all
    dims, so the memref's offset is in it). `read`: the kernel reads it; `write`:
    it overwrites every element; `scratch`: what a kernel leaves there for a
    later kernel, nothing to the host. Where host and device do not share memory,
    this is where a copy in, a copy out, or an allocation belongs: see
    `attn/GPU/KernelABI.h`.

    ```mlir
    %q = attn_gpu.address read %query : memref<8x64x32xf16>
    ```
  }];
  let arguments = (ins AttnGPU_AccessAttr:$access, AnyMemRef:$buffer);
  let results = (outs AttnGPU_Pointer:$result);
  let assemblyFormat = "$access $buffer attr-dict `:` type($buffer)";
  let builders = [OpBuilder<(ins "::mlir::attn_gpu::Access":$access, "::mlir::Value":$buffer)>];
  let skipDefaultBuilders = 1;
}

def AttnGPU_SharedTileOp : AttnGPU_Op<"shared_tile", [Pure]> {
  let summary = "A tile at a fixed place of the thread array's shared memory";
  let description = [{
    `offset` is in bytes and a multiple of 128.

    ```mlir
    %k = attn_gpu.shared_tile 16384 : !attn_gpu.shared<64x128xf16>
    ```
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs AttnGPU_Shared:$result);
  let assemblyFormat = "$offset attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def AttnGPU_RowsOp : AttnGPU_Op<"rows", [Pure]> {
  let summary = "Some rows of a shared tile";
  let description = [{
    The rows from `first` on, `first` being a multiple of 8.

    ```mlir
    %mine = attn_gpu.rows %q[%first] : !attn_gpu.shared<128x64xf16> to !attn_gpu.shared<32x64xf16>
    ```
  }];
  let arguments = (ins AttnGPU_Shared:$source, Index:$first);
  let results = (outs AttnGPU_Shared:$result);
  let assemblyFormat = "$source `[` $first `]` attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let hasVerifier = 1;
}

def AttnGPU_CopyOp : AttnGPU_Op<"copy", [SingleBlock]> {
  let summary = "All warps copy a tile from global to shared memory";
  let description = [{
    The region maps (row, column) of the tile to an element offset from `base`,
    and says whether the element exists; what does not is zero. It is asked for
    the first of every `vector` neighbouring columns, which exist together and
    are neighbours in memory. If `whole` holds, everything exists and the second
    yielded value is not looked at; it has the same value in all threads.

    Copies of 4 to 16 bytes are asynchronous (`cp.async`): they are done after a
    commit and a wait of every thread, and a barrier. Narrower ones are done
    after the barrier.

    ```mlir
    attn_gpu.copy %base to %tile whole %full attributes {vector = 8 : i64} {
    ^bb0(%row: index, %column: index):
      ...
      attn_gpu.yield %offset, %exists : index, i1
    } : !attn_gpu.shared<64x128xf16>
    ```
  }];
  let arguments = (ins AttnGPU_Pointer:$base, AttnGPU_Shared:$tile, Optional<I1>:$whole,
                       I64Attr:$vector);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$base `to` $tile (`whole` $whole^)? attr-dict-with-keyword $body `:` qualified(type($tile))";
  let hasVerifier = 1;
}

def AttnGPU_LoadOp : AttnGPU_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "A shared tile as left operand of products, in registers";
  let description = [{
    ```mlir
    %q = attn_gpu.load %tile : !attn_gpu.shared<32x64xf16> -> !attn_gpu.fragment<32x64xf16, lhs>
    ```
  }];
  let arguments = (ins AttnGPU_Shared:$tile);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$tile attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def AttnGPU_MmaOp : AttnGPU_Op<"mma", [MemoryEffects<[MemRead]>, AllTypesMatch<["acc", "result"]>, AttrSizedOperandSegments]> {
  let summary = "acc + lhs rhs, of one warp";
  let description = [{
    `lhs` is a fragment or a shared tile, M x K; `rhs` a shared tile, K x N, or
    N x K if `transposed`. What is in shared memory is loaded step by step
    between the products that need it. If `lhs_transposed`, lhs is a shared tile
    K x M of 16-bit elements.

    Of the columns of a tile that are rows or columns of the result, only some may
    take part: those from `first_row` (of a transposed lhs) or `first_column` (of a
    rhs K x N) on, multiples of the result's rows or columns, which are a power of
    two then.

    ```mlir
    %s = attn_gpu.mma %q, %k, %zero {transposed} : !attn_gpu.shared<32x64xf16>, !attn_gpu.shared<64x64xf16>, !attn_gpu.fragment<32x64xf32, acc>
    %dq = attn_gpu.mma %ds, %k, %zero rows from %i columns from %j {lhs_transposed} : !attn_gpu.shared<64x64xf16>, !attn_gpu.shared<64x64xf16>, !attn_gpu.fragment<16x32xf32, acc>
    ```
  }];
  let arguments = (ins AnyType:$lhs, AttnGPU_Shared:$rhs, AttnGPU_Fragment:$acc,
                       Optional<Index>:$first_row, Optional<Index>:$first_column,
                       UnitAttr:$transposed, UnitAttr:$lhs_transposed);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc (`rows` `from` $first_row^)? (`columns` `from` $first_column^)? attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `,` qualified(type($acc))";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$acc, "bool":$transposed)>];
  let hasVerifier = 1;
}

def AttnGPU_FillOp : AttnGPU_Op<"fill", [Pure]> {
  let summary = "A fragment whose elements are all the same";
  let description = [{
    ```mlir
    %zero = attn_gpu.fill %c0 : !attn_gpu.fragment<32x64xf32, acc>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` qualified(type($result))";
}

def AttnGPU_MapOp : AttnGPU_Op<"map", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "A function of elements, applied to fragments";
  let description = [{
    The region takes an element of each input, then the element's row and column
    in the fragment, and yields an element of each result. An input of layout
    `row` or `col` gives its row's or column's element. All inputs of the layout
    `acc` have one shape; a result is of layout `row` or `col` only if all inputs
    are. Values from outside may be used, loads included.

    ```mlir
    %p = attn_gpu.map ins(%s, %m : !attn_gpu.fragment<32x64xf32, acc>, !attn_gpu.fragment<32xf32, row>) {
    ^bb0(%x: f32, %r: f32, %row: index, %column: index):
      %d = arith.subf %x, %r : f32
      attn_gpu.yield %d : f32
    } -> !attn_gpu.fragment<32x64xf32, acc>
    ```
  }];
  let arguments = (ins Variadic<AttnGPU_Fragment>:$inputs);
  let results = (outs Variadic<AttnGPU_Fragment>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`ins` `(` ($inputs^ `:` qualified(type($inputs)))? `)` attr-dict-with-keyword $body `->` qualified(type($results))";
  let hasVerifier = 1;
}

def AttnGPU_Reduction : AttnGPU_Enum<"Reduction", "how elements are combined", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Sum", 1, "sum">]>;
def AttnGPU_ReductionAttr : EnumAttr<AttnGPU_Dialect, AttnGPU_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def AttnGPU_ReduceOp : AttnGPU_Op<"reduce", [Pure, AllTypesMatch<["init", "result"]>]> {
  let summary = "Combines what each lane holds of a row";
  let description = [{
    The result is partial: a row's value is spread over its four lanes until
    `attn_gpu.across` combines them. `max` ignores NaN.

    ```mlir
    %l1 = attn_gpu.reduce sum %p, %l0 : !attn_gpu.fragment<32x64xf32, acc>, !attn_gpu.fragment<32xf32, row>
    ```
  }];
  let arguments = (ins AttnGPU_ReductionAttr:$kind, AttnGPU_Fragment:$source, AttnGPU_Fragment:$init);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$kind $source `,` $init attr-dict `:` qualified(type($source)) `,` qualified(type($init))";
  let builders = [OpBuilder<(ins "::mlir::attn_gpu::Reduction":$kind, "::mlir::Value":$source, "::mlir::Value":$init)>];
}

def AttnGPU_AcrossOp : AttnGPU_Op<"across", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "Combines a row's value across its four lanes";
  let description = [{
    ```mlir
    %m = attn_gpu.across max %partial : !attn_gpu.fragment<32xf32, row>
    ```
  }];
  let arguments = (ins AttnGPU_ReductionAttr:$kind, AttnGPU_Fragment:$source);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$kind $source attr-dict `:` qualified(type($source))";
  let builders = [OpBuilder<(ins "::mlir::attn_gpu::Reduction":$kind, "::mlir::Value":$source)>];
}

def AttnGPU_AnyOp : AttnGPU_Op<"any", [Pure]> {
  let summary = "Does it hold for some row of the warp?";
  let description = [{
    The result is the same in all lanes.

    ```mlir
    %grew = attn_gpu.any %rows : !attn_gpu.fragment<32xi1, row>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
}

def AttnGPU_ToLhsOp : AttnGPU_Op<"to_lhs", [Pure]> {
  let summary = "An accumulator as left operand of the next product";
  let description = [{
    Rounds to the result's element type, nearest even. Every lane keeps its own
    elements.

    ```mlir
    %a = attn_gpu.to_lhs %p : !attn_gpu.fragment<32x64xf32, acc> -> !attn_gpu.fragment<32x64xf16, lhs>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

def AttnGPU_PutOp : AttnGPU_Op<"put", [MemoryEffects<[MemWrite]>]> {
  let summary = "Stores a fragment to a shared tile";
  let description = [{
    Rounds to the tile's element type, nearest even. 16-bit elements keep their
    places, M x N. A tile of 32-bit elements is N x M, the transposed fragment,
    and of eight neighbouring columns 2 t and 2 t + 1 are at t and t + 4: as a left
    operand beside a right one that is stored K x N wants them. A tile may have more
    columns than the fragment has rows then: they are from `first` on, a multiple of
    the fragment's rows, which are a power of two.

    ```mlir
    attn_gpu.put %ds to %tile : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<16x64xf16>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source, AttnGPU_Shared:$tile, Optional<Index>:$first);
  let assemblyFormat = "$source `to` $tile (`from` $first^)? attr-dict `:` qualified(type($source)) `,` qualified(type($tile))";
  let hasVerifier = 1;
}

def AttnGPU_AddSumsOp : AttnGPU_Op<"add_sums"> {
  let summary = "Adds a fragment to sums in global memory, atomically";
  let description = [{
    Sums are f32 and lie as accumulators do in registers, so that neighbouring
    lanes add to neighbouring addresses. Blocks of 16 rows by 8 columns are one
    after the other, row by row of blocks (there are `block_columns` in one); in a
    block come the lanes' first registers, then their second, third and fourth
    ones. The fragment's first block begins `first` elements from `base`.

    ```mlir
    attn_gpu.add_sums %dq to %base[%first] {block_columns = 8 : i64} : !attn_gpu.fragment<16x32xf32, acc>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source, AttnGPU_Pointer:$base, Index:$first, I64Attr:$block_columns);
  let assemblyFormat = "$source `to` $base `[` $first `]` attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def AttnGPU_StoreSumsOp : AttnGPU_Op<"store_sums"> {
  let summary = "Stores a fragment to global memory, as accumulators lie";
  let description = [{
    Where attn_gpu.add_sums would add.

    ```mlir
    attn_gpu.store_sums %acc to %base[%first] {block_columns = 8 : i64} : !attn_gpu.fragment<16x64xf32, acc>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source, AttnGPU_Pointer:$base, Index:$first, I64Attr:$block_columns);
  let assemblyFormat = "$source `to` $base `[` $first `]` attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def AttnGPU_LoadSumsOp : AttnGPU_Op<"load_sums"> {
  let summary = "Sums in global memory as a fragment";
  let description = [{
    What attn_gpu.add_sums has added up, or attn_gpu.store_sums left.

    ```mlir
    %dq = attn_gpu.load_sums %base[%first] {block_columns = 8 : i64} : !attn_gpu.fragment<16x64xf32, acc>
    ```
  }];
  let arguments = (ins AttnGPU_Pointer:$base, Index:$first, I64Attr:$block_columns);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = "$base `[` $first `]` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def AttnGPU_StoreOp : AttnGPU_Op<"store", [SingleBlock]> {
  let summary = "Stores a fragment to global memory";
  let description = [{
    The region maps (row, column) to an element offset from `base`, and says
    whether the element exists; others are not stored. It is asked for the first
    of every `vector` neighbouring columns (1 or 2), which exist together and
    are neighbours in memory. Elements are rounded to `element_type`. Of a `row`
    fragment one lane stores each row's element, at column 0. A lane stores its
    elements as its registers come; with `by_rows` row by row: what exists
    together shares one condition and one address, and fewer registers are live.

    ```mlir
    attn_gpu.store %o to %base as f16 attributes {vector = 2 : i64} {
    ^bb0(%row: index, %column: index):
      ...
      attn_gpu.yield %offset, %exists : index, i1
    } : !attn_gpu.fragment<32x64xf32, acc>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$source, AttnGPU_Pointer:$base,
                       TypeAttr:$element_type, I64Attr:$vector,
                       UnitAttr:$by_rows);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$source `to` $base `as` $element_type attr-dict-with-keyword $body `:` qualified(type($source))";
  let hasVerifier = 1;
}

def AttnGPU_YieldOp : AttnGPU_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Ends a region of this dialect";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // ATTN_GPU_ATTNGPUOPS_TD
