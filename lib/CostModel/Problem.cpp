//===- Problem.cpp - One attention, as the cost model sees it -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>

using namespace attn;
using llvm::StringRef;

std::string attn::toString(Count count, bool grouped) {
  bool negative = count < 0;
  unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(count)
                                    : static_cast<unsigned __int128>(count);
  std::string digits;
  int written = 0;
  do {
    if (grouped && written && written % 3 == 0)
      digits += ',';
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
    ++written;
  } while (rest);
  if (negative)
    digits += '-';
  return std::string(digits.rbegin(), digits.rend());
}

std::optional<ElementType> attn::parseElementType(StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Cases({"f16", "fp16"}, ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Cases({"f32", "fp32"}, ElementType::F32)
      .Cases({"f64", "fp64"}, ElementType::F64)
      .Default(std::nullopt);
}

StringRef attn::toString(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  return "";
}

int64_t attn::bytesOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::F32:
    return 4;
  case ElementType::F64:
    return 8;
  }
  return 0;
}

ElementType attn::accumulateType(ElementType type) {
  return type == ElementType::F64 ? ElementType::F64 : ElementType::F32;
}

std::optional<Direction> attn::parseDirection(StringRef name) {
  return llvm::StringSwitch<std::optional<Direction>>(name)
      .Case("fwd", Direction::Forward)
      .Case("bwd", Direction::Backward)
      .Case("both", Direction::Both)
      .Default(std::nullopt);
}

StringRef attn::toString(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return "fwd";
  case Direction::Backward:
    return "bwd";
  case Direction::Both:
    return "both";
  }
  return "";
}

static int64_t product(llvm::ArrayRef<int64_t> extents) {
  int64_t size = 1;
  for (int64_t extent : extents)
    size = mulSaturating(size, extent);
  return size;
}

int64_t Problem::batchSize() const { return product(batch); }
int64_t Problem::rowCount() const { return product(rows); }
int64_t Problem::keyCount() const { return product(keys); }

llvm::SmallVector<int64_t, 6> Problem::maskExtents() const {
  llvm::SmallVector<int64_t, 6> extents(batch.begin(), batch.end());
  llvm::append_range(extents, rows);
  llvm::append_range(extents, keys);
  return extents;
}

llvm::SmallVector<int64_t, 8> Problem::maskSymbols() const {
  llvm::SmallVector<int64_t, 8> symbols;
  llvm::append_range(symbols, maskExtents());
  llvm::append_range(symbols, maskValues);
  if (visible && symbols.size() < visible->numSymbols())
    symbols.resize(visible->numSymbols(), 0);
  return symbols;
}

double BlockPattern::seenShare() const {
  if (seen.empty())
    return 1;
  return double(llvm::count(seen, true)) / double(seen.size());
}

int64_t Problem::blocksAlong(const BlockPattern::Term &term) const {
  return ceilDiv(maskExtents()[term.dim], term.divisor);
}

std::optional<Visible> Problem::knownMask() const {
  if (!visible || visible->isAll())
    return std::nullopt;
  // Without a fast path every block of a forward is visited.
  if (replacesHidden && direction != Direction::Backward &&
      visible->complementBound() > maxComplementSets)
    return std::nullopt;
  unsigned known = batch.size() + rows.size() + keys.size() + maskValues.size();
  if (known >= visible->numSymbols())
    return visible;
  llvm::SmallVector<AffineSet, 2> sets;
  for (const AffineSet &set : visible->sets()) {
    AffineSet kept;
    for (const Constraint &constraint : set.constraints) {
      bool isKnown = true;
      for (unsigned s = known; s < visible->numSymbols(); ++s)
        isKnown &= !constraint.expr.mentionsSymbol(s);
      if (isKnown)
        kept.constraints.push_back(constraint);
    }
    if (kept.constraints.empty())
      return std::nullopt;
    sets.push_back(std::move(kept));
  }
  return Visible(visible->numDims(), visible->numSymbols(), sets);
}

bool Problem::hidesUnknown() const {
  if (blocks && blocks->seen.empty())
    return true;
  unsigned known = maskExtents().size() + maskValues.size();
  for (unsigned s = known; visible && s < visible->numSymbols(); ++s)
    if (visible->mentionsSymbol(s))
      return true;
  return false;
}

std::optional<Problem> Problem::hiddenPart() const {
  std::optional<Visible> mask = knownMask();
  if (!replacesHidden || !mask)
    return std::nullopt;
  Problem hidden = *this;
  hidden.visible = mask->complement();
  hidden.replacesHidden = false;
  return hidden;
}

