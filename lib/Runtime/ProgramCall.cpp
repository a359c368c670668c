//===- ProgramCall.cpp - calling a compiled file --------------------------===//
//
// A call that needs no copies allocates nothing: descriptors lie on the stack.
//
//===----------------------------------------------------------------------===//
#include "DeviceCode.h"
#include "attn/Runtime/Program.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Memory for elements, on cache lines as compiled code likes it.
class DenseCopy {
public:
  explicit DenseCopy(const StridedBuffer &buffer) {
    size_t bytes = buffer.numElements() * ::attn::sizeOf(buffer.type);
    block.reset(static_cast<char *>(
        std::aligned_alloc(64, llvm::alignTo(std::max<size_t>(bytes, 1), 64))));
  }
  char *data() const { return block.get(); }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> block;
};

/// The flattened arguments of a packed function: for a tensor the fields of its
/// descriptor (allocated, aligned, offset, sizes, strides), for a scalar its
/// value.
class Frame {
public:
  explicit Frame(const EntryPoint &entry) {
    size_t words = 0;
    for (ArrayRef<EntryType> types : {ArrayRef<EntryType>(entry.arguments),
                                      ArrayRef<EntryType>(entry.results)})
      for (const EntryType &type : types)
        words += type.isTensor ? 3 + 2 * type.shape.size() : 1;
    fields.reserve(words); // so that their addresses stay
    pointers.reserve(words + 1);
  }

  void addTensor(void *data, ArrayRef<int64_t> shape) {
    // Empty arrays need an address too, one that is never used.
    auto address = reinterpret_cast<int64_t>(data ? data : &nowhere);
    add(address);
    add(address);
    add(0);
    for (int64_t extent : shape)
      add(extent);
    size_t first = fields.size();
    fields.append(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      fields[first + dim - 1] = fields[first + dim] * shape[dim];
    for (size_t dim = 0; dim < shape.size(); ++dim)
      pointers.push_back(&fields[first + dim]);
  }

  void addPointer(void *pointer) { pointers.push_back(pointer); }
  ArrayRef<void *> getPointers() const { return pointers; }
  void **data() { return pointers.data(); }

private:
  void add(int64_t word) {
    fields.push_back(word);
    pointers.push_back(&fields.back());
  }

  SmallVector<int64_t, 96> fields;
  SmallVector<void *, 96> pointers;
  alignas(64) static char nowhere[64];
};
alignas(64) char Frame::nowhere[64];

/// As many threads as asked for while it lives.
class ThreadCount {
public:
  explicit ThreadCount(unsigned threads) : before(setNumThreads(0)) {
    if (threads != 0)
      setNumThreads(threads);
  }
  ~ThreadCount() { setNumThreads(before); }
  ThreadCount(const ThreadCount &) = delete;

private:
  unsigned before;
};
} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

llvm::Error Program::checkCallable(size_t numArguments,
                                   std::optional<size_t> numResults) const {
  if (!function && !onDevice)
    return llvm::createStringError("@" + entry.name +
                                   " cannot be called: " + obstacle);
  if (numArguments != entry.arguments.size())
    return llvm::createStringError("@" + entry.name + " expects " +
                                   Twine(entry.arguments.size()) +
                                   " arguments, got " + Twine(numArguments));
  if (numResults && *numResults != entry.results.size())
    return llvm::createStringError(
        "@" + entry.name + " has " + Twine(entry.results.size()) +
        " results, got " + Twine(*numResults) + " arrays to write them to");
  return llvm::Error::success();
}

/// What of a buffer is no use to anyone; empty if it is one.
static std::string findFlaw(const StridedBuffer &buffer) {
  if (!buffer.isAddressable())
    return "expected less than 2^63 bytes, got " + buffer.typeString();
  if (!buffer.data && buffer.numElements() != 0)
    return "expected memory, got a null pointer";
  return "";
}

