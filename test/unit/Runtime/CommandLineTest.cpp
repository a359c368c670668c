//===- CommandLineTest.cpp ------------------------------------------------===//
#include "attn/Runtime/CommandLine.h"
#include "gtest/gtest.h"

using namespace mlir::attn;

namespace {
class CommandLineTest : public testing::Test {
protected:
  CommandLineTest() : line("tool FILE", "Does things.") {
    line.flag("check", check, "compare");
    line.text("save", save, "F", "write");
    line.number("threads", threads, "N", "threads");
    line.optionalNumber("time", timed, runs, "N", "time");
  }

  /// The error, or "".
  std::string parse(std::vector<std::string> arguments) {
    std::vector<char *> argv = {const_cast<char *>("tool")};
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    return llvm::toString(
        line.parse(static_cast<int>(argv.size()), argv.data(), positional));
  }

  CommandLine line;
  bool check = false, timed = false;
  std::string save;
  unsigned threads = 7, runs = 1;
  std::vector<std::string> positional;
};
} // namespace

TEST_F(CommandLineTest, EverySpellingOfAnOption) {
  EXPECT_EQ(parse({"a.mlir", "--save=x.npz", "-check", "--threads", "3", "-",
                   "--", "--check"}),
            "");
  EXPECT_TRUE(check);
  EXPECT_EQ(save, "x.npz");
  EXPECT_EQ(threads, 3u);
  EXPECT_EQ(positional, (std::vector<std::string>{"a.mlir", "-", "--check"}));
}

TEST_F(CommandLineTest, AnOptionalNumberMayBeLeftOut) {
  EXPECT_EQ(parse({"--time", "5"}), "");
  EXPECT_TRUE(timed);
  EXPECT_EQ(runs, 1u);
  EXPECT_EQ(positional, std::vector<std::string>{"5"});
  EXPECT_EQ(parse({"--time=9"}), "");
  EXPECT_EQ(runs, 9u);
}

TEST_F(CommandLineTest, AValueIsNotEmptyAndMayHoldEqualsSigns) {
  EXPECT_EQ(parse({"--save="}), "--save expects a value, F, got ''");
  EXPECT_EQ(parse({"--save=a=b,c=d"}), "");
  EXPECT_EQ(save, "a=b,c=d");
}

TEST_F(CommandLineTest, ErrorsNameTheOptionAndWhatWasExpected) {
  EXPECT_EQ(parse({"--chekc"}),
            "unknown option --chekc; did you mean --check?");
  EXPECT_EQ(parse({"--zzzzzzzz"}),
            "unknown option --zzzzzzzz; --help lists the options");
  EXPECT_EQ(parse({"--check=yes"}), "--check takes no value, got 'yes'");
  EXPECT_EQ(parse({"--save"}), "--save expects a value: --save=F");
  EXPECT_EQ(parse({"--threads=-1"}),
            "--threads expects a whole number, got '-1'");
  EXPECT_EQ(parse({"--time=soon"}),
            "--time expects a whole number, got 'soon'");
}
