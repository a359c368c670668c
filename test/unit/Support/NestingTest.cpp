//===- NestingTest.cpp - how deep a text nests ----------------------------===//
#include "attn/Support/Nesting.h"
#include "gtest/gtest.h"

using namespace attn;

static std::string repeat(const std::string &text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

static bool isDeep(const std::string &text, Syntax syntax = Syntax::MLIR) {
  return findDeepNesting(text, syntax).has_value();
}

/// `head`, then as much of `open` as is allowed and one more, then `tail`.
static void expectLimit(const std::string &head, const std::string &open,
                        const std::string &tail, unsigned outside) {
  EXPECT_FALSE(isDeep(head + repeat(open, kMaxNesting - outside) + tail))
      << head << open;
  EXPECT_TRUE(isDeep(head + repeat(open, kMaxNesting - outside + 1) + tail))
      << head << open;
}

TEST(Nesting, BracketsOfAllKinds) {
  for (const char *open : {"(", "[", "{", "tuple<", "() -> (", "{a = "})
    expectLimit("", open, "", 0);
  // What is closed again does not count, and siblings do not either.
  EXPECT_FALSE(isDeep(repeat("[<({})>]", 5000)));
  EXPECT_FALSE(isDeep("[" + repeat("[],", 5000) + "]"));
}

TEST(Nesting, WhatIsNoBracket) {
  EXPECT_FALSE(isDeep("\"" + repeat("(", 5000) + "\""));
  EXPECT_FALSE(isDeep("\"\\\"" + repeat("(", 5000) + "\""));
  EXPECT_FALSE(isDeep("// " + repeat("(", 5000) + "\n"));
  EXPECT_FALSE(isDeep("(" + repeat("a -> b, c >= d, e <= f => g, ", 5000)));
  // A string ends with its line, so that nothing hides behind a stray quote.
  EXPECT_TRUE(isDeep("\"\n" + repeat("(", 5000)));
  // "Less than" is left behind with what encloses it.
  EXPECT_FALSE(isDeep(repeat("(a < b)", 5000)));
}

TEST(Nesting, Place) {
  auto place = findDeepNesting("a\n b" + repeat("[", 5000), Syntax::MLIR);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 2u);
  EXPECT_EQ(place->column, 3 + kMaxNesting);
  EXPECT_EQ(place->offset, 4 + kMaxNesting);
}

TEST(Nesting, AffineExpressionsLeanToOneSide) {
  for (const char *op :
       {" + d0", " * 2", " floordiv 2", " ceildiv 2", " mod 2", "-", " - d0"}) {
    expectLimit("affine_map<(d0) -> (d0", op, ")>", 2);
    expectLimit("affine_set<(d0) : (d0", op, " >= 0)>", 2);
  }
  // Each operand by itself; elsewhere a dash is none.
  EXPECT_FALSE(
      isDeep("affine_map<(d0) -> (" + repeat("d0 + d0 - 1, ", 5000) + "d0)>"));
  EXPECT_FALSE(isDeep("affine_set<(d0) : (" + repeat("d0 - 1 >= 0 and ", 5000) +
                      "d0 >= 0)>"));
  EXPECT_FALSE(isDeep("dense<[" + repeat("-1, ", 5000) + "-1]>"));
  EXPECT_FALSE(isDeep("\"-\" {a = " + repeat("-", 5000) + "}"));
}

TEST(Nesting, Aliases) {
  auto chain = [](unsigned length) {
    std::string text = "#a0 = [1]\n";
    for (unsigned i = 1; i < length; ++i)
      text +=
          "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
    return text;
  };
  EXPECT_FALSE(isDeep(chain(kMaxNesting)));
  EXPECT_TRUE(isDeep(chain(kMaxNesting + 1)));
  // A use is as deep as what it stands for, where it stands.
  EXPECT_FALSE(isDeep(chain(kMaxNesting) + "#a999\n"));
  EXPECT_TRUE(isDeep(chain(kMaxNesting) + "(#a999)\n"));
  // Many uses of a shallow alias are shallow.
  EXPECT_FALSE(isDeep("#a = [[1]]\n" + repeat("foo(#a, #attn.b, !c)\n", 5000)));
  EXPECT_FALSE(isDeep("!t = tuple<i32>\n" + repeat("!t,", 5000)));
}

TEST(Nesting, PartsOfAFile) {
  EXPECT_FALSE(isDeep(repeat("((\n// -----\n", 5000)));
  EXPECT_TRUE(isDeep(repeat("((\n// ---\n", 5000)));
}

TEST(Nesting, Json) {
  EXPECT_TRUE(bool(parseJson("{\"a\": [1, \"((((<<\"]}")));
  EXPECT_FALSE(isDeep(repeat("<(", 200), Syntax::JSON));
  auto bad = parseJson("{\"a\":\n" + repeat("[", 100000));
  ASSERT_FALSE(bad);
  std::string text = llvm::toString(bad.takeError());
  EXPECT_NE(text.find("[2:1000, byte=1005]: expected at most 1000 levels"),
            std::string::npos)
      << text;
}
