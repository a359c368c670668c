//===- Tiling.cpp - How an attention is cut into blocks -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Tiling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <numeric>

using namespace attn;
using llvm::StringRef;

StringRef attn::toString(Order order) {
  return order == Order::QueryOuter ? "q_outer" : "kv_outer";
}

/// Each part has a state of its own for every row: far more parts than any
/// machine has cores would only fill memory.
static constexpr int64_t mostKeySplits = 4096;

static int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t size = 1;
  for (int64_t s : sizes)
    size = mulSaturating(size, s);
  return size;
}

int64_t Tiling::queryBlockSize() const { return product(queryBlock); }
int64_t Tiling::keyBlockSize() const { return product(keyBlock); }

int64_t Tiling::keyBlockCount(const Problem &problem) const {
  int64_t count = 1;
  for (auto [extent, block] : llvm::zip_equal(problem.keys, keyBlock))
    count = mulSaturating(count, ceilDiv(extent, block));
  return std::max<int64_t>(count, 1);
}

static llvm::Error checkBlock(const char *name, const char *role,
                              llvm::ArrayRef<int64_t> sizes, size_t dims) {
  if (sizes.size() != dims)
    return llvm::createStringError(
        "expected %s to have one size for each of the %zu %s dims, got %zu",
        name, dims, role, static_cast<size_t>(sizes.size()));
  for (int64_t size : sizes)
    if (size < 1)
      return llvm::createStringError(
          "expected every size of %s to be at least 1, got %lld", name,
          static_cast<long long>(size));
  return llvm::Error::success();
}

llvm::Error Tiling::check(const Problem &problem) const {
  if (llvm::Error e =
          checkBlock("query_block", "row", queryBlock, problem.rows.size()))
    return e;
  if (llvm::Error e =
          checkBlock("key_block", "key", keyBlock, problem.keys.size()))
    return e;
  if (keySplits < 1 || keySplits > mostKeySplits)
    return llvm::createStringError(
        "expected key_splits from 1 to %lld, got %lld",
        static_cast<long long>(mostKeySplits),
        static_cast<long long>(keySplits));
  if (cpu && (cpu->mr < 1 || cpu->nr < 1))
    return llvm::createStringError(
        "expected mr and nr of at least 1, got %lld and %lld",
        static_cast<long long>(cpu->mr), static_cast<long long>(cpu->nr));
  if (gpu && (gpu->warps < 1 || gpu->rowsPerWarp < 1 || gpu->stages < 1))
    return llvm::createStringError("expected warps, rows_per_warp and stages "
                                   "of at least 1, got %lld, %lld "
                                   "and %lld",
                                   static_cast<long long>(gpu->warps),
                                   static_cast<long long>(gpu->rowsPerWarp),
                                   static_cast<long long>(gpu->stages));
  return llvm::Error::success();
}

Tiling Tiling::clampedTo(const Problem &problem) const {
  Tiling clamped = *this;
  auto clamp = [](llvm::MutableArrayRef<int64_t> sizes,
                  llvm::ArrayRef<int64_t> extents) {
    for (auto [size, extent] : llvm::zip(sizes, extents))
      size = std::clamp<int64_t>(size, 1, std::max<int64_t>(extent, 1));
  };
  clamp(clamped.queryBlock, problem.rows);
  clamp(clamped.keyBlock, problem.keys);
  if (!problem.blocks || gpu)
    return clamped;
  // A block that lies in one element of the mask can be skipped.
  size_t firstRow = problem.batch.size(), numRows = problem.rows.size();
  for (auto [dim, divisor] : problem.blocks->terms) {
    if (dim < firstRow || divisor == 1)
      continue;
    size_t at = dim - firstRow;
    int64_t &size =
        at < numRows ? clamped.queryBlock[at] : clamped.keyBlock[at - numRows];
    size = std::min(alignedBlock(size, divisor), divisor);
  }
  return clamped;
}

int64_t attn::alignedBlock(int64_t block, int64_t divisor) {
  if (block >= divisor)
    return block - block % divisor;
  return std::gcd(block, divisor);
}

static std::string joined(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ",") + std::to_string(size);
  return sizes.size() == 1 ? text : "[" + text + "]";
}

std::string attn::toString(const Tiling &tiling) {
  std::string text = "query_block=" + joined(tiling.queryBlock) +
                     ",key_block=" + joined(tiling.keyBlock) +
                     ",order=" + toString(tiling.order).str() +
                     ",key_splits=" + std::to_string(tiling.keySplits);
  if (tiling.cpu)
    text += ",kernel=#attn.cpu<mr=" + std::to_string(tiling.cpu->mr) +
            ",nr=" + std::to_string(tiling.cpu->nr) + ">";
  if (tiling.gpu)
    text += ",kernel=#attn.gpu<warps=" + std::to_string(tiling.gpu->warps) +
            ",rows_per_warp=" + std::to_string(tiling.gpu->rowsPerWarp) +
            ",stages=" + std::to_string(tiling.gpu->stages) +
            (tiling.gpu->atomics ? ",atomics=true" : "") +
            (tiling.gpu->apart ? ",apart=true>" : ">");
  return text;
}

namespace {

/// Reads the fields of a tiling's text one by one.
struct TilingParser {
  Tiling tiling;
  llvm::SmallVector<StringRef> fields{}; ///< given so far