static bool fits(const EntryType &want, const StridedBuffer &buffer) {
  if (want.type != buffer.type || want.shape.size() != buffer.shape.size())
    return false;
  for (auto [extent, given] : llvm::zip(want.shape, buffer.shape))
    if (!ShapedType::isDynamic(extent) && extent != given)
      return false;
  return true;
}

llvm::Error Program::checkTypes(ArrayRef<StridedBuffer> arguments) const {
  for (auto [index, want, buffer] :
       llvm::enumerate(entry.arguments, arguments)) {
    if (!fits(want, buffer))
      return llvm::createStringError(
          "argument " + Twine(index) + ": @" + entry.name + " expects " +
          want.typeString() + ", got " + buffer.typeString());
    if (std::string flaw = findFlaw(buffer); !flaw.empty())
      return llvm::createStringError("argument " + Twine(index) + ": " + flaw);
  }
  return llvm::Error::success();
}

static bool overlap(const StridedBuffer &a, const StridedBuffer &b) {
  auto [beginA, endA] = a.getByteRange();
  auto [beginB, endB] = b.getByteRange();
  return beginA < endB && beginB < endA;
}

llvm::Error Program::checkResults(ArrayRef<StridedBuffer> arguments,
                                  ArrayRef<StridedBuffer> results,
                                  ArrayRef<int64_t> dynamicExtents) const {
  for (auto [index, type, buffer] : llvm::enumerate(entry.results, results)) {
    EntryType want = type;
    for (int64_t &extent : want.shape)
      if (ShapedType::isDynamic(extent)) {
        extent = dynamicExtents.front();
        dynamicExtents = dynamicExtents.drop_front();
      }
    std::string where = "result " + std::to_string(index) + ": ";
    if (!fits(want, buffer))
      return llvm::createStringError(where + "@" + entry.name + " writes " +
                                     want.typeString() + ", got " +
                                     buffer.typeString() + " to write it to");
    if (std::string flaw = findFlaw(buffer); !flaw.empty())
      return llvm::createStringError(where + flaw);
    if (buffer.overlapsItself())
      return llvm::createStringError(
          where + "several indices mean the same element (a stride of 0?); "
                  "expected an array whose elements are distinct");
    for (auto [other, argument] : llvm::enumerate(arguments))
      if (overlap(buffer, argument))
        return llvm::createStringError(
            where + "shares memory with argument " + Twine(other) +
            ", which is still read while results are written; expected an "
            "array of its own");
    for (size_t other = 0; other < index; ++other)
      if (overlap(buffer, results[other]))
        return llvm::createStringError(where + "shares memory with result " +
                                       Twine(other));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Adds the arguments; what is not dense is copied to `copies`.
static llvm::Error addArguments(Frame &frame, const EntryPoint &entry,
                                ArrayRef<StridedBuffer> arguments,
                                SmallVectorImpl<DenseCopy> &copies) {
  for (auto [type, buffer] : llvm::zip(entry.arguments, arguments)) {
    void *data = buffer.data;
    if (!buffer.isDense()) {
      DenseCopy &copy = copies.emplace_back(buffer);
      if (!copy.data())
        return llvm::createStringError(
            "not enough memory to copy an argument that is not contiguous");
      packElements(buffer, copy.data());
      data = copy.data();
    }
    if (type.isTensor)
      frame.addTensor(data, buffer.shape);
    else
      frame.addPointer(data);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<SmallVector<int64_t, 4>>>
Program::getResultShapes(ArrayRef<StridedBuffer> arguments) const {
  if (llvm::Error error = checkCallable(arguments.size(), std::nullopt))
    return error;
  if (llvm::Error error = checkTypes(arguments))
    return error;
  SmallVector<int64_t> extents;
  if (guard) {
    Frame frame(entry);
    SmallVector<DenseCopy, 0> copies;
    if (llvm::Error error = addArguments(frame, entry, arguments, copies))
      return error;
    auto computed = guard->run(frame.getPointers());
    if (!computed)
      return computed.takeError();
    extents = std::move(*computed);
  }
  std::vector<SmallVector<int64_t, 4>> shapes;
  ArrayRef<int64_t> rest = extents;
  for (const EntryType &type : entry.results) {
    SmallVector<int64_t, 4> &shape =
        shapes.emplace_back(type.shape.begin(), type.shape.end());
    for (int64_t &extent : shape)
      if (ShapedType::isDynamic(extent)) {
        extent = rest.front();
        rest = rest.drop_front();
      }
  }
  return shapes;
}

namespace {
/// Where results go: the caller's buffers where they are dense, else copies
/// that are scattered afterwards; scalars come back as a struct of them with
/// natural alignment.
class Destinations {
public:
  Destinations(const EntryPoint &entry, ArrayRef<StridedBuffer> buffers)
      : entry(entry), buffers(buffers) {}

  llvm::Error addTo(Frame &frame) {
    size_t bytes = 0;
    for (auto [type, buffer] : llvm::zip(entry.results, buffers)) {
      if (!type.isTensor) {
        (void)placeScalar(bytes, type);
        continue;
      }
      void *data = buffer.data;
      if (!buffer.isDense()) {
        data = copies.emplace_back(&buffer, DenseCopy(buffer)).second.data();
        if (!data)
          return llvm::createStringError(
              "not enough memory for a result that is not contiguous");
      }
      frame.addTensor(data, buffer.shape);
    }
    scalars.resize(bytes / sizeof(int64_t) + 1);
    frame.addPointer(scalars.data());
    return llvm::Error::success();
  }

  void scatter() {
    for (auto &[buffer, copy] : copies)
      unpackElements(copy.data(), *buffer);
    size_t bytes = 0;
    for (auto [type, buffer] : llvm::zip(entry.results, buffers))
      if (!type.isTensor)
        std::memcpy(buffer.data,
                    reinterpret_cast<char *>(scalars.data()) +
                        placeScalar(bytes, type),
                    ::attn::sizeOf(type.type));
  }

private:
  static size_t placeScalar(size_t &bytes, const EntryType &type) {
    unsigned size = ::attn::sizeOf(type.type);
    size_t offset = llvm::alignTo(bytes, size);
    bytes = offset + size;
    return offset;
  }

  const EntryPoint &entry;
  ArrayRef<StridedBuffer> buffers;
  SmallVector<std::pair<const StridedBuffer *, DenseCopy>, 0> copies;
  SmallVector<int64_t, 4> scalars;
};
} // namespace

llvm::Error Program::call(ArrayRef<StridedBuffer> arguments,
                          ArrayRef<StridedBuffer> results,
                          unsigned threads) const {
  if (llvm::Error error = checkCallable(arguments.size(), results.size()))
    return error;
  if (threads > kMostThreads)
    return llvm::createStringError("threads: expected at most " +
                                   Twine(kMostThreads) + ", got " +
                                   Twine(threads));
  if (llvm::Error error = checkTypes(arguments))
    return error;
  Frame frame(entry);
  SmallVector<DenseCopy, 0> copies;
  if (llvm::Error error = addArguments(frame, entry, arguments, copies))
    return error;
  SmallVector<int64_t> extents;
  if (guard) {
    auto computed = guard->run(frame.getPointers());
    if (!computed)
      return computed.takeError();
    extents = std::move(*computed);
  }
  if (llvm::Error error = checkResults(arguments, results, extents))
    return error;
  if (onDevice)
    return onDevice->call(entry, arguments, results);
  Destinations destinations(entry, results);
  if (llvm::Error error = destinations.addTo(frame))
    return error;
  {
    ThreadCount count(threads);
    if (llvm::Error error = callCompiled(function, frame.data()))
      return error;
  }
  destinations.scatter();
  return llvm::Error::success();
}
