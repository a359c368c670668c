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

/// `maps = [(dims) -> (results), -> (results), ...]`; all maps share their
/// dims.
ParseResult parseMaps(OpAsmParser &parser, ArrayAttr &maps);
void printMaps(OpAsmPrinter &printer, ArrayRef<AffineMap> maps,
               ArrayRef<std::string> names);

/// Names of iteration dims by role.
SmallVector<std::string> dimNames(ScoreOpInterface op);
/// Row and value dims of a state, by the maps of acc and of max.
SmallVector<std::string> dimNames(AffineMap state, unsigned numDims);

} // namespace mlir::attn

#endif // ATTN_LIB_IR_ASSEMBLYIMPL_H
