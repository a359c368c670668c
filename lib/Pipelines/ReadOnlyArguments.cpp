//===- ReadOnlyArguments.cpp - arguments belong to the caller -------------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNREADONLYARGUMENTS
#include "attn/Pipelines/Passes.h.inc"

namespace {
struct ReadOnlyArguments : impl::AttnReadOnlyArgumentsBase<ReadOnlyArguments> {
  void runOnOperation() override {
    StringRef name = bufferization::BufferizationDialect::kWritableAttrName;
    auto readOnly = BoolAttr::get(&getContext(), false);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isExternal())
        continue;
      for (BlockArgument argument : function.getArguments())
        if (isa<TensorType>(argument.getType()))
          function.setArgAttr(argument.getArgNumber(), name, readOnly);
    }
  }
};
} // namespace
} // namespace mlir::attn
