/*===- attn-c/Dialects.h - beside MLIR's own C API -----------------*- C
-*-===*\
|*                                                                            *|
|* For programs that use MLIR's C API (mlir-c) and the same libMLIR: makes   *|
|* the attn dialect known to their registry or context.                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef ATTN_C_DIALECTS_H
#define ATTN_C_DIALECTS_H

#include "attn-c/Support.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Adds the attn dialect. False for a null registry. */
ATTN_EXPORT bool attnRegisterDialect(MlirDialectRegistry registry);

/** Adds all dialects, extensions and translations that the pipelines use. False
 * for a null registry. */
ATTN_EXPORT bool attnRegisterAllDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_DIALECTS_H */
