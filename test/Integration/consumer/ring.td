include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "attn/IR/AttnAttrs.td"

def Ring_Dialect : Dialect {
  let name = "ring";
  let cppNamespace = "::ring";
}

def Ring_PassOp : Op<Ring_Dialect, "pass", [Pure]> {
  let summary = "The rank that a block goes to, with the tiling it is made for";
  let arguments = (ins I32:$rank, OptionalAttr<Attn_TilingAttr>:$tiling);
  let results = (outs I32:$next);
}
