//===- AttnAttrs.td - attributes of the attn dialect --------*- tablegen -*-===//
#ifndef ATTN_IR_ATTNATTRS_TD
#define ATTN_IR_ATTNATTRS_TD

include "attn/IR/AttnDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Attn_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::attn";
  let genSpecializedAttr = 0;
}

def Attn_EmptyRows : Attn_Enum<"EmptyRows", "what a row without any key yields", [
    I32EnumAttrCase<"NaN", 0, "nan">,
    I32EnumAttrCase<"Zero", 1, "zero">,
    I32EnumAttrCase<"NaNSelect", 2, "nan_select">]>;
def Attn_EmptyRowsAttr : EnumAttr<Attn_Dialect, Attn_EmptyRows, "empty_rows"> {
  let summary = "What a row without any visible key yields";
  let description = [{
    `nan`: what 0/0 gives, as exporters' -inf masks do; `nan_select`: the same
    output, but the gradient of a mask spelled as a select; `zero`: the output
    is 0, the guard of PyTorch's scaled_dot_product_attention.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Attn_Order : Attn_Enum<"Order", "which loop is outermost", [
    I32EnumAttrCase<"QOuter", 0, "q_outer">,
    I32EnumAttrCase<"KVOuter", 1, "kv_outer">]>;

class Attn_Attr<string name, string attrMnemonic> : AttrDef<Attn_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Attn_HiddenAttr : Attn_Attr<"Hidden", "hidden"> {
  let summary = "What a key outside `visible` means to a row";
  let description = [{
    `skip`: the key does not exist for the row; its score is -inf.
    `replace(c)`, c finite: its score *is* c, whatever the score function says.

    ```mlir
    #attn.hidden<skip>
    #attn.hidden<replace(-3.40282347E+38)>
    ```
  }];
  // A null value means skip.
  let parameters = (ins OptionalParameter<"::mlir::FloatAttr">:$value);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isSkip() const { return !getValue(); }
    static HiddenAttr getSkip(::mlir::MLIRContext *context);
    static HiddenAttr getReplace(::mlir::MLIRContext *context, double value);
  }];
}

def Attn_CPUKernelAttr : Attn_Attr<"CPUKernel", "cpu"> {
  let summary = "Register block of the CPU's block product";
  let description = [{
    `mr` rows by `nr` elements of accumulator are held in vector registers.

    ```mlir
    #attn.cpu<mr = 6, nr = 64>
    ```
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nr);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Attn_GPUKernelAttr : Attn_Attr<"GPUKernel", "gpu"> {
  let summary = "How a GPU kernel divides a query block";
  let description = [{
    One CTA runs `warps` warps with `rows_per_warp` query rows each (in the
    backward, keys); K and V pass through `stages` buffers of shared memory. With
    `atomics` a backward is one sweep that adds dQ up in memory by atomic
    additions: less work, in an order that differs from run to run. With `apart`
    dK and dV have a kernel each, with fewer registers, even where one is
    expected to hold both.

    ```mlir
    #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>
    #attn.gpu<warps = 8, rows_per_warp = 16, stages = 1, atomics = true>
    ```
  }];
  let parameters = (ins "int64_t":$warps, "int64_t":$rows_per_warp, "int64_t":$stages,
                        DefaultValuedParameter<"bool", "false">:$atomics,
                        DefaultValuedParameter<"bool", "false">:$apart);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Attn_TilingAttr : Attn_Attr<"Tiling", "tiling"> {
  let summary = "How an attention is tiled";
  let description = [{
    `query_block` has one size per row dim, `key_block` one per key dim, in the
    order of the iteration space; a list of one may be written without brackets.
    Sizes are positive; what is larger than an extent is clamped to it by
    `attn-select-tiling`. `order` says which loop is outermost, `key_splits` into
    how many independent parts the keys are cut (their states are joined by
    `attn.merge`), `kernel` how a tile is computed on its target.

    ```mlir
    #attn.tiling<query_block = [1, 96], key_block = [256], order = q_outer,
                 key_splits = 1, kernel = #attn.cpu<mr = 6, nr = 64>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$query_block,
                        ArrayRefParameter<"int64_t">:$key_block,
                        "::mlir::attn::Order":$order,
                        "int64_t":$key_splits,
                        OptionalParameter<"::mlir::Attribute">:$kernel);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Attn_TargetAttr : Attn_Attr<"Target", "target"> {
  let summary = "The machine that code is made for";
  let description = [{
    A module attribute named `attn.target`, set by `--target`. The name is one of
    the cost model's table (see `attn/CostModel/Target.h`); properties override
    fields of it.

    ```mlir
    module attributes {attn.target = #attn.target<"avx512">} {}
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name,
                        OptionalParameter<"::mlir::DictionaryAttr">:$properties);
  let assemblyFormat = "`<` $name (`,` $properties^)? `>`";
}

#endif // ATTN_IR_ATTNATTRS_TD
