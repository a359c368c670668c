//===- Strided.cpp - arrays in other people's memory ----------------------===//
#include "attn/Runtime/Strided.h"
#include "attn/Support/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstring>
#include <limits>

using namespace mlir::attn;

int64_t StridedBuffer::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

bool StridedBuffer::isAddressable() const {
  if (llvm::is_contained(shape, 0))
    return true;
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  int64_t count = ::attn::sizeOf(type), reach = 1;
  for (int64_t extent : shape)
    count = ::attn::mulSaturating(count, extent);
  for (auto [extent, stride] : llvm::zip(shape, strides)) {
    if (stride == std::numeric_limits<int64_t>::min())
      return false;
    reach = ::attn::addSaturating(
        reach, ::attn::mulSaturating(extent - 1, std::abs(stride)));
  }
  return count < kLargest &&
         ::attn::mulSaturating(reach, ::attn::sizeOf(type)) < kLargest;
}

bool StridedBuffer::isDense() const {
  if (reinterpret_cast<uintptr_t>(data) % ::attn::sizeOf(type) != 0)
    return false;
  if (strides.empty() || numElements() == 0)
    return true;
  int64_t expected = 1;
  for (size_t dim = shape.size(); dim-- > 0; expected *= shape[dim])
    if (shape[dim] != 1 && strides[dim] != expected)
      return false;
  return true;
}

bool StridedBuffer::overlapsItself() const {
  if (strides.empty() || numElements() == 0)
    return false;
  // By growing stride, each dim has to step over all that the ones before it
  // reach. (Interleavings that are distinct for another reason are refused
  // too.)
  llvm::SmallVector<size_t, 8> order;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] != 1)
      order.push_back(dim);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::abs(strides[a]) < std::abs(strides[b]);
  });
  int64_t reach = 1;
  for (size_t dim : order) {
    if (std::abs(strides[dim]) < reach)
      return true;
    reach += (shape[dim] - 1) * std::abs(strides[dim]);
  }
  return false;
}

std::pair<uintptr_t, uintptr_t> StridedBuffer::getByteRange() const {
  auto base = reinterpret_cast<uintptr_t>(data);
  if (numElements() == 0)
    return {base, base};
  int64_t low = 0, high = strides.empty() ? numElements() - 1 : 0;
  for (auto [extent, stride] : llvm::zip(shape, strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  unsigned bytes = ::attn::sizeOf(type);
  return {base + low * bytes, base + (high + 1) * bytes};
}

std::string StridedBuffer::typeString() const {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + ::attn::stringify(type).str();
}

/// Calls `visit` for each run of the last dim with its byte offsets into the
/// strided buffer and into dense memory.
static void forEachRow(const StridedBuffer &buffer,
                       llvm::function_ref<void(int64_t, int64_t)> visit) {
  unsigned bytes = ::attn::sizeOf(buffer.type);
  size_t rank = buffer.shape.size();
  llvm::SmallVector<int64_t, 8> index(rank, 0);
  int64_t strided = 0, dense = 0;
  while (true) {
    visit(strided * bytes, dense * bytes);
    dense += rank ? buffer.shape.back() : 1;
    size_t dim = rank ? rank - 1 : 0;
    while (dim > 0) {
      --dim;
      strided += buffer.strides[dim];
      if (++index[dim] < buffer.shape[dim])
        break;
      strided -= index[dim] * buffer.strides[dim];
      index[dim] = 0;
      if (dim == 0)
        return;
    }
    if (rank < 2)
      return;
  }
}

template <typename T>
static void copyRow(char *to, int64_t toStep, const char *from,
                    int64_t fromStep, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStep, from + i * fromStep, sizeof(T));
}

static void copyRow(unsigned bytes, char *to, int64_t toStep, const char *from,
                    int64_t fromStep, int64_t count) {
  switch (bytes) {
  case 1:
    return copyRow<uint8_t>(to, toStep, from, fromStep, count);
  case 2:
    return copyRow<uint16_t>(to, toStep, from, fromStep, count);
  case 4:
    return copyRow<uint32_t>(to, toStep, from, fromStep, count);
  default:
    return copyRow<uint64_t>(to, toStep, from, fromStep, count);
  }
}

/// One of the two directions; `strided` and `dense` as memory.
static void copyElements(const StridedBuffer &buffer, char *dense,
                         bool toDense) {
  unsigned bytes = ::attn::sizeOf(buffer.type);
  auto *strided = static_cast<char *>(buffer.data);
  int64_t count = buffer.shape.empty() ? 1 : buffer.shape.back();
  int64_t total = buffer.numElements();
  if (total == 0)
    return;
  if (buffer.strides.empty() || buffer.shape.empty()) {
    std::memcpy(toDense ? dense : strided, toDense ? strided : dense,
                total * bytes);
    return;
  }
  int64_t step = buffer.strides.back() * bytes;
  forEachRow(buffer, [&](int64_t stridedOffset, int64_t denseOffset) {
    if (toDense)
      copyRow(bytes, dense + denseOffset, bytes, strided + stridedOffset, step,
              count);
    else
      copyRow(bytes, strided + stridedOffset, step, dense + denseOffset, bytes,
              count);
  });
}

void mlir::attn::packElements(const StridedBuffer &from, void *to) {
  copyElements(from, static_cast<char *>(to), /*toDense=*/true);
}

void mlir::attn::unpackElements(const void *from, const StridedBuffer &to) {
  copyElements(to, static_cast<char *>(const_cast<void *>(from)),
               /*toDense=*/false);
}
