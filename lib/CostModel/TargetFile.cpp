//===- TargetFile.cpp - A target described by its user --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Target.h"
#include "attn/Support/Nesting.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace attn;
using llvm::StringRef;

static constexpr TargetField fieldTable[] = {
    {"cores", "", true, false, &Target::cores, nullptr},
    {"multiprocessors", "", false, true, &Target::cores, nullptr},
    {"hertz", "1/s", true, true, nullptr, &Target::hertz},
    {"memory_bandwidth", "B/s", true, true, nullptr, &Target::memoryBandwidth},
    {"memory_bytes", "B", true, true, &Target::memoryBytes, nullptr},
    {"last_cache_bytes", "B", true, true, &Target::lastCacheBytes, nullptr},
    {"fast_bytes", "B", true, true, &Target::fastBytes, nullptr},
    {"fast_bandwidth", "B/s", true, true, nullptr, &Target::fastBandwidth},
    {"l1_bytes", "B", true, false, &Target::l1Bytes, nullptr},
    {"l2_bytes", "B", true, false, &Target::l2Bytes, nullptr},
    {"l2_bandwidth", "B/s", true, false, nullptr, &Target::l2Bandwidth},
    {"core_bandwidth", "B/s", true, false, nullptr, &Target::coreBandwidth},
    {"vector_bits", "bit", true, false, &Target::vectorBits, nullptr},
    {"vector_registers", "", true, false, &Target::vectorRegisters, nullptr},
    {"vector_issue", "1/cycle", true, false, nullptr, &Target::vectorIssue},
    {"shared_per_multiprocessor", "B", false, true, &Target::sharedPerCore,
     nullptr},
    {"shared_per_block", "B", false, true, &Target::sharedPerBlock, nullptr},
    {"shared_reserved", "B", false, true, &Target::sharedReserved, nullptr},
    {"registers_per_multiprocessor", "", false, true, &Target::registersPerCore,
     nullptr},
    {"registers_per_thread", "", false, true, &Target::registersPerThread,
     nullptr},
    {"threads_per_multiprocessor", "", false, true, &Target::threadsPerCore,
     nullptr},
    {"threads_per_block", "", false, true, &Target::threadsPerBlock, nullptr},
    {"blocks_per_multiprocessor", "", false, true, &Target::blocksPerCore,
     nullptr},
    {"lanes", "1/cycle", false, true, &Target::lanes, nullptr},
    {"exponentials", "1/cycle", false, true, &Target::exponentials, nullptr},
    {"matrix_flops_16", "1/s", false, true, nullptr, &Target::matrixFlops16},
    {"matrix_share", "", false, true, nullptr, &Target::matrixShare},
    {"bf16_dot", "0 or 1", false, false, &Target::bf16Dot, nullptr},
    {"bf16_tiles", "0 or 1", false, false, &Target::bf16Tiles, nullptr},
    {"split_tiles", "rows", false, false, &Target::splitTiles, nullptr},
    {"ahead_keys", "keys", false, false, &Target::aheadKeys, nullptr},
};

llvm::ArrayRef<TargetField> attn::targetFields() { return fieldTable; }

llvm::Error Target::check() const {
  for (const TargetField &field : fieldTable) {
    if (!(isGpu() ? field.gpu : field.cpu))
      continue;
    double value =
        field.integer ? double(this->*field.integer) : this->*field.real;
    if (!(value > 0) || !std::isfinite(value))
      return llvm::createStringError(
          "target '%s': expected %s to be greater than 0, got %g", name.c_str(),
          field.name, value);
  }
  for (auto [field, value] :
       {std::pair("bf16_dot", bf16Dot), std::pair("bf16_tiles", bf16Tiles)})
    if (value != 0 && value != 1)
      return llvm::createStringError(
          "target '%s': expected %s to be 0 or 1, got %lld", name.c_str(),
          field, static_cast<long long>(value));
  if (bf16Tiles && vectorBits != 512)
    return llvm::createStringError(
        "target '%s': expected vector_bits = 512 beside bf16_tiles = 1, got "
        "%lld",
        name.c_str(), static_cast<long long>(vectorBits));
  if (splitTiles < 0)
    return llvm::createStringError(
        "target '%s': expected split_tiles to be a number of rows, or 0, got "
        "%lld",
        name.c_str(), static_cast<long long>(splitTiles));
  if (splitTiles && !bf16Tiles)
    return llvm::createStringError(
        "target '%s': expected bf16_tiles = 1 beside split_tiles = %lld, got 0",
        name.c_str(), static_cast<long long>(splitTiles));
  if (aheadKeys < 0 || aheadKeys > 1024)
    return llvm::createStringError(
        "target '%s': expected ahead_keys to be from 0 to 1024, got %lld",
        name.c_str(), static_cast<long long>(aheadKeys));
  if (!isGpu() && (vectorBits % 64 != 0 || vectorBits > 16384))
    return llvm::createStringError(
        "target '%s': expected vector_bits to be a multiple of 64 up to 16384, "
        "got %lld",
        name.c_str(), static_cast<long long>(vectorBits));
  if (isGpu() && matrixShare > 1)
    return llvm::createStringError(
        "target '%s': expected matrix_share to be at most 1, got %g",
        name.c_str(), matrixShare);
  if (isGpu() && sharedPerBlock > sharedPerCore)
    return llvm::createStringError(
        "target '%s': expected shared_per_block to be at most "
        "shared_per_multiprocessor, got %lld > %lld",
        name.c_str(), static_cast<long long>(sharedPerBlock),
        static_cast<long long>(sharedPerCore));
  return llvm::Error::success();
}

