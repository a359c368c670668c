//===- LaunchManifest.cpp - How to launch emitted kernels -------*- C++ -*-===//
#include "attn/Support/LaunchManifest.h"
#include "attn/Support/AtomicFile.h"
#include "attn/Support/Expr.h"
#include "attn/Support/Nesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace attn;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Sources and sizes
//===----------------------------------------------------------------------===//

static constexpr std::pair<const char *, ParamSource::Kind> kSources[] = {
    {"arg", ParamSource::Kind::Arg},
    {"out", ParamSource::Kind::Out},
    {"scratch", ParamSource::Kind::Scratch}};

std::string ParamSource::str() const {
  return kSources[unsigned(kind)].first + std::to_string(index);
}

std::optional<ParamSource> attn::parseParamSource(llvm::StringRef text) {
  for (auto [prefix, kind] : kSources) {
    llvm::StringRef rest = text;
    unsigned index = 0;
    if (!rest.consume_front(prefix))
      continue;
    if (rest.empty() && kind == ParamSource::Kind::Scratch)
      return ParamSource{kind, 0};
    if (llvm::all_of(rest, llvm::isDigit) && !rest.getAsInteger(10, index))
      return ParamSource{kind, index};
  }
  return std::nullopt;
}

int64_t KernelParam::spanElements() const {
  int64_t last = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == 0)
      return 0;
    last = addSaturating(last, mulSaturating(extents[i] - 1, strides[i]));
  }
  return addSaturating(last, 1);
}

/// No machine has more memory; and sums of a few of these do not overflow.
static constexpr int64_t kMostBytes = int64_t(1) << 48;