static std::string joined(llvm::ArrayRef<int64_t> extents) {
  if (extents.empty())
    return "-";
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

static std::string describe(const Extra &extra) {
  std::string text =
      " " + extra.name + "=" + std::to_string(extra.elementBytes) + "B";
  for (bool varies : extra.rows)
    text += varies ? "r" : "-";
  for (bool varies : extra.keys)
    text += varies ? "k" : "-";
  if (!extra.hasGradient())
    return text;
  text += " d" + extra.name + "=" + std::to_string(extra.gradientBytes) + "B";
  for (bool varies : extra.batch)
    text += varies ? "b" : "-";
  return text;
}

/// Patterns are told apart by a hash of their elements.
static std::string describe(const BlockPattern &pattern) {
  std::string text = " blocks=", bits;
  for (const BlockPattern::Term &term : pattern.terms)
    text += (text.back() == '=' ? "" : ",") + std::to_string(term.dim) + "/" +
            std::to_string(term.divisor);
  for (bool seen : pattern.seen)
    bits += seen ? '1' : '0';
  return text + (bits.empty() ? ":data"
                              : ":" + llvm::utohexstr(llvm::xxh3_64bits(bits)));
}

std::string Problem::str() const {
  std::string text = toString(direction).str() + " " + toString(type).str() +
                     " batch=" + joined(batch) + " rows=" + joined(rows) +
                     " keys=" + joined(keys) +
                     " depth=" + std::to_string(depth) +
                     " value=" + std::to_string(value);
  if (lse && direction == Direction::Forward)
    text += " lse";
  if (lseGradient && direction != Direction::Forward)
    text += " dlse";
  for (const Extra &extra : extras)
    text += describe(extra);
  if (blocks)
    text += describe(*blocks);
  if (atomics)
    text += " atomics";
  if (!visible)
    return text;
  if (replacesHidden)
    text += " replace";
  text += " mask=" + visible->str();
  if (!maskValues.empty())
    text += " symbols=" + joined(maskValues);
  return text;
}

static llvm::Error checkExtent(const char *what, int64_t extent) {
  if (extent >= 0)
    return llvm::Error::success();
  return llvm::createStringError("expected a %s extent of at least 0, got %lld",
                                 what, static_cast<long long>(extent));
}

static llvm::Error checkBlocks(const Problem &problem) {
  if (!problem.blocks)
    return llvm::Error::success();
  int64_t elements = 1;
  for (const BlockPattern::Term &term : problem.blocks->terms) {
    if (term.divisor < 1 || term.dim >= problem.maskExtents().size())
      return llvm::createStringError(
          "expected a mask of blocks to have blocks of at least 1 of a batch, "
          "row or key dim, got %lld of dim %u",
          static_cast<long long>(term.divisor), term.dim);
    elements = mulSaturating(elements, problem.blocksAlong(term));
  }
  auto given = static_cast<int64_t>(problem.blocks->seen.size());
  if (given == 0 || given == elements)
    return llvm::Error::success();
  return llvm::createStringError(
      "expected a mask of blocks with %lld elements, got %lld",
      static_cast<long long>(elements), static_cast<long long>(given));
}

llvm::Error Problem::check() const {
  struct Group {
    const char *name;
    llvm::ArrayRef<int64_t> extents;
  };
  // log2 of the largest count: scores x head dims x 2 bytes-or-operations x 16.
  double bits = 8;
  for (Group group :
       {Group{"batch", batch}, Group{"row", rows}, Group{"key", keys},
        Group{"depth", depth}, Group{"value", value}})
    for (int64_t extent : group.extents) {
      if (llvm::Error error = checkExtent(group.name, extent))
        return error;
      bits += std::log2(std::max<double>(extent, 1));
    }
  if (rows.empty() || keys.empty())
    return llvm::createStringError(
        "expected at least one row dim and one key dim, got %zu and %zu",
        static_cast<size_t>(rows.size()), static_cast<size_t>(keys.size()));
  if (bits > 120)
    return llvm::createStringError(
        "the product of all extents needs %.0f bits; the ledger counts exactly "
        "up to 120: use smaller extents",
        bits);
  auto isHuge = [](double bits) { return bits > 62; };
  double rowBits = 0, keyBits = 0, batchBits = 0;
  for (int64_t extent : rows)
    rowBits += std::log2(std::max<double>(extent, 1));
  for (int64_t extent : keys)
    keyBits += std::log2(std::max<double>(extent, 1));
  for (int64_t extent : batch)
    batchBits += std::log2(std::max<double>(extent, 1));
  if (isHuge(rowBits) || isHuge(keyBits) || isHuge(batchBits))
    return llvm::createStringError(
        "the product of the batch, row or key extents does not fit in 62 bits: "
        "use smaller extents");
  unsigned numDims = batch.size() + rows.size() + keys.size();
  if (visible && visible->numDims() != numDims)
    return llvm::createStringError(
        "expected a mask over the %u batch, row and key dims, got one over %u",
        numDims, visible->numDims());
  for (const Extra &extra : extras) {
    if (extra.rows.size() != rows.size() || extra.keys.size() != keys.size())
      return llvm::createStringError(
          "expected extra '%s' to have a flag for each row and key dim",
          extra.name.c_str());
    if (extra.hasGradient() && extra.batch.size() != batch.size())
      return llvm::createStringError(
          "expected extra '%s', which has a gradient, to have a flag for each "
          "batch dim",
          extra.name.c_str());
  }
  return checkBlocks(*this);
}
