//===- Program.cpp - the C API of attn/Runtime/Program.h ------------------===//
#include "attn-c/Program.h"
#include "Support.h"
#include "attn/Runtime/Program.h"

using namespace mlir;
using namespace mlir::attn;
namespace json = llvm::json;

struct AttnProgram {
  std::unique_ptr<Program> program;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static_assert(ATTN_DYNAMIC == ShapedType::kDynamic);
static_assert(ATTN_MAX_THREADS == Program::kMostThreads);

/// In the order of AttnDType.
static constexpr ::attn::DType dtypes[] = {
    ::attn::DType::Bool, ::attn::DType::I8,  ::attn::DType::I16,
    ::attn::DType::I32,  ::attn::DType::I64, ::attn::DType::F16,
    ::attn::DType::BF16, ::attn::DType::F32, ::attn::DType::F64,
};

static std::optional<::attn::DType> fromC(AttnDType type) {
  auto index = static_cast<size_t>(type);
  if (index >= std::size(dtypes))
    return std::nullopt;
  return dtypes[index];
}

static AttnDType toC(::attn::DType type) {
  return static_cast<AttnDType>(llvm::find(dtypes, type) - dtypes);
}

const char *attnDTypeGetName(AttnDType type) {
  std::optional<::attn::DType> known = fromC(type);
  return known ? ::attn::stringify(*known).data() : "unknown";
}

size_t attnDTypeGetSize(AttnDType type) {
  std::optional<::attn::DType> known = fromC(type);
  return known ? ::attn::sizeOf(*known) : 0;
}

/// The value of that number; none where there is none.
static AttnValueType toC(ArrayRef<EntryType> types, size_t index) {
  if (index >= types.size())
    return {ATTN_UNKNOWN, false, 0, nullptr};
  const EntryType &type = types[index];
  return {toC(type.type), type.isTensor, type.shape.size(), type.shape.data()};
}

/// An error names the buffer that is none.
static llvm::Error fromC(const AttnBuffer *buffers, size_t count,
                         const char *what,
                         SmallVectorImpl<StridedBuffer> &result) {
  if (count != 0 && !buffers)
    return requirePointers({{what, buffers}});
  for (size_t i = 0; i < count; ++i) {
    const AttnBuffer &buffer = buffers[i];
    auto fail = [&](const Twine &expected) {
      return llvm::createStringError(Twine(what) + " " + Twine(i) +
                                     ": expected " + expected);
    };
    std::optional<::attn::DType> type = fromC(buffer.type);
    if (!type)
      return fail("an AttnDType, got " + Twine(static_cast<int>(buffer.type)));
    if (buffer.rank > ATTN_MAX_RANK)
      return fail("a rank of at most " + Twine(ATTN_MAX_RANK) + ", got " +
                  Twine(buffer.rank));
    if (buffer.rank != 0 && !buffer.shape)
      return fail("a shape of " + Twine(buffer.rank) + " extents, got null");
    ArrayRef<int64_t> shape(buffer.shape, buffer.rank);
    if (llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
      return fail("extents of at least 0");
    ArrayRef<int64_t> strides;
    if (buffer.strides)
      strides = ArrayRef<int64_t>(buffer.strides, buffer.rank);
    result.push_back({buffer.data, *type, shape, strides});
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

AttnCompileOptions attnCompileOptionsGetDefault(void) {
  AttnCompileOptions options = {};
  options.structSize = sizeof(AttnCompileOptions);
  return options;
}

static llvm::Expected<ProgramOptions> fromC(const AttnCompileOptions *given) {
  ProgramOptions options;
  if (!given)
    return options;
  if (given->structSize != sizeof(AttnCompileOptions))
    return llvm::createStringError(
        "expected AttnCompileOptions of " + Twine(sizeof(AttnCompileOptions)) +
        " bytes, got " + Twine(given->structSize) +
        "; start from attnCompileOptionsGetDefault()");
  auto toString = [](const char *text) {
    return std::string(text ? text : "");
  };
  options.entry = toString(given->entry);
  options.executor = toString(given->executor);
  options.pipeline.target = toString(given->target);
  if (given->threads > ATTN_MAX_THREADS)
    return llvm::createStringError("threads: expected at most " +
                                   Twine(ATTN_MAX_THREADS) + ", got " +
                                   Twine(given->threads));
  options.pipeline.cores = given->threads;
  options.pipeline.tiling = toString(given->tiling);
  options.pipeline.mustFuse = given->mustFuse;
  options.pipeline.strict = given->strict;
  options.pipeline.strictRounding = given->strictRounding;
  options.pipeline.atomics = given->atomics;
  return options;
}

static bool finish(llvm::Expected<std::unique_ptr<Program>> compiled,
                   AttnProgram **program, AttnError **error) {
  if (!compiled)
    return report(compiled.takeError(), error);
  *program = new AttnProgram{std::move(*compiled)};
  return true;
}

bool attnProgramCompileText(const char *text, size_t length, const char *name,
                            const AttnCompileOptions *options,
                            AttnProgram **program, AttnError **error) {
  if (program)
    *program = nullptr;
  if (llvm::Error bad = requirePointers(
          {{"text", text}, {"name", name}, {"program", program}}))
    return report(std::move(bad), error);
  llvm::Expected<ProgramOptions> known = fromC(options);
  if (!known)
    return report(known.takeError(), error);
  return finish(Program::compile(StringRef(text, length), name, *known),
                program, error);
}

bool attnProgramCompileFile(const char *path, const AttnCompileOptions *options,
                            AttnProgram **program, AttnError **error) {
  if (program)
    *program = nullptr;
  if (llvm::Error bad = requirePointers({{"path", path}, {"program", program}}))
    return report(std::move(bad), error);
  llvm::Expected<ProgramOptions> known = fromC(options);
  if (!known)
    return report(known.takeError(), error);
  return finish(Program::compileFile(path, *known), program, error);
}

void attnProgramDestroy(AttnProgram *program) { delete program; }

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static ArrayRef<EntryType> argumentsOf(const AttnProgram *program) {
  if (!program)
    return {};
  return program->program->getEntry().arguments;
}

static ArrayRef<EntryType> resultsOf(const AttnProgram *program) {
  if (!program)
    return {};
  return program->program->getEntry().results;
}

const char *attnProgramGetEntry(const AttnProgram *program) {
  return program ? program->program->getEntry().name.c_str() : "";
}

const char *attnProgramGetTarget(const AttnProgram *program) {
  return program ? program->program->getTarget().data() : "";
}

size_t attnProgramGetNumArguments(const AttnProgram *program) {
  return argumentsOf(program).size();
}

size_t attnProgramGetNumResults(const AttnProgram *program) {
  return resultsOf(program).size();
}

AttnValueType attnProgramGetArgumentType(const AttnProgram *program,
                                         size_t index) {
  return toC(argumentsOf(program), index);
}

AttnValueType attnProgramGetResultType(const AttnProgram *program,
                                       size_t index) {
  return toC(resultsOf(program), index);
}

static AttnString toOwnedJson(json::Value value) {
  return toOwnedString(llvm::formatv("{0}", value).str());
}

AttnString attnProgramGetRemarksString(const AttnProgram *program) {
  if (!program)
    return {nullptr, 0};
  json::Array remarks;
  for (const RemarkRecord &remark : program->program->getRemarks()) {
    json::Object arguments;
    for (const auto &[key, value] : remark.arguments)
      arguments[key] = value;
    remarks.push_back(json::Object{{"kind", remark.kind},
                                   {"name", remark.name},
                                   {"category", remark.category},
                                   {"loc", remark.location},
                                   {"arguments", std::move(arguments)},
                                   {"text", remark.text}});
  }
  return toOwnedJson(std::move(remarks));
}

AttnString attnProgramGetReportString(const AttnProgram *program) {
  if (!program)
    return {nullptr, 0};
  const Program &p = *program->program;
  return toOwnedJson(json::Object{{"entry", p.getEntry().name},
                                  {"target", p.getTarget()},
                                  {"attentions", toJsonList(p.getAttentions())},
                                  {"declined", toJsonList(p.getDeclined())}});
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool attnProgramCall(const AttnProgram *program, const AttnBuffer *arguments,
                     size_t numArguments, const AttnBuffer *results,
                     size_t numResults, unsigned threads, AttnError **error) {
  if (llvm::Error bad = requirePointers({{"program", program}}))
    return report(std::move(bad), error);
  if (llvm::Error bad =
          program->program->checkCallable(numArguments, numResults))
    return report(std::move(bad), error);
  SmallVector<StridedBuffer, 8> in, out;
  if (llvm::Error bad = fromC(arguments, numArguments, "argument", in))
    return report(std::move(bad), error);
  if (llvm::Error bad = fromC(results, numResults, "result", out))
    return report(std::move(bad), error);
  if (llvm::Error bad = program->program->call(in, out, threads))
    return report(std::move(bad), error);
  return true;
}

bool attnProgramGetResultShape(const AttnProgram *program,
                               const AttnBuffer *arguments, size_t numArguments,
                               size_t index, int64_t *shape,
                               AttnError **error) {
  if (llvm::Error bad = requirePointers({{"program", program}}))
    return report(std::move(bad), error);
  if (llvm::Error bad =
          program->program->checkCallable(numArguments, std::nullopt))
    return report(std::move(bad), error);
  SmallVector<StridedBuffer, 8> in;
  if (llvm::Error bad = fromC(arguments, numArguments, "argument", in))
    return report(std::move(bad), error);
  auto shapes = program->program->getResultShapes(in);
  if (!shapes)
    return report(shapes.takeError(), error);
  if (index >= shapes->size())
    return report(llvm::createStringError("expected a result below " +
                                          Twine(shapes->size()) + ", got " +
                                          Twine(index)),
                  error);
  if (!(*shapes)[index].empty())
    if (llvm::Error bad = requirePointers({{"shape", shape}}))
      return report(std::move(bad), error);
  llvm::copy((*shapes)[index], shape);
  return true;
}

bool attnProgramEmit(const AttnProgram *program, const char *kind,
                     AttnString *contents, AttnString *manifest,
                     AttnError **error) {
  for (AttnString *string : {contents, manifest})
    if (string)
      *string = {nullptr, 0};
  if (llvm::Error bad = requirePointers(
          {{"program", program}, {"kind", kind}, {"contents", contents}}))
    return report(std::move(bad), error);
  llvm::Expected<Emitted> emitted = program->program->emit(kind);
  if (!emitted)
    return report(emitted.takeError(), error);
  *contents = toOwnedString(emitted->contents);
  if (manifest && emitted->manifest)
    *manifest = toOwnedString(*emitted->manifest);
  return true;
}
