//===- AttnInterfaces.td - what attn ops have in common -----*- tablegen -*-===//
#ifndef ATTN_IR_ATTNINTERFACES_TD
#define ATTN_IR_ATTNINTERFACES_TD

include "mlir/IR/OpBase.td"

def Attn_IndexedOpInterface : OpInterface<"IndexedOpInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op over an iteration space whose operands are accessed through indexing
    maps, one map per shaped operand (and scalar extra) in operand order.
  }];
  let methods = [
    InterfaceMethod<
      "The indexing maps as a list, in operand order.",
      "::llvm::SmallVector<::mlir::AffineMap>", "getMapArray", (ins), [{}], [{
        return ::llvm::to_vector(
            $_op.getMaps().template getAsValueRange<::mlir::AffineMapAttr>());
      }]>,
    InterfaceMethod<
      "The map through which an operand is accessed; null for an operand that "
      "has none (index scalars: symbols, origin, extents).",
      "::mlir::AffineMap", "getMapOf", (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<
      "The number of iteration dims.", "unsigned", "getNumLoops", (ins), [{}], [{
        return ::llvm::cast<::mlir::AffineMapAttr>($_op.getMaps()[0])
            .getValue().getNumDims();
      }]>
  ];
}

def Attn_ScoreOpInterface : OpInterface<"ScoreOpInterface", [Attn_IndexedOpInterface]> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that computes scores of queries against keys: it has query, key and
    value, a scale, a score region with extras, a mask (`visible`, `symbols`,
    `blocks`, `hidden`) and a position in the whole problem (`origin`,
    `extents`).
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::Value", "getQuery", (ins)>,
    InterfaceMethod<"", "::mlir::Value", "getKey", (ins)>,
    InterfaceMethod<"", "::mlir::Value", "getValue", (ins)>,
    InterfaceMethod<"Operands of the score region beside the score.",
      "::mlir::OperandRange", "getExtras", (ins)>,
    InterfaceMethod<"Further symbols of `visible`, after the extents.",
      "::mlir::OperandRange", "getSymbols", (ins)>,
    InterfaceMethod<"The block-sparsity operand, or null.",
      "::mlir::Value", "getBlocks", (ins)>,
    InterfaceMethod<"The operand that holds the output: its destination or, in the "
      "backward, its value.", "::mlir::OpOperand &", "getOutputOperand", (ins)>,
    InterfaceMethod<"The factor between query . key and the score.",
      "double", "getScaleValue", (ins), [{}],
      [{ return $_op.getScale().convertToDouble(); }]>,
    InterfaceMethod<"The sets of visible points; null if all are.",
      "::mlir::ArrayAttr", "getVisibleAttr", (ins)>,
    InterfaceMethod<"What a key outside `visible` means.",
      "::mlir::attn::HiddenAttr", "getHiddenAttr", (ins)>,
    InterfaceMethod<"The chosen tiling, or null.",
      "::mlir::attn::TilingAttr", "getTilingAttr", (ins)>,
    InterfaceMethod<"The score region.", "::mlir::Region &", "getScoreRegion",
      (ins), [{}], [{ return $_op.getScore(); }]>,
    InterfaceMethod<"Whole-problem index of local index 0, per iteration dim; "
      "empty when all are 0.",
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedOrigin", (ins), [{}], [{
        ::mlir::Builder b($_op->getContext());
        return ::mlir::getMixedValues($_op.getStaticOrigin(), $_op.getOrigin(), b);
      }]>,
    InterfaceMethod<"Whole-problem size per iteration dim; empty when the local "
      "sizes are the whole.",
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedExtents", (ins), [{}], [{
        ::mlir::Builder b($_op->getContext());
        return ::mlir::getMixedValues($_op.getStaticExtents(), $_op.getExtents(), b);
      }]>,
    InterfaceMethod<"Replaces origin and extents (one entry per iteration dim, or "
      "none).", "void", "setPosition",
      (ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$origin,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents), [{}], [{
        ::llvm::SmallVector<int64_t> staticOrigin, staticExtents;
        ::llvm::SmallVector<::mlir::Value> dynamicOrigin, dynamicExtents;
        ::mlir::dispatchIndexOpFoldResults(origin, dynamicOrigin, staticOrigin);
        ::mlir::dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
        $_op.getOriginMutable().assign(dynamicOrigin);
        $_op.getExtentsMutable().assign(dynamicExtents);
        $_op.setStaticOrigin(staticOrigin);
        $_op.setStaticExtents(staticExtents);
      }]>
  ];
}

#endif // ATTN_IR_ATTNINTERFACES_TD
