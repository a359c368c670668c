//===- EntryPoint.cpp - a function's signature, and calling it ------------===//
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/AllocationLog.h"
#include "attn/Runtime/StackMeter.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>
#include <deque>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::DType;

std::string EntryType::typeString() const {
  std::string text;
  for (int64_t extent : shape)
    text += (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) +
            std::string("x");
  return text + ::attn::stringify(type).str();
}

//===----------------------------------------------------------------------===//
// Reading the signature
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> mlir::attn::findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      candidates.push_back(function);
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : candidates)
    if (function.getName() == wanted)
      return function;
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  std::string names = llvm::join(
      llvm::map_range(candidates,
                      [](func::FuncOp f) { return "@" + f.getName().str(); }),
      ", ");
  auto diagnostic = module.emitError("expected a public function @")
                    << wanted << " to run";
  if (names.empty())
    diagnostic << ", found no public function with a body";
  else
    diagnostic << ", found " << names << "; choose one with --entry=NAME";
  return diagnostic;
}

/// nullopt for what is not supported: other widths and formats, and signed or
/// unsigned integers, for which buffers have no arithmetic.
static std::optional<DType> getDType(Type type) {
  if (type.isIndex())
    return DType::I64;
  if (auto integer = dyn_cast<IntegerType>(type))
    if (!integer.isSignless())
      return std::nullopt;
  if (!isa<FloatType, IntegerType>(type))
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return ::attn::parseDType(name);
}

static FailureOr<EntryType> getEntryType(func::FuncOp function, Type type,
                                         const Twine &what) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  std::optional<DType> dtype = getDType(element);
  if (!dtype || (!shaped && isa<ShapedType>(type)))
    return function.emitError("expected ")
           << what << " of @" << function.getName()
           << " to be a ranked tensor or a scalar of f16, bf16, f32, f64, i1, "
              "i8, i16, i32, i64 or index, got "
           << type;
  EntryType result{*dtype, shaped != nullptr, {}};
  if (shaped)
    result.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  return result;
}

FailureOr<EntryPoint> mlir::attn::getEntryPoint(func::FuncOp function) {
  EntryPoint entry;
  entry.name = function.getName().str();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto argument = getEntryType(function, type, "argument #" + Twine(index));
    if (failed(argument))
      return failure();
    entry.arguments.push_back(*argument);
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    auto result = getEntryType(function, type, "result #" + Twine(index));
    if (failed(result))
      return failure();
    entry.results.push_back(*result);
  }
  return entry;
}

