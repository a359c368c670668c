/*===- attn-c/Program.h - compile a file and call it ---------------*- C
-*-===*\
|*                                                                            *|
|*   AttnCompileOptions options = attnCompileOptionsGetDefault();            *|
|*   AttnProgram *program;                                                   *|
|*   AttnError *error;                                                       *|
|*   if (!attnProgramCompileFile("model.mlir", &options, &program, &error))  *|
|*     ... attnErrorGetMessage(error) ...                                    *|
|*   AttnBuffer q = {data, ATTN_F32, 4, shape, NULL}, ...;                   *|
|*   attnProgramCall(program, arguments, 3, results, 1, 0, &error);          *|
|*                                                                            *|
|* A program may be called by many threads at once.                          *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef ATTN_C_PROGRAM_H
#define ATTN_C_PROGRAM_H

#include "attn-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Types of elements. */
typedef enum AttnDType {
  ATTN_UNKNOWN = -1, /**< of a value that does not exist */
  ATTN_BOOL = 0,     /**< a byte, 0 or 1: MLIR's i1 */
  ATTN_I8,
  ATTN_I16,
  ATTN_I32,
  ATTN_I64, /**< also MLIR's index */
  ATTN_F16,
  ATTN_BF16,
  ATTN_F32,
  ATTN_F64
} AttnDType;

/** "f32", as MLIR spells it; "unknown" for what is no AttnDType. Not freed. */
ATTN_EXPORT const char *attnDTypeGetName(AttnDType type);
/** Bytes of an element; 0 for what is no AttnDType. */
ATTN_EXPORT size_t attnDTypeGetSize(AttnDType type);

/** What attn-compile's options of the same names say. Start from the default.
 */
typedef struct AttnCompileOptions {
  size_t
      structSize; /**< sizeof(AttnCompileOptions): later versions add fields */
  const char
      *target; /**< a machine by name; NULL: the module's, else this one */
  const char *entry;    /**< NULL: main, else the only public function */
  const char *tiling;   /**< "query_block=16,key_block=16"; NULL: as chosen */
  bool mustFuse;        /**< an attention that is not fused is an error */
  bool strict;          /**< a resource limit that is not met is an error */
  bool strictRounding;  /**< decline fusions that drop a rounding */
  const char *executor; /**< what runs a GPU target's kernels: "emulator" or
                           "cuda"; NULL: none, they can be emitted only */
  unsigned threads; /**< plan a CPU's tiling for so many; 0: all its cores */
  bool atomics; /**< dQ on a GPU by atomic additions, in any order: faster */
} AttnCompileOptions;

ATTN_EXPORT AttnCompileOptions attnCompileOptionsGetDefault(void);

typedef struct AttnProgram AttnProgram;

/** Compiles MLIR text of `length` bytes, which need no NUL behind them.
 * Diagnostics call it `name`. Null `options` are the default ones. */
ATTN_EXPORT bool attnProgramCompileText(const char *text, size_t length,
                                        const char *name,
                                        const AttnCompileOptions *options,
                                        AttnProgram **program,
                                        AttnError **error);
/** The same for a file. */
ATTN_EXPORT bool attnProgramCompileFile(const char *path,
                                        const AttnCompileOptions *options,
                                        AttnProgram **program,
                                        AttnError **error);
/** Null is none. */
ATTN_EXPORT void attnProgramDestroy(AttnProgram *program);

/** An argument or result. A scalar has rank 0 and isTensor false; a call passes
 * it in a buffer of rank 0 all the same. One that does not exist has type
 * ATTN_UNKNOWN. */
typedef struct AttnValueType {
  AttnDType type;
  bool isTensor;
  size_t rank;
  const int64_t
      *shape; /**< ATTN_DYNAMIC where not known; lives as the program */
} AttnValueType;
#define ATTN_DYNAMIC INT64_MIN

ATTN_EXPORT const char *attnProgramGetEntry(const AttnProgram *program);
ATTN_EXPORT const char *attnProgramGetTarget(const AttnProgram *program);
ATTN_EXPORT size_t attnProgramGetNumArguments(const AttnProgram *program);
ATTN_EXPORT size_t attnProgramGetNumResults(const AttnProgram *program);
ATTN_EXPORT AttnValueType attnProgramGetArgumentType(const AttnProgram *program,
                                                     size_t index);
ATTN_EXPORT AttnValueType attnProgramGetResultType(const AttnProgram *program,
                                                   size_t index);

#define ATTN_MAX_RANK 64
#define ATTN_MAX_THREADS 1024

/** An array of the caller's. */
typedef struct AttnBuffer {
  void *data; /**< of the element with index 0, 0, ...; null: no elements */
  AttnDType type;
  size_t rank;            /**< up to ATTN_MAX_RANK */
  const int64_t *shape;   /**< null: rank 0 */
  const int64_t *strides; /**< in elements; NULL: dense, row major */
} AttnBuffer;

/** Calls the function. Arguments are read where they lie, results written to
 * the buffers given; what is not dense goes through a copy. Results may share
 * memory with nothing else. `threads`: how many it may use, up to
 * ATTN_MAX_THREADS; 0: all cores. Null arrays of buffers are empty ones. */
ATTN_EXPORT bool attnProgramCall(const AttnProgram *program,
                                 const AttnBuffer *arguments,
                                 size_t numArguments, const AttnBuffer *results,
                                 size_t numResults, unsigned threads,
                                 AttnError **error);

/** The shape of result `index` for these arguments: fills shape[0..rank), which
 * is null for a result of rank 0. */
ATTN_EXPORT bool attnProgramGetResultShape(const AttnProgram *program,
                                           const AttnBuffer *arguments,
                                           size_t numArguments, size_t index,
                                           int64_t *shape, AttnError **error);

/** Everything the passes remarked: [{kind, name, category, loc, reason...,
 * text}]. */
ATTN_EXPORT AttnString attnProgramGetRemarksString(const AttnProgram *program);
/** {entry, target, attentions: [{loc, extents, dtype, tiling, ledger}],
 * declined: [{loc, obligation, reason}]}, as attn-run --json has them. */
ATTN_EXPORT AttnString attnProgramGetReportString(const AttnProgram *program);

/** Compiles the text again to one of attn-compile's --emit kinds ("llvm",
 * "ledger", "obj", "ptx", ...). The contents may be binary. `manifest` may be
 * NULL; else it gets the launch manifest of kernels (docs/Manifest.md), with
 * NULL data where the kind has none. */
ATTN_EXPORT bool attnProgramEmit(const AttnProgram *program, const char *kind,
                                 AttnString *contents, AttnString *manifest,
                                 AttnError **error);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_PROGRAM_H */
