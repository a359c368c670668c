//===- Errors.cpp - the C API's errors as Python exceptions ---------------===//
#include "Errors.h"
#include <memory>
#include <nanobind/nanobind.h>

namespace nb = nanobind;
using namespace attn_python;

namespace {
struct Destroy {
  void operator()(AttnError *error) const { attnErrorDestroy(error); }
};
} // namespace

void attn_python::throwCompileError(AttnError *error) {
  std::unique_ptr<AttnError, Destroy> owner(error);
  nb::module_ errors = nb::module_::import_("attn._errors");
  nb::list diagnostics;
  for (size_t i = 0; i < attnErrorGetNumDiagnostics(error); ++i) {
    AttnDiagnostic d = attnErrorGetDiagnostic(error, i);
    diagnostics.append(errors.attr("Diagnostic")(d.severity, d.file, d.line,
                                                 d.column, d.message));
  }
  nb::object kind = errors.attr("CompileError");
  nb::object exception = kind(attnErrorGetMessage(error), diagnostics);
  PyErr_SetObject(kind.ptr(), exception.ptr());
  throw nb::python_error();
}

void attn_python::throwCallError(AttnError *error) {
  std::unique_ptr<AttnError, Destroy> owner(error);
  // Where no place in the input is known, the message says it all.
  AttnDiagnostic first = attnErrorGetDiagnostic(error, 0);
  PyErr_SetString(PyExc_ValueError,
                  *first.file ? attnErrorGetMessage(error) : first.message);
  throw nb::python_error();
}