llvm::Error mlir::attn::checkArguments(const EntryPoint &entry,
                                       ArrayRef<Array> args) {
  if (args.size() != entry.arguments.size())
    return llvm::createStringError(
        "@" + entry.name + " expects " + Twine(entry.arguments.size()) +
        " arguments, got " + Twine(args.size()) + " arrays");
  for (auto [index, want, array] : llvm::enumerate(entry.arguments, args)) {
    bool fits =
        want.type == array.type && want.shape.size() == array.shape.size();
    for (size_t dim = 0; fits && dim < want.shape.size(); ++dim)
      fits = ShapedType::isDynamic(want.shape[dim]) ||
             want.shape[dim] == array.shape[dim];
    if (!fits)
      return llvm::createStringError("arg" + Twine(index) + ": @" + entry.name +
                                     " expects " + want.typeString() +
                                     ", got " + array.typeString());
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

namespace {
struct FreeBlock {
  void operator()(char *block) const { std::free(block); }
};

/// The memory a packed function writes its results to: one value, or a struct
/// of them with natural alignment. A descriptor is {allocated, aligned, offset,
/// sizes, strides}, all words.
class ResultPack {
public:
  explicit ResultPack(const EntryPoint &entry) : entry(entry) {
    size_t size = 0;
    for (const EntryType &type : entry.results) {
      size_t alignment = type.isTensor ? 8 : ::attn::sizeOf(type.type);
      size = llvm::alignTo(size, alignment);
      offsets.push_back(size);
      size += type.isTensor ? 8 * (3 + 2 * type.shape.size()) : alignment;
    }
    memory.resize(llvm::divideCeil(size, 8) + 1);
  }

  void *data() { return memory.data(); }

  SmallVector<void *> getAllocations() const {
    SmallVector<void *> blocks;
    for (auto [type, offset] : llvm::zip(entry.results, offsets))
      if (type.isTensor)
        blocks.push_back(reinterpret_cast<void *>(descriptor(offset)[0]));
    return blocks;
  }

  std::vector<Array> copyOut() const {
    std::vector<Array> results;
    for (auto [type, offset] : llvm::zip(entry.results, offsets)) {
      if (type.isTensor) {
        results.push_back(copyTensor(type, descriptor(offset)));
        continue;
      }
      results.emplace_back(type.type, ArrayRef<int64_t>());
      std::memcpy(results.back().bytes.data(),
                  reinterpret_cast<const char *>(memory.data()) + offset,
                  ::attn::sizeOf(type.type));
    }
    return results;
  }

private:
  static bool isRowMajor(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    int64_t expected = 1;
    for (size_t dim = sizes.size(); dim-- > 0; expected *= sizes[dim])
      if (sizes[dim] != 1 && strides[dim] != expected)
        return false;
    return true;
  }

  const int64_t *descriptor(size_t offset) const {
    return memory.data() + offset / 8;
  }

  static Array copyTensor(const EntryType &type, const int64_t *words) {
    size_t rank = type.shape.size();
    ArrayRef<int64_t> sizes(words + 3, rank), strides(words + 3 + rank, rank);
    Array array(type.type, sizes);
    unsigned bytes = ::attn::sizeOf(type.type);
    const char *base = reinterpret_cast<const char *>(words[1]);
    if (isRowMajor(sizes, strides)) {
      if (!array.bytes.empty())
        std::memcpy(array.bytes.data(), base + words[2] * bytes,
                    array.bytes.size());
      return array;
    }
    for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
      int64_t position = words[2], rest = i;
      for (size_t dim = rank; dim-- > 0; rest /= sizes[dim])
        position += rest % sizes[dim] * strides[dim];
      std::memcpy(array.bytes.data() + i * bytes, base + position * bytes,
                  bytes);
    }
    return array;
  }

  const EntryPoint &entry;
  SmallVector<size_t> offsets;
  std::vector<int64_t> memory;
};
} // namespace

/// The flattened arguments: for a tensor the fields of its descriptor
/// (allocated, aligned, offset, sizes, strides), for a scalar its value.
struct PreparedCall::Fields {
  std::vector<std::unique_ptr<char, FreeBlock>> blocks;
  std::deque<int64_t> words;
  std::vector<void *> pointers; ///< the last one is the result's

  char *copyAligned(const Array &array) {
    // At least one line, so that empty arrays have a valid address too.
    size_t size = llvm::alignTo(std::max<size_t>(array.bytes.size(), 1), 64);
    char *block = static_cast<char *>(std::aligned_alloc(64, size));
    if (!block)
      llvm::report_bad_alloc_error("arguments do not fit in memory");
    std::memcpy(block, array.bytes.data(), array.bytes.size());
    blocks.emplace_back(block);
    return block;
  }

  void addWord(int64_t word) {
    words.push_back(word); // a deque keeps addresses
    pointers.push_back(&words.back());
  }

  void addTensor(const Array &array) {
    auto address = reinterpret_cast<int64_t>(copyAligned(array));
    addWord(address);
    addWord(address);
    addWord(0);
    SmallVector<int64_t> strides(array.shape.size(), 1);
    for (size_t dim = strides.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * array.shape[dim];
    for (int64_t extent : array.shape)
      addWord(extent);
    for (int64_t stride : strides)
      addWord(stride);
  }
};

PreparedCall::PreparedCall(const EntryPoint &entry, ArrayRef<Array> args)
    : entry(entry), fields(std::make_unique<Fields>()) {
  for (auto [type, array] : llvm::zip(entry.arguments, args)) {
    if (type.isTensor)
      fields->addTensor(array);
    else
      fields->pointers.push_back(fields->copyAligned(array));
  }
  fields->pointers.push_back(nullptr);
}

PreparedCall::~PreparedCall() = default;

ArrayRef<void *> PreparedCall::getFields() const {
  return ArrayRef<void *>(fields->pointers).drop_back();
}

llvm::Expected<std::vector<Array>>
PreparedCall::run(CompiledModule::PackedFunction function,
                  Measurement *measurement, bool measureMemory) {
  ResultPack results(entry);
  fields->pointers.back() = results.data();
  {
    std::optional<AllocationLog> log;
    Measurement measured;
    llvm::Error error = llvm::Error::success();
    auto call = [&] {
      auto start = std::chrono::steady_clock::now();
      error = callCompiled(function, fields->pointers.data());
      measured.milliseconds = std::chrono::duration<double, std::milli>(
                                  std::chrono::steady_clock::now() - start)
                                  .count();
    };
    if (measureMemory) {
      log.emplace();
      measured.stackBytes = measureStack(call);
    } else {
      call();
    }
    if (error)
      return error;
    if (log)
      measured.peakHeapBytes = log->peakWithout(results.getAllocations());
    if (measurement)
      *measurement = measured;
  }
  std::vector<Array> arrays = results.copyOut();
  llvm::SmallPtrSet<void *, 4> freed;
  for (void *block : results.getAllocations())
    if (freed.insert(block).second)
      AllocationLog::release(block);
  return arrays;
}
