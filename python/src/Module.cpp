//===- Module.cpp - the extension module attn._native ---------------------===//
#include "Arrays.h"
#include "Errors.h"
#include "Unlocked.h"
#include "attn-c/Pipeline.h"
#include "attn-c/Program.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <vector>

namespace nb = nanobind;
using namespace attn_python;

/// Threads that calls use; 0: all cores.
static std::atomic<unsigned> numThreads{0};

namespace {
/// What the C API hands over, as a Python string.
class OwnedString {
public:
  explicit OwnedString(AttnString string) : string(string) {}
  ~OwnedString() { attnStringFree(string); }
  OwnedString(const OwnedString &) = delete;
  nb::str toText() const { return nb::str(string.data, string.length); }
  nb::bytes toBytes() const { return nb::bytes(string.data, string.length); }

private:
  AttnString string;
};

struct CompileArguments {
  std::string target, entry, tiling, executor;
  bool mustFuse, strict, strictRounding, atomics;
  unsigned threads;
};

class Program {
public:
  Program(const std::string &text, std::optional<std::string> name,
          const CompileArguments &arguments);

  nb::object call(nb::args args, nb::handle out,
                  std::optional<unsigned> threads) const;
  nb::object emit(const std::string &kind) const;
  void setViews(nb::list argumentViews, nb::list resultViews);
  nb::object remarks() const { return parseJson(attnProgramGetRemarksString); }
  nb::object report() const { return parseJson(attnProgramGetReportString); }
  std::string entry() const { return attnProgramGetEntry(get()); }
  std::string target() const { return attnProgramGetTarget(get()); }
  nb::list arguments() const { return describe(argumentTypes); }
  nb::list results() const { return describe(resultTypes); }
  unsigned threads() const { return plannedThreads; }

private:
  AttnProgram *get() const { return program.get(); }
  nb::object parseJson(AttnString (*query)(const AttnProgram *)) const {
    OwnedString text(query(get()));
    return nb::module_::import_("json").attr("loads")(text.toText());
  }
  static nb::list describe(const std::vector<AttnValueType> &types);
  nb::object makeResult(size_t index, const AttnBuffer *arguments) const;

  struct Destroy {
    void operator()(AttnProgram *program) const { attnProgramDestroy(program); }
  };
  std::unique_ptr<AttnProgram, Destroy> program;
  std::vector<AttnValueType> argumentTypes, resultTypes;
  unsigned plannedThreads = 0;
  std::vector<ArrayView> argumentViews, resultViews; ///< none, or one for each
  /// (shape, dtype) of each result, once it is known; the interpreter lock
  /// guards it.
  mutable std::vector<nb::object> resultSpecs;
};
} // namespace

/// `text` is the module's, or with `name` absent a path.
Program::Program(const std::string &text, std::optional<std::string> name,
                 const CompileArguments &arguments) {
  AttnCompileOptions options = attnCompileOptionsGetDefault();
  auto orNull = [](const std::string &value) {
    return value.empty() ? nullptr : value.c_str();
  };
  options.target = orNull(arguments.target);
  options.entry = orNull(arguments.entry);
  options.tiling = orNull(arguments.tiling);
  options.executor = orNull(arguments.executor);
  options.threads = plannedThreads = arguments.threads;
  options.mustFuse = arguments.mustFuse;
  options.strict = arguments.strict;
  options.strictRounding = arguments.strictRounding;
  options.atomics = arguments.atomics;
  AttnProgram *made = nullptr;
  AttnError *error = nullptr;
  bool succeeded;
  {
    Unlocked unlocked;
    succeeded =
        name ? attnProgramCompileText(text.data(), text.size(), name->c_str(),
                                      &options, &made, &error)
             : attnProgramCompileFile(text.c_str(), &options, &made, &error);
  }
  if (!succeeded)
    throwCompileError(error);
  program.reset(made);
  for (size_t i = 0; i < attnProgramGetNumArguments(made); ++i)
    argumentTypes.push_back(attnProgramGetArgumentType(made, i));
  for (size_t i = 0; i < attnProgramGetNumResults(made); ++i)
    resultTypes.push_back(attnProgramGetResultType(made, i));
  resultSpecs.resize(resultTypes.size());
}

nb::list Program::describe(const std::vector<AttnValueType> &types) {
  nb::list list;
  for (const AttnValueType &type : types) {
    nb::list shape;
    for (size_t dim = 0; dim < type.rank; ++dim) {
      if (type.shape[dim] == ATTN_DYNAMIC)
        shape.append(nb::none());
      else
        shape.append(type.shape[dim]);
    }
    list.append(nb::make_tuple(attnDTypeGetName(type.type), nb::tuple(shape)));
  }
  return list;
}

/// Text as str, bytes otherwise.
static nb::object toPython(const OwnedString &owner, AttnString contents) {
  PyObject *text =
      PyUnicode_DecodeUTF8(contents.data, contents.length, "strict");
  if (text && !memchr(contents.data, 0, contents.length))
    return nb::steal(text);
  PyErr_Clear();
  Py_XDECREF(text);
  return owner.toBytes();
}

