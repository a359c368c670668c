//===- TargetTest.cpp - Machines ------------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Target.h"
#include "gtest/gtest.h"

using namespace attn;

TEST(Target, EveryEntryIsComplete) {
  for (const Target &target : targetTable()) {
    EXPECT_EQ(llvm::toString(target.check()), "");
    EXPECT_FALSE(target.source.empty()) << target.name;
  }
  EXPECT_EQ(llvm::toString(hostTarget().check()), "");
}

TEST(Target, A100) {
  llvm::Expected<Target> target = findTarget("sm_80");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->name, "a100");
  EXPECT_EQ(target->fastBytes, 192 * 1024);
  EXPECT_EQ(target->sharedPerBlock, 163 * 1024);
  EXPECT_NEAR(target->balance(ElementType::F16), 200.6, 0.05);
  EXPECT_NEAR(target->fastBandwidth / target->memoryBandwidth, 12.2, 0.05);
}

TEST(Target, HostIsStable) {
  Target a = hostTarget(), b = hostTarget();
  for (const TargetField &field : targetFields()) {
    if (field.integer)
      EXPECT_EQ(a.*field.integer, b.*field.integer) << field.name;
    else
      EXPECT_EQ(a.*field.real, b.*field.real) << field.name;
  }
  EXPECT_GE(a.l1Bytes, 4096);
  EXPECT_GE(a.cores, 1);
}

TEST(Target, File) {
  llvm::Expected<Target> target = parseTarget(
      R"({"name": "mine", "base": "a100", "multiprocessors": 100})", "f.json");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->name, "mine");
  EXPECT_EQ(target->cores, 100);
  EXPECT_EQ(target->chip, "sm_80");
}

TEST(Target, FileErrors) {
  auto messageOf = [](const char *json) {
    llvm::Expected<Target> target = parseTarget(json, "f.json");
    return target ? "" : llvm::toString(target.takeError());
  };
  EXPECT_NE(messageOf("{"), "");
  EXPECT_EQ(messageOf("[]"), "f.json: expected a JSON object");
  EXPECT_NE(messageOf("{}").find("expected 'base'"), std::string::npos);
  EXPECT_NE(messageOf(R"({"base": "a1000"})").find("expected a target among"),
            std::string::npos);
  EXPECT_NE(messageOf(R"({"base": "a100", "l1_bytes": 3})")
                .find("expected a field among name, base"),
            std::string::npos);
  EXPECT_EQ(messageOf(R"({"base": "a100", "lanes": "64"})"),
            "f.json: expected 'lanes' to be a number");
  EXPECT_EQ(messageOf(R"({"base": "a100", "lanes": 64.5})"),
            "f.json: expected 'lanes' to be an integer, got 64.5");
  EXPECT_EQ(messageOf(R"({"base": "avx2", "hertz": -1})"),
            "f.json: target 'f.json': expected hertz to be greater than 0, got "
            "-1");
  EXPECT_EQ(messageOf(R"({"base": "f.json"})"),
            "f.json: expected 'base' to be a built-in target, got 'f.json'");
  EXPECT_EQ(messageOf(R"({"base": "avx512", "bf16_tiles": 2})"),
            "f.json: target 'f.json': expected bf16_tiles to be 0 or 1, got 2");
  EXPECT_EQ(messageOf(R"({"base": "avx2", "bf16_tiles": 1})"),
            "f.json: target 'f.json': expected vector_bits = 512 beside "
            "bf16_tiles = 1, got 256");
  EXPECT_EQ(messageOf(R"({"base": "avx512", "split_tiles": 1})"),
            "f.json: target 'f.json': expected bf16_tiles = 1 beside "
            "split_tiles = 1, got 0");
  EXPECT_EQ(messageOf(R"({"base": "sapphirerapids", "split_tiles": -1})"),
            "f.json: target 'f.json': expected split_tiles to be a number of "
            "rows, or 0, got -1");
  EXPECT_EQ(messageOf(R"({"base": "avx512", "ahead_keys": -1})"),
            "f.json: target 'f.json': expected ahead_keys to be from 0 to "
            "1024, got -1");
}

// 1024 FLOP per cycle, sixteen times what two vector units do in f32; only for
// bf16 where f32 and f16 are not sent through it in parts.
TEST(Target, MatrixTiles) {
  llvm::Expected<Target> target =
      parseTarget(R"({"base": "sapphirerapids", "split_tiles": 0})", "f.json");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->matrixRate(ElementType::BF16),
            16 * target->matrixRate(ElementType::F32));
  EXPECT_EQ(target->matrixRate(ElementType::F16),
            target->matrixRate(ElementType::F32));
  EXPECT_TRUE(target->usesMatrixTiles(ElementType::BF16, 9));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::BF16, 8));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::F16, 64));
}

// As sums of bf16 products, of which f32 takes six and f16 four.
TEST(Target, SplitTiles) {
  llvm::Expected<Target> target =
      parseTarget(R"({"base": "sapphirerapids", "split_tiles": 1})", "f.json");
  ASSERT_TRUE(bool(target));
  double bf16 = target->matrixRate(ElementType::BF16);
  EXPECT_EQ(target->matrixRate(ElementType::F32), bf16 / 6);
  EXPECT_EQ(target->matrixRate(ElementType::F16), bf16 / 4);
  EXPECT_EQ(target->matrixRate(ElementType::F64), bf16 / 32);
  EXPECT_TRUE(target->usesMatrixTiles(ElementType::F32, 9));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::F32, 8));
  target->splitTiles = 128;
  EXPECT_TRUE(target->usesMatrixTiles(ElementType::F32, 128));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::F32, 127));
  EXPECT_TRUE(target->usesMatrixTiles(ElementType::BF16, 9));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::F64, 64));
}

// Who has the unit sends f32 and f16 through it, in blocks of enough rows; a
// file that takes the unit away takes that away with it.
TEST(Target, SplitTilesAsARule) {
  llvm::Expected<Target> target = findTarget("sapphirerapids");
  ASSERT_TRUE(bool(target));
  EXPECT_TRUE(target->usesMatrixTiles(ElementType::F32, usualSplitTiles));
  EXPECT_FALSE(target->usesMatrixTiles(ElementType::F32, usualSplitTiles - 1));
  llvm::Expected<Target> without =
      parseTarget(R"({"base": "sapphirerapids", "bf16_tiles": 0})", "f.json");
  ASSERT_TRUE(bool(without)) << llvm::toString(without.takeError());
  EXPECT_EQ(without->splitTiles, 0);
  for (const Target &entry : targetTable())
    if (!entry.isGpu())
      EXPECT_EQ(entry.splitTiles != 0, entry.bf16Tiles != 0) << entry.name;
}
