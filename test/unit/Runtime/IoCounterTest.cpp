//===- IoCounterTest.cpp --------------------------------------------------===//
#include "attn/Runtime/IoCounter.h"
#include "gtest/gtest.h"

using namespace mlir::attn;

TEST(IoCounter, CountsAddUpByOperandAndDirection) {
  llvm::StringMap<void *> symbols;
  addIoSymbols(symbols);
  auto count = reinterpret_cast<void (*)(int64_t, int64_t, int64_t)>(
      symbols.lookup("attn_count_io"));
  ASSERT_NE(count, nullptr);
  resetIoCounts();
  EXPECT_TRUE(getIoCounts().empty());
  count(0, 0, 5);
  count(0, 0, 7);
  count(3, 1, 11);
  count(17, 0, 2);
  count(-1, 0, 100);   // no operand: ignored
  count(1000, 0, 100); // none either
  std::vector<IoRecord> records = getIoCounts();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].operand, "Q");
  EXPECT_EQ(records[0].read, 12);
  EXPECT_EQ(records[0].written, 0);
  EXPECT_EQ(records[1].operand, "O");
  EXPECT_EQ(records[1].written, 11);
  EXPECT_EQ(records[2].operand, "extra1");
  resetIoCounts();
  EXPECT_TRUE(getIoCounts().empty());
}
