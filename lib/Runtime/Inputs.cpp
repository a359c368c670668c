//===- Inputs.cpp - arrays for an entry point -----------------------------===//
#include "attn/Runtime/Inputs.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <random>
#include <unistd.h>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::ArrayMap;
using ::attn::DType;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// prefix0, prefix1, ... as long as there are any.
static std::vector<Array> takeNumbered(const ArrayMap &map, StringRef prefix) {
  std::vector<Array> arrays;
  while (const Array *array = map.find((prefix + Twine(arrays.size())).str()))
    arrays.push_back(*array);
  return arrays;
}

/// numpy has no bfloat16: it travels as u2.
static void adoptBFloat16(std::vector<Array> &arguments, ArrayRef<DType> types,
                          const Array *argTypes) {
  for (auto [index, array] : llvm::enumerate(arguments)) {
    bool wanted = index < types.size() && types[index] == DType::BF16;
    bool declared = argTypes && index < argTypes->strings.size() &&
                    argTypes->strings[index] == "bf16";
    if (array.type == DType::U16 && (wanted || declared))
      array = array.reinterpretAs(DType::BF16);
  }
}

static llvm::Error annotate(llvm::Error error, StringRef files) {
  return llvm::createStringError(files + ": " +
                                 llvm::toString(std::move(error)));
}

static llvm::Expected<InputSet> loadNpz(StringRef path, ArrayRef<DType> types) {
  llvm::Expected<ArrayMap> map = ::attn::readNpz(path);
  if (!map)
    return map.takeError();
  InputSet inputs;
  inputs.arguments = takeNumbered(*map, "arg");
  inputs.expected = takeNumbered(*map, "out");
  adoptBFloat16(inputs.arguments, types, map->find("arg_types"));
  if (const Array *tolerance = map->find("tol")) {
    int64_t count = tolerance->numElements();
    bool fits =
        count == 1 || count == static_cast<int64_t>(inputs.expected.size());
    if (tolerance->type == DType::String || !fits)
      return llvm::createStringError(
          path +
          ": expected 'tol' to be one number, or one for each result, "
          "got " +
          tolerance->typeString());
    for (int64_t i = 0; i < count; ++i)
      inputs.tolerances.push_back(tolerance->get(i));
  }
  return inputs;
}

llvm::Expected<InputSet> mlir::attn::loadArrays(StringRef files,
                                                ArrayRef<DType> types) {
  if (files.ends_with(".npz"))
    return loadNpz(files, types);
  InputSet inputs;
  SmallVector<StringRef> paths;
  files.split(paths, ',');
  for (StringRef path : paths) {
    if (!path.ends_with(".npy"))
      return llvm::createStringError(
          "--args: expected one F.npz or a list a.npy,b.npy, got '" + path +
          "'");
    auto array = ::attn::readNpy(path);
    if (!array)
      return array.takeError();
    inputs.arguments.push_back(std::move(*array));
  }
  adoptBFloat16(inputs.arguments, types, nullptr);
  return inputs;
}

llvm::Expected<InputSet> mlir::attn::loadInputs(StringRef files,
                                                const EntryPoint &entry) {
  SmallVector<DType> types;
  for (const EntryType &argument : entry.arguments)
    types.push_back(argument.type);
  auto loaded = loadArrays(files, types);
  if (!loaded)
    return loaded.takeError();
  InputSet inputs = std::move(*loaded);
  if (llvm::Error error = checkArguments(entry, inputs.arguments))
    return annotate(std::move(error), files);
  if (!inputs.expected.empty() &&
      inputs.expected.size() != entry.results.size())
    return llvm::createStringError(
        files + ": @" + entry.name + " has " + Twine(entry.results.size()) +
        " results, the file has " + Twine(inputs.expected.size()) +
        " arrays out0, out1, ...");
  return inputs;
}

//===----------------------------------------------------------------------===//
// Generated
//===----------------------------------------------------------------------===//

