/*===- attn-c/Support.h - strings and errors of the C API ----------*- C
-*-===*\
|*                                                                            *|
|* A function that can fail returns true on success. On failure it returns   *|
|* false and, unless `error` is null, makes *error an AttnError that the     *|
|* caller destroys; what it would have yielded is null or empty. Nothing is  *|
|* printed and nothing ends the process.                                     *|
|*                                                                            *|
|* A null pointer is such an error, unless its description says what it      *|
|* means. Functions that cannot fail answer a null handle or an index that   *|
|* is out of range with "", 0 or the empty value of their type.              *|
|*                                                                            *|
|* Whatever a function named ...Create, ...Compile... or ...Get...String     *|
|* yields belongs to the caller; each kind names the function that frees it. *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef ATTN_C_SUPPORT_H
#define ATTN_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ATTN_EXPORT __attribute__((visibility("default")))
#else
#define ATTN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** "0.1.0". Not freed. */
ATTN_EXPORT const char *attnGetVersion(void);

/** Bytes of the caller's, with a NUL behind them that `length` does not count.
 */
typedef struct AttnString {
  char *data;
  size_t length;
} AttnString;

/** Also the empty one, whose data is null. */
ATTN_EXPORT void attnStringFree(AttnString string);

/** What went wrong: one or more diagnostics. */
typedef struct AttnError AttnError;

/** One diagnostic. `file` is "" and `line` 0 where no place is known. */
typedef struct AttnDiagnostic {
  const char *severity; /**< "error", "warning" or "note" */
  const char *file;
  unsigned line, column; /**< from 1 */
  const char *message;
} AttnDiagnostic;

/** All of it as text, one diagnostic a line: "file.mlir:6:8: error: ...". Lives
 * as long as the error. */
ATTN_EXPORT const char *attnErrorGetMessage(const AttnError *error);
ATTN_EXPORT size_t attnErrorGetNumDiagnostics(const AttnError *error);
/** Its strings live as long as the error. Past the last one: all of them "". */
ATTN_EXPORT AttnDiagnostic attnErrorGetDiagnostic(const AttnError *error,
                                                  size_t index);
/** Null is none. */
ATTN_EXPORT void attnErrorDestroy(AttnError *error);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_SUPPORT_H */
