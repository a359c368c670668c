//===- TilingTest.cpp - Tilings as text -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problems.h"
#include "gtest/gtest.h"

using namespace attn;
using namespace attn::test;

TEST(Tiling, RoundTrip) {
  for (const char *text :
       {"query_block=[1,64],key_block=128,order=q_outer,key_splits=1",
        "query_block=96,key_block=[2,8],order=kv_outer,key_splits=3,"
        "kernel=#attn.cpu<mr=6,nr=64>",
        "query_block=128,key_block=64,order=q_outer,key_splits=1,"
        "kernel=#attn.gpu<warps=4,rows_per_warp=32,stages=2>"}) {
    llvm::Expected<Tiling> tiling = parseTiling(text);
    ASSERT_TRUE(bool(tiling));
    EXPECT_EQ(toString(*tiling), text);
  }
}

TEST(Tiling, Errors) {
  auto messageOf = [](const char *text) {
    llvm::Expected<Tiling> tiling = parseTiling(text);
    return tiling ? "" : llvm::toString(tiling.takeError());
  };
  EXPECT_EQ(messageOf("query_blok=3"),
            "tiling: expected query_block, key_block, order, key_splits or "
            "kernel, got 'query_blok'");
  EXPECT_EQ(messageOf("query_block=0"),
            "tiling: expected query_block to be an integer of at least 1, got "
            "'0'");
  for (const char *none : {"query_block", "query_block=", "query_block=[]"})
    EXPECT_EQ(messageOf(none), "tiling: expected query_block to be an integer "
                               "of at least 1, got ''");
  EXPECT_EQ(messageOf("order=outer"), "tiling: expected order=q_outer or "
                                      "order=kv_outer, got 'outer'");
  EXPECT_EQ(messageOf("kernel=cpu<mr=6>"),
            "tiling: expected kernel 'cpu<mr=6>' to give mr and nr");
  EXPECT_EQ(messageOf("kernel=gpu<mr=6>"),
            "tiling: expected warps, rows_per_warp, stages, atomics or "
            "apart, got 'mr'");
  EXPECT_EQ(messageOf("key_block=8,query_block=16,key_block=32"),
            "tiling: expected key_block once, got it twice");
  EXPECT_EQ(messageOf("kernel=cpu<mr=6,nr=64,mr=4>"),
            "tiling: expected mr once, got it twice");
  EXPECT_NE(messageOf(""), "");
}

TEST(Tiling, FieldsLeftOutStay) {
  Tiling base = blocks(16, 32);
  base.cpu = CpuKernel{6, 64};
  llvm::Expected<Tiling> tiling = parseTiling(
      "key_block=8,kernel=gpu<warps=4,rows_per_warp=16,stages=1>", base);
  ASSERT_TRUE(bool(tiling));
  EXPECT_EQ(toString(*tiling),
            "query_block=16,key_block=8,order=q_outer,key_splits=1,"
            "kernel=#attn.gpu<warps=4,rows_per_warp=16,stages=1>");
  // Blanks, as the attribute prints it.
  tiling =
      parseTiling("query_block = [2, 8], kernel = #attn.cpu<mr = 6, nr = 64>");
  ASSERT_TRUE(bool(tiling));
  EXPECT_EQ(tiling->queryBlockSize(), 16);
  EXPECT_EQ(tiling->cpu->nr, 64);
}

TEST(Tiling, ClampsToTheProblem) {
  Tiling tiling = blocks(64, 512).clampedTo(head(10, 0, 8));
  EXPECT_EQ(tiling.queryBlock[0], 10);
  EXPECT_EQ(tiling.keyBlock[0], 1);
}

TEST(Tiling, ChecksRank) {
  Problem problem = head(64, 64, 8);
  problem.rows = {4, 64};
  EXPECT_EQ(llvm::toString(blocks(16, 16).check(problem)),
            "expected query_block to have one size for each of the 2 row dims, "
            "got 1");
}