  /// Splits at commas outside of <> and [].
  static llvm::SmallVector<StringRef> fieldsOf(StringRef text) {
    llvm::SmallVector<StringRef> parts;
    size_t start = 0;
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      depth += StringRef("<[").contains(text[i]);
      depth -= StringRef(">]").contains(text[i]);
      if (text[i] != ',' || depth != 0)
        continue;
      parts.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
    parts.push_back(text.substr(start).trim());
    return parts;
  }

  static llvm::Error integer(StringRef key, StringRef text, int64_t &value) {
    if (!text.trim().getAsInteger(10, value) && value >= 1)
      return llvm::Error::success();
    return llvm::createStringError(
        "tiling: expected %s to be an integer of at least 1, got '%s'",
        key.str().c_str(), text.str().c_str());
  }

  template <unsigned N>
  static llvm::Error sizes(StringRef key, StringRef text,
                           llvm::SmallVector<int64_t, N> &values) {
    values.clear();
    text = text.trim();
    if (text.consume_front("[") && !text.consume_back("]"))
      return llvm::createStringError(
          "tiling: expected ']' after the sizes of %s", key.str().c_str());
    llvm::SmallVector<StringRef> parts;
    text.split(parts, ','); // of nothing, one that is no number
    for (StringRef part : parts) {
      values.push_back(0);
      if (llvm::Error error = integer(key, part, values.back()))
        return error;
    }
    return llvm::Error::success();
  }

  /// One field of cpu<...> or gpu<...>.
  llvm::Error kernelField(StringRef key, StringRef value) {
    if (tiling.gpu && (key == "atomics" || key == "apart")) {
      value = value.trim();
      if (value != "true" && value != "false")
        return llvm::createStringError(
            "tiling: expected %s to be true or false, got '%s'",
            key.str().c_str(), value.str().c_str());
      bool &place = key == "apart" ? tiling.gpu->apart : tiling.gpu->atomics;
      place = value == "true";
      return llvm::Error::success();
    }
    int64_t *place = nullptr;
    if (tiling.cpu)
      place = key == "mr"   ? &tiling.cpu->mr
              : key == "nr" ? &tiling.cpu->nr
                            : nullptr;
    else
      place = key == "warps"           ? &tiling.gpu->warps
              : key == "rows_per_warp" ? &tiling.gpu->rowsPerWarp
              : key == "stages"        ? &tiling.gpu->stages
                                       : nullptr;
    if (!place)
      return llvm::createStringError(
          "tiling: expected %s, got '%s'",
          tiling.cpu ? "mr or nr"
                     : "warps, rows_per_warp, stages, atomics or apart",
          key.str().c_str());
    return integer(key, value, *place);
  }

  llvm::Error kernel(StringRef text) {
    text.consume_front("#attn.");
    StringRef body = text;
    tiling.cpu.reset();
    tiling.gpu.reset();
    if (body.consume_front("cpu<") && body.consume_back(">"))
      tiling.cpu = CpuKernel();
    else if (body = text; body.consume_front("gpu<") && body.consume_back(">"))
      tiling.gpu = GpuKernel();
    else
      return llvm::createStringError(
          "tiling: expected kernel=#attn.cpu<mr=..,nr=..> or "
          "kernel=#attn.gpu<warps=..,rows_per_warp=..,stages=..>, got '%s'",
          text.str().c_str());
    llvm::SmallVector<StringRef> given;
    for (StringRef part : llvm::split(body, ',')) {
      auto [key, value] = part.split('=');
      if (llvm::Error error = once(given, key.trim()))
        return error;
      if (llvm::Error error = kernelField(key.trim(), value))
        return error;
    }
    bool complete = tiling.cpu ? tiling.cpu->mr && tiling.cpu->nr
                               : tiling.gpu->warps && tiling.gpu->rowsPerWarp &&
                                     tiling.gpu->stages;
    if (!complete)
      return llvm::createStringError(
          "tiling: expected kernel '%s' to give %s", text.str().c_str(),
          tiling.cpu ? "mr and nr" : "warps, rows_per_warp and stages");
    return llvm::Error::success();
  }

  /// Nothing is said twice.
  static llvm::Error once(llvm::SmallVectorImpl<StringRef> &given,
                          StringRef key) {
    if (llvm::is_contained(given, key))
      return llvm::createStringError("tiling: expected %s once, got it twice",
                                     key.str().c_str());
    given.push_back(key);
    return llvm::Error::success();
  }

  llvm::Error field(StringRef text) {
    auto [key, value] = text.split('=');
    key = key.trim();
    value = value.trim();
    if (llvm::Error error = once(fields, key))
      return error;
    if (key == "query_block")
      return sizes(key, value, tiling.queryBlock);
    if (key == "key_block")
      return sizes(key, value, tiling.keyBlock);
    if (key == "key_splits")
      return integer(key, value, tiling.keySplits);
    if (key == "kernel")
      return kernel(value);
    if (key != "order")
      return llvm::createStringError(
          "tiling: expected query_block, key_block, order, key_splits or "
          "kernel, got '%s'",
          key.str().c_str());
    if (value != "q_outer" && value != "kv_outer")
      return llvm::createStringError(
          "tiling: expected order=q_outer or order=kv_outer, got '%s'",
          value.str().c_str());
    tiling.order = value == "q_outer" ? Order::QueryOuter : Order::KeyOuter;
    return llvm::Error::success();
  }
};

} // namespace

llvm::Expected<Tiling> attn::parseTiling(StringRef text, Tiling base) {
  TilingParser parser{std::move(base)};
  for (StringRef field : TilingParser::fieldsOf(text))
    if (llvm::Error error = parser.field(field))
      return error;
  return parser.tiling;
}
