//===- TilingTableTest.cpp - Tilings found by timing, in a file -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/TilingTable.h"
#include "Problems.h"
#include "gtest/gtest.h"

using namespace attn;
using namespace attn::test;

static std::string entry(const char *fields) {
  return std::string("{\"format\": \"attn-tilings-1\", \"entries\": [{") +
         fields + "}]}";
}

static std::string errorOf(llvm::StringRef json) {
  llvm::Expected<TilingTable> table = TilingTable::parse(json, "t.json");
  return table ? "" : llvm::toString(table.takeError());
}

TEST(TilingTable, FindsByProblemAndMachine) {
  llvm::Expected<TilingTable> table =
      TilingTable::parse(entry(R"("problem": "p", "machine": "m",
               "tiling": "query_block=64,key_block=128")"),
                         "t.json");
  ASSERT_TRUE(bool(table));
  ASSERT_NE(table->find("p", "m"), nullptr);
  EXPECT_EQ(table->find("p", "m")->tiling, "query_block=64,key_block=128");
  EXPECT_EQ(table->find("p", "n"), nullptr);
  EXPECT_EQ(table->find("q", "m"), nullptr);
  table->at("q", "m").tiling = "query_block=1,key_block=1";
  EXPECT_NE(table->find("q", "m"), nullptr);
}

TEST(TilingTable, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(errorOf("{"), "");
  EXPECT_NE(errorOf("[]").find("t.json: expected a table of tilings"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"format\": \"other\"}").find("attn-tilings-1"),
            std::string::npos);
  EXPECT_NE(errorOf(entry(R"("problem": "p", "machine": "m")"))
                .find("missing value at table.entries[0].tiling"),
            std::string::npos);
  EXPECT_NE(errorOf(entry(R"("problem": 3, "machine": "m", "tiling": "x")"))
                .find("expected string at table.entries[0].problem"),
            std::string::npos);
  EXPECT_EQ(errorOf(entry(R"("problem": "p", "machine": "m",
                             "tiling": "query_block=64")")),
            "t.json: entries[0].tiling: expected a tiling with query_block and "
            "key_block, got 'query_block=64'");
  EXPECT_EQ(errorOf(entry(R"("problem": "p", "machine": "m",
                             "tiling": "query_block=0,key_block=1")")),
            "t.json: entries[0].tiling: tiling: expected query_block to be an "
            "integer of at least 1, got '0'");
  EXPECT_EQ(errorOf(entry(R"("problem": "p", "machine": "m",
            "tiling": "query_block=1,key_block=1", "measured": [
              {"tiling": "query_block=1,key_block=1", "code": "", "ms": [-1]}
            ])")),
            "t.json: entries[0].measured[0].ms: expected times greater than 0");
}

TEST(TilingTable, RefusesTwoEntriesForOneProblem) {
  std::string one = R"({"problem": "p", "machine": "m",
                        "tiling": "query_block=1,key_block=1"})";
  EXPECT_EQ(errorOf("{\"format\": \"attn-tilings-1\", \"entries\": [" + one +
                    "," + one + "]}"),
            "t.json: expected one entry for each problem and machine, got a "
            "second one: entries[1]");
}

TEST(Problem, TextTellsProblemsApart) {
  Problem plain = square(128, 64), causal = plain, longer = square(129, 64),
          backward = plain, biased = plain;
  causal.visible = causalMask();
  backward.direction = Direction::Backward;
  biased.extras.push_back({"extra0", 4, {true}, {false}});
  for (const Problem &other : {causal, longer, backward, biased})
    EXPECT_NE(plain.str(), other.str());
  EXPECT_EQ(plain.str(), square(128, 64).str());
}
