//===- Errors.h - the C API's errors as Python exceptions -------*- C++ -*-===//
#ifndef ATTN_PYTHON_ERRORS_H
#define ATTN_PYTHON_ERRORS_H

#include "attn-c/Support.h"

namespace attn_python {

/// Raises attn.CompileError with the diagnostics of `error`, which it destroys.
[[noreturn]] void throwCompileError(AttnError *error);

/// Raises ValueError with the message of `error`, which it destroys.
[[noreturn]] void throwCallError(AttnError *error);

} // namespace attn_python

#endif // ATTN_PYTHON_ERRORS_H