static const TargetField *findField(StringRef key, TargetKind kind) {
  bool isGpu = kind == TargetKind::GPU;
  for (const TargetField &field : fieldTable)
    if (key == field.name && ((isGpu ? field.gpu : field.cpu) ||
                              (!field.cpu && !field.gpu && !isGpu)))
      return &field;
  return nullptr;
}

static std::string fieldNames(TargetKind kind) {
  std::string names = kind == TargetKind::GPU ? "name, base, source, chip"
                                              : "name, base, source";
  for (const TargetField &field : fieldTable)
    if (findField(field.name, kind) == &field)
      names += std::string(", ") + field.name;
  return names;
}

llvm::Error attn::setTargetField(Target &target, StringRef name, double value) {
  const TargetField *field = findField(name, target.kind);
  if (!field)
    return llvm::createStringError("expected a field among %s, got '%s'",
                                   fieldNames(target.kind).c_str(),
                                   name.str().c_str());
  if (!field->integer) {
    target.*field->real = value;
    return llvm::Error::success();
  }
  bool isInteger = std::fabs(value) < 0x1p62 && value == std::floor(value);
  if (!isInteger)
    return llvm::createStringError("expected '%s' to be an integer, got %g",
                                   name.str().c_str(), value);
  target.*field->integer = static_cast<int64_t>(value);
  return llvm::Error::success();
}

static llvm::Error setField(Target &target, StringRef key,
                            const llvm::json::Value &value) {
  auto text = value.getAsString();
  std::string *place = key == "name"                     ? &target.name
                       : key == "source"                 ? &target.source
                       : key == "chip" && target.isGpu() ? &target.chip
                                                         : nullptr;
  if (place) {
    if (!text || text->empty())
      return llvm::createStringError("expected '%s' to be a non-empty string",
                                     key.str().c_str());
    *place = text->str();
    return llvm::Error::success();
  }
  auto number = value.getAsNumber();
  if (!number && findField(key, target.kind))
    return llvm::createStringError("expected '%s' to be a number",
                                   key.str().c_str());
  return setTargetField(target, key, number.value_or(0));
}

/// `error` with the file it is about in front.
static llvm::Error in(StringRef origin, llvm::Error error) {
  return llvm::createStringError("%s: %s", origin.str().c_str(),
                                 llvm::toString(std::move(error)).c_str());
}

llvm::Expected<Target> attn::parseTarget(StringRef json, StringRef origin) {
  llvm::Expected<llvm::json::Value> value = parseJson(json);
  if (!value)
    return in(origin, value.takeError());
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return in(origin, llvm::createStringError("expected a JSON object"));
  auto base = object->getString("base");
  if (!base)
    return in(origin, llvm::createStringError(
                          "expected 'base' to name the target that gives the "
                          "fields left out: host, avx512, a100, ..."));
  if (base->contains('/') || base->ends_with(".json"))
    return in(origin, llvm::createStringError(
                          "expected 'base' to be a built-in target, got '%s'",
                          base->str().c_str()));
  llvm::Expected<Target> target = findTarget(*base);
  if (!target)
    return in(origin, target.takeError());
  target->name = origin.str();
  target->source = "file " + origin.str() + ", based on " + base->str();
  for (const auto &[key, field] : *object)
    if (key != "base")
      if (llvm::Error error = setField(*target, key, field))
        return in(origin, std::move(error));
  target->settleSplitTiles(object->get("split_tiles"));
  if (llvm::Error error = target->check())
    return in(origin, std::move(error));
  return target;
}
