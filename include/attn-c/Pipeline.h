/*===- attn-c/Pipeline.h - passes and pipelines by name ------------*- C
-*-===*\
|*                                                                            *|
|* What attn-opt --pass-pipeline=... does, on text: every dialect and pass of *|
|* the project and of upstream is known by name.                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef ATTN_C_PIPELINE_H
#define ATTN_C_PIPELINE_H

#include "attn-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs `pipeline`, e.g. "builtin.module(attn-recognize,canonicalize)", on MLIR
 * text, which diagnostics call `name`, and yields the module's text. */
ATTN_EXPORT bool attnRunPipeline(const char *text, size_t length,
                                 const char *name, const char *pipeline,
                                 AttnString *result, AttnError **error);

/** Registers every pass and pipeline with MLIR's registry of this process, for
 * programs that build pass managers themselves. Once is enough. */
ATTN_EXPORT void attnRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_PIPELINE_H */