using Shape = SmallVector<int64_t>;

static llvm::Expected<Shape> parseShape(StringRef text) {
  Shape shape;
  SmallVector<StringRef> extents;
  if (!text.empty())
    text.split(extents, 'x');
  for (StringRef extent : extents) {
    int64_t value;
    if (extent.getAsInteger(10, value) || value < 0)
      return llvm::createStringError(
          "--shapes: expected extents such as 2x4x37x32, got '" + text + "'");
    shape.push_back(value);
  }
  return shape;
}

/// One shape per argument, from the option or the signature.
static llvm::Expected<std::vector<Shape>> getShapes(StringRef text,
                                                    const EntryPoint &entry) {
  std::vector<Shape> shapes;
  if (text.empty()) {
    for (auto [index, argument] : llvm::enumerate(entry.arguments)) {
      if (llvm::any_of(argument.shape, ShapedType::isDynamic))
        return llvm::createStringError(
            "arg" + Twine(index) + " of @" + entry.name + " is " +
            argument.typeString() +
            ": give the extents with --shapes=2x4x37x32,... or arrays with "
            "--args=F.npz");
      shapes.emplace_back(argument.shape);
    }
    return shapes;
  }
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto shape = parseShape(part);
    if (!shape)
      return shape.takeError();
    shapes.push_back(std::move(*shape));
  }
  if (shapes.size() != entry.arguments.size())
    return llvm::createStringError("--shapes: @" + entry.name + " expects " +
                                   Twine(entry.arguments.size()) +
                                   " shapes, got " + Twine(shapes.size()));
  return shapes;
}

/// Refuses what cannot fit, before anything tries to allocate it.
static llvm::Error checkSize(const EntryPoint &entry, ArrayRef<Shape> shapes) {
  uint64_t memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t total = 0;
  for (auto [type, shape] : llvm::zip(entry.arguments, shapes)) {
    uint64_t bytes = ::attn::sizeOf(type.type);
    for (int64_t extent : shape)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
    total = llvm::SaturatingAdd(total, bytes);
  }
  if (total <= memory / 2)
    return llvm::Error::success();
  return llvm::createStringError("the arguments of @" + entry.name + " take " +
                                 Twine(total) + " bytes, this machine has " +
                                 Twine(memory) + "; use smaller --shapes");
}

/// Standard normal numbers by Box and Muller's method, the same on every
/// machine for one seed.
static double nextNormal(std::mt19937_64 &generator) {
  auto uniform = [&] {
    return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53;
  };
  double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * 3.14159265358979323846 * uniform());
}

llvm::Expected<InputSet>
mlir::attn::makeInputs(StringRef text, const EntryPoint &entry, uint64_t seed) {
  auto shapes = getShapes(text, entry);
  if (!shapes)
    return shapes.takeError();
  if (llvm::Error error = checkSize(entry, *shapes))
    return error;
  int64_t smallest = std::numeric_limits<int64_t>::max();
  for (const Shape &shape : *shapes)
    for (int64_t extent : shape)
      smallest = std::min(smallest, extent);
  uint64_t range = static_cast<uint64_t>(std::max<int64_t>(smallest, 1));

  std::mt19937_64 generator(seed);
  InputSet inputs;
  for (auto [type, shape] : llvm::zip(entry.arguments, *shapes)) {
    Array array(type.type, shape);
    for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
      if (::attn::isFloat(type.type))
        array.set(i, nextNormal(generator));
      else if (type.type == DType::Bool)
        array.set(i, generator() % 4 != 0);
      else // an i8 holds indices up to 127 only
        array.set(i, static_cast<double>(
                         generator() %
                         std::min<uint64_t>(
                             range, type.type == DType::I8 ? 128 : range)));
    }
    inputs.arguments.push_back(std::move(array));
  }
  if (llvm::Error error = checkArguments(entry, inputs.arguments))
    return annotate(std::move(error), "--shapes");
  return inputs;
}