int64_t KernelParam::reachBytes() const {
  int64_t elements = spanElements();
  if (elements > 0)
    elements = addSaturating(elements, offset);
  return mulSaturating(elements, sizeOf(type));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value toJSON(const KernelParam &param) {
  bool isPointer = param.kind == KernelParam::Kind::Pointer;
  json::Object object{{"kind", isPointer ? "pointer" : "scalar"},
                      {"type", attn::stringify(param.type)}};
  if (isPointer) {
    object["extents"] = json::Array(param.extents);
    object["strides"] = json::Array(param.strides);
    if (param.offset)
      object["offset"] = param.offset;
    if (!param.operand.empty())
      object["operand"] = param.operand;
  }
  if (param.source)
    object["source"] = param.source->str();
  if (param.value)
    object["value"] = *param.value;
  return object;
}

json::Value attn::toJSON(const LaunchManifest &manifest) {
  json::Array kernels;
  for (const KernelLaunch &kernel : manifest.kernels) {
    json::Array params;
    for (const KernelParam &param : kernel.params)
      params.push_back(::toJSON(param));
    kernels.push_back(json::Object{{"name", kernel.name},
                                   {"grid", json::Array(kernel.grid)},
                                   {"block", json::Array(kernel.block)},
                                   {"shared_bytes", kernel.sharedBytes},
                                   {"params", std::move(params)}});
  }
  return json::Object{{"kernels", std::move(kernels)},
                      {"report", manifest.report}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string describe(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

namespace {
/// A value and where it is in the document; reads add the first error found.
class Reader {
public:
  Reader(const json::Value *value, std::string place, std::string &error)
      : value(value), place(std::move(place)), error(error) {}

  Reader key(llvm::StringRef name) const {
    const json::Object *object = value ? value->getAsObject() : nullptr;
    std::string inner = place.empty() ? name.str() : place + "." + name.str();
    return Reader(object ? object->get(name) : nullptr, inner, error);
  }
  bool exists() const { return value; }

  void fail(const llvm::Twine &expected) const {
    if (error.empty())
      error = (place + (place.empty() ? "" : ": ") + "expected " + expected +
               ", got " + (value ? describe(*value) : "nothing"))
                  .str();
  }
  bool isObjectOf(llvm::ArrayRef<llvm::StringRef> keys) const {
    const json::Object *object = value ? value->getAsObject() : nullptr;
    if (!object) {
      fail("an object");
      return false;
    }
    for (const auto &entry : *object)
      if (!llvm::is_contained(keys, llvm::StringRef(entry.first)))
        Reader(&entry.second,
               place + (place.empty() ? "" : ".") + entry.first.str(), error)
            .fail("only the keys " + llvm::join(keys, ", "));
    return true;
  }
  std::string string() const {
    auto text = value ? value->getAsString() : std::nullopt;
    if (!text)
      fail("a string");
    return text.value_or("").str();
  }
  int64_t integer(int64_t least, int64_t greatest) const {
    auto number = value ? value->getAsInteger() : std::nullopt;
    if (!number || *number < least || *number > greatest)
      fail("an integer from " + llvm::Twine(least) + " to " +
           llvm::Twine(greatest));
    return number.value_or(least);
  }
  template <typename F> size_t forEach(F f) const {
    const json::Array *array = value ? value->getAsArray() : nullptr;
    if (!array) {
      fail("an array");
      return 0;
    }
    for (size_t i = 0; i < array->size(); ++i)
      f(Reader(&(*array)[i], place + "[" + std::to_string(i) + "]", error));
    return array->size();
  }

  const json::Value *value;

private:
  std::string place;
  std::string &error;
};
} // namespace

static std::array<uint32_t, 3> readSizes(const Reader &reader) {
  std::array<uint32_t, 3> sizes{1, 1, 1};
  size_t count = 0;
  reader.forEach([&](const Reader &size) {
    // A grid may be empty: then the kernel does nothing.
    int64_t n = size.integer(0, std::numeric_limits<int32_t>::max());
    if (count < 3)
      sizes[count] = uint32_t(n);
    ++count;
  });
  if (count != 3)
    reader.fail("three sizes");
  return sizes;
}

static void readScalarValue(const Reader &reader, KernelParam &param) {
  bool fits = isFloat(param.type)
                  ? bool(reader.value->getAsNumber())
                  : reader.value->getAsInteger() || reader.value->getAsUINT64();
  if (param.type == DType::Bool)
    fits |= bool(reader.value->getAsBoolean());
  if (!fits)
    reader.fail(llvm::Twine("a number of type ") + stringify(param.type));
  param.value = *reader.value;
}

static KernelParam readParam(const Reader &reader) {
  KernelParam param;
  if (!reader.isObjectOf({"kind", "type", "extents", "strides", "source",
                          "value", "offset", "operand"}))
    return param;
  std::string kind = reader.key("kind").string();
  if (kind != "pointer" && kind != "scalar")
    reader.key("kind").fail("pointer or scalar");
  bool isPointer = kind == "pointer";
  param.kind =
      isPointer ? KernelParam::Kind::Pointer : KernelParam::Kind::Scalar;
  auto type = parseDType(reader.key("type").string());
  if (!type || *type == DType::String)
    reader.key("type").fail("an element type such as f16, bf16, f32 or i32");
  else
    param.type = *type;

  const int64_t max = std::numeric_limits<int64_t>::max();
  if (isPointer || reader.key("extents").exists())
    reader.key("extents").forEach([&](const Reader &extent) {
      param.extents.push_back(extent.integer(0, max));
    });
  if (isPointer || reader.key("strides").exists())
    reader.key("strides").forEach([&](const Reader &stride) {
      param.strides.push_back(stride.integer(0, max));
    });
  if (param.strides.size() != param.extents.size())
    reader.key("strides").fail("as many as extents, " +
                               llvm::Twine(param.extents.size()));
  if (!isPointer && !param.extents.empty())
    reader.key("extents").fail("none for a scalar");
  for (llvm::StringRef key : {"offset", "operand"})
    if (!isPointer && reader.key(key).exists())
      reader.key(key).fail("none for a scalar");
  if (reader.key("offset").exists())
    param.offset = reader.key("offset").integer(0, max);
  if (reader.key("operand").exists())
    param.operand = reader.key("operand").string();

  if (isPointer && param.reachBytes() > kMostBytes)
    reader.fail("a pointer that reaches no further than " +
                llvm::Twine(kMostBytes) + " bytes into its source");

  if (reader.key("source").exists()) {
    param.source = parseParamSource(reader.key("source").string());
    if (!param.source)
      reader.key("source").fail("argK, outK or scratchK");
  }
  if (reader.key("value").exists())
    readScalarValue(reader.key("value"), param);
  if (isPointer && (!param.source || param.value))
    reader.fail("a pointer with a source and no value");
  if (!isPointer && bool(param.source) == bool(param.value))
    reader.fail("a scalar with either a source or a value");
  return param;
}

static KernelLaunch readKernel(const Reader &reader) {
  KernelLaunch kernel;
  if (!reader.isObjectOf({"name", "grid", "block", "shared_bytes", "params"}))
    return kernel;
  kernel.name = reader.key("name").string();
  kernel.grid = readSizes(reader.key("grid"));
  kernel.block = readSizes(reader.key("block"));
  for (uint32_t size : kernel.block)
    if (size == 0)
      reader.key("block").fail("sizes of at least 1");
  kernel.sharedBytes =
      uint32_t(reader.key("shared_bytes")
                   .integer(0, std::numeric_limits<int32_t>::max()));
  reader.key("params").forEach(
      [&](const Reader &param) { kernel.params.push_back(readParam(param)); });
  return kernel;
}

llvm::Expected<LaunchManifest> attn::parseLaunchManifest(llvm::StringRef text,
                                                         llvm::StringRef what) {
  auto value = parseJson(text);
  if (!value)
    return llvm::createStringError(
        what + ": not JSON: " + llvm::toString(value.takeError()));
  std::string error;
  Reader reader(&*value, "", error);
  LaunchManifest manifest;
  if (reader.isObjectOf({"kernels", "report"})) {
    reader.key("kernels").forEach([&](const Reader &kernel) {
      manifest.kernels.push_back(readKernel(kernel));
    });
    if (reader.key("report").exists())
      manifest.report = *reader.key("report").value;
  }
  if (!error.empty())
    return llvm::createStringError(what + ": " + error);
  return manifest;
}

llvm::Expected<LaunchManifest> attn::readLaunchManifest(llvm::StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseLaunchManifest((*buffer)->getBuffer(), path);
}

llvm::Error attn::writeLaunchManifest(llvm::StringRef path,
                                      const LaunchManifest &manifest) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0:2}\n", toJSON(manifest));
  return writeFileAtomically(path, text);
}