/// (contents, the manifest's text or None).
nb::object Program::emit(const std::string &kind) const {
  AttnString contents = {}, manifest = {};
  AttnError *error = nullptr;
  bool succeeded;
  {
    Unlocked unlocked;
    succeeded =
        attnProgramEmit(get(), kind.c_str(), &contents, &manifest, &error);
  }
  if (!succeeded)
    throwCompileError(error);
  OwnedString contentsOwner(contents), manifestOwner(manifest);
  nb::object beside = nb::none();
  if (manifest.data)
    beside = manifestOwner.toText();
  return nb::make_tuple(toPython(contentsOwner, contents), beside);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static nb::object makeTuple(const std::vector<int64_t> &values) {
  nb::object tuple = nb::steal(PyTuple_New(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    PyTuple_SET_ITEM(tuple.ptr(), i, PyLong_FromLongLong(values[i]));
  return tuple;
}

/// A new numpy array for a result. What numpy.empty takes is made once where
/// the shape is known.
nb::object Program::makeResult(size_t index,
                               const AttnBuffer *arguments) const {
  static nb::handle empty =
      nb::object(nb::module_::import_("numpy").attr("empty")).release();
  nb::object &known = resultSpecs[index];
  nb::object spec = known;
  if (!spec.is_valid()) {
    const AttnValueType &type = resultTypes[index];
    std::vector<int64_t> extents(type.shape, type.shape + type.rank);
    if (!resultViews.empty())
      extents = resultViews[index].shape;
    bool isStatic = !std::count(extents.begin(), extents.end(), ATTN_DYNAMIC);
    AttnError *error = nullptr;
    if (!isStatic &&
        !attnProgramGetResultShape(get(), arguments, argumentTypes.size(),
                                   index, extents.data(), &error))
      throwCallError(error);
    nb::object dtype = nb::module_::import_("attn._arrays")
                           .attr("dtype")(attnDTypeGetName(type.type));
    spec = nb::make_tuple(makeTuple(extents), dtype);
    if (isStatic)
      known = spec;
  }
  PyObject *array = PyObject_CallObject(empty.ptr(), spec.ptr());
  if (!array)
    throw nb::python_error();
  return nb::steal(array);
}

void Program::setViews(nb::list arguments, nb::list results) {
  auto read = [](nb::list list) {
    std::vector<ArrayView> views;
    for (nb::handle item : list) {
      auto [shape, axes] = nb::cast<
          std::pair<std::vector<int64_t>,
                    std::vector<std::tuple<size_t, int64_t, int64_t>>>>(item);
      ArrayView &view = views.emplace_back();
      view.shape = std::move(shape);
      for (auto [dim, extent, step] : axes)
        view.axes.push_back({dim, extent, step});
    }
    return views;
  };
  argumentViews = read(arguments);
  resultViews = read(results);
}

nb::object Program::call(nb::args args, nb::handle out,
                         std::optional<unsigned> threads) const {
  if (args.size() != argumentTypes.size()) {
    PyErr_Format(PyExc_TypeError, "@%s takes %zu arrays, got %zu",
                 attnProgramGetEntry(get()), argumentTypes.size(), args.size());
    throw nb::python_error();
  }
  constexpr size_t kInline = 16;
  Array inlineArrays[kInline];
  AttnBuffer inlineBuffers[kInline];
  std::unique_ptr<Array[]> moreArrays;
  std::unique_ptr<AttnBuffer[]> moreBuffers;
  size_t numArguments = args.size(), numResults = resultTypes.size();
  Array *arrays = inlineArrays;
  AttnBuffer *buffers = inlineBuffers;
  if (numArguments + numResults > kInline) {
    moreArrays.reset(new Array[numArguments + numResults]);
    moreBuffers.reset(new AttnBuffer[numArguments + numResults]);
    arrays = moreArrays.get();
    buffers = moreBuffers.get();
  }
  for (size_t i = 0; i < numArguments; ++i) {
    arrays[i].take(args[i], argumentTypes[i], /*writable=*/false, "argument",
                   i);
    if (!argumentViews.empty())
      arrays[i].apply(argumentViews[i]);
    buffers[i] = arrays[i].get();
  }

  nb::object results;
  if (out.is_none()) {
    results = nb::steal(PyTuple_New(numResults));
    for (size_t i = 0; i < numResults; ++i)
      PyTuple_SET_ITEM(results.ptr(), i,
                       makeResult(i, buffers).release().ptr());
  } else {
    results = PyTuple_Check(out.ptr())  ? nb::borrow(out)
              : PyList_Check(out.ptr()) ? nb::steal(PyList_AsTuple(out.ptr()))
                                        : nb::object(nb::make_tuple(out));
    if (static_cast<size_t>(PyTuple_GET_SIZE(results.ptr())) != numResults) {
      PyErr_Format(PyExc_TypeError,
                   "out: expected %zu arrays, one for each result of @%s, got "
                   "%zd",
                   numResults, attnProgramGetEntry(get()),
                   PyTuple_GET_SIZE(results.ptr()));
      throw nb::python_error();
    }
  }
  for (size_t i = 0; i < numResults; ++i) {
    Array &array = arrays[numArguments + i];
    array.take(PyTuple_GET_ITEM(results.ptr(), i), resultTypes[i],
               /*writable=*/true, "result", i);
    if (!resultViews.empty())
      array.apply(resultViews[i]);
    buffers[numArguments + i] = array.get();
  }

  AttnError *error = nullptr;
  bool succeeded;
  {
    Unlocked unlocked;
    succeeded = attnProgramCall(
        get(), buffers, numArguments, buffers + numArguments, numResults,
        threads.value_or(numThreads.load(std::memory_order_relaxed)), &error);
  }
  if (!succeeded)
    throwCallError(error);
  if (numResults == 0)
    return nb::none();
  if (numResults == 1)
    return nb::borrow(PyTuple_GET_ITEM(results.ptr(), 0));
  return results;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static nb::str runPipeline(const std::string &text, const std::string &name,
                           const std::string &pipeline) {
  AttnString result = {};
  AttnError *error = nullptr;
  bool succeeded;
  {
    Unlocked unlocked;
    succeeded = attnRunPipeline(text.data(), text.size(), name.c_str(),
                                pipeline.c_str(), &result, &error);
  }
  if (!succeeded)
    throwCompileError(error);
  return OwnedString(result).toText();
}

/// The names of attention's arrays, in the order that describe takes them in.
static constexpr const char *operandNames[] = {
    "q", "k", "v", "bias", "mask", "sink", "dout", "out", "lse", "dlse"};

/// ((dtype, shape, strides), ...) of attention's arrays, None for None: what a
/// program for them depends on.
static nb::object describe(nb::args arrays) {
  if (arrays.size() > std::size(operandNames))
    throw nb::type_error("describe: too many arrays");
  nb::object list = nb::steal(PyTuple_New(arrays.size()));
  for (size_t i = 0; i < arrays.size(); ++i) {
    nb::object entry = nb::none();
    if (!nb::handle(arrays[i]).is_none()) {
      Array array;
      array.take(arrays[i], operandNames[i]);
      const AttnBuffer &buffer = array.get();
      nb::object shape = nb::steal(PyTuple_New(buffer.rank));
      nb::object strides = nb::steal(PyTuple_New(buffer.rank));
      for (size_t dim = 0; dim < buffer.rank; ++dim) {
        PyTuple_SET_ITEM(shape.ptr(), dim,
                         PyLong_FromLongLong(buffer.shape[dim]));
        PyTuple_SET_ITEM(strides.ptr(), dim,
                         PyLong_FromLongLong(buffer.strides[dim]));
      }
      entry = nb::make_tuple(static_cast<int>(buffer.type), shape, strides);
    }
    PyTuple_SET_ITEM(list.ptr(), i, entry.release().ptr());
  }
  return list;
}

NB_MODULE(_native, module) {
  registerAtExit();
  nb::set_leak_warnings(false);
  nb::class_<Program>(module, "Program",
                      "A compiled function: call it on arrays.")
      .def(
          "__init__",
          [](Program *self, const std::string &text,
             std::optional<std::string> name, const std::string &target,
             const std::string &entry, const std::string &tiling,
             const std::string &executor, bool mustFuse, bool strict,
             bool strictRounding, bool atomics, unsigned threads) {
            new (self)
                Program(text, std::move(name),
                        {target, entry, tiling, executor, mustFuse, strict,
                         strictRounding, atomics, threads});
          },
          nb::arg("text"), nb::arg("name").none(), nb::arg("target"),
          nb::arg("entry"), nb::arg("tiling"), nb::arg("executor"),
          nb::arg("must_fuse"), nb::arg("strict"), nb::arg("strict_rounding"),
          nb::arg("atomics"), nb::arg("threads"))
      .def("__call__", &Program::call, nb::arg("args"), nb::kw_only(),
           nb::arg("out") = nb::none(), nb::arg("threads") = nb::none())
      .def("set_views", &Program::setViews, nb::arg("arguments"),
           nb::arg("results"))
      .def("_emit", &Program::emit, nb::arg("kind"))
      .def_prop_ro("remarks", &Program::remarks)
      .def_prop_ro("report", &Program::report)
      .def_prop_ro("entry", &Program::entry)
      .def_prop_ro("target", &Program::target)
      .def_prop_ro("arguments", &Program::arguments)
      .def_prop_ro("results", &Program::results)
      .def_prop_ro("threads", &Program::threads);
  module.def("run_pipeline", &runPipeline, nb::arg("text"), nb::arg("name"),
             nb::arg("pipeline"));
  module.def("describe", &describe, nb::arg("arrays"));
  module.def("dtype_name", [](int type) {
    return attnDTypeGetName(static_cast<AttnDType>(type));
  });
  module.def("set_num_threads", [](unsigned threads) { numThreads = threads; });
  module.def("get_num_threads", [] { return numThreads.load(); });
}
