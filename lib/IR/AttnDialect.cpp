//===- AttnDialect.cpp - registration of the attn dialect -----------------===//
#include "attn/IR/AttnDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

#include "attn/IR/AttnDialect.cpp.inc"
#include "attn/IR/AttnEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "attn/IR/AttnAttrs.cpp.inc"
#include "attn/IR/AttnInterfaces.cpp.inc"

namespace {
/// An attention reads its operands and nothing of the function around it: it
/// means the same in whichever function it stands.
struct AttnInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void AttnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/IR/AttnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/IR/AttnOps.cpp.inc"
      >();
  addInterfaces<AttnInlinerInterface>();
}
