//===- AssemblyImpl.h - spellings that attributes and ops share ----*- C++
//-*-===//
#ifndef ATTN_LIB_IR_ASSEMBLYIMPL_H
#define ATTN_LIB_IR_ASSEMBLYIMPL_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::attn {

/// `skip` or `replace(c)`; null after an error.
HiddenAttr parseHiddenBody(AsmParser &parser);
void printHiddenBody(AsmPrinter &printer, HiddenAttr hidden);

} // namespace mlir::attn

#endif // ATTN_LIB_IR_ASSEMBLYIMPL_H
