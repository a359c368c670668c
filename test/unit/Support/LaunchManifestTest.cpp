//===- LaunchManifestTest.cpp - Manifests in and out ------------*- C++ -*-===//
#include "attn/Support/LaunchManifest.h"
#include "attn/Runtime/LaunchABI.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace attn;

namespace {

const char *kExample = R"({"kernels": [
  {"name": "attention", "grid": [8, 4, 1], "block": [128, 1, 1],
   "shared_bytes": 49152,
   "params": [
     {"kind": "pointer", "type": "bf16", "extents": [2, 64, 32],
      "strides": [4096, 32, 1], "source": "arg0"},
     {"kind": "pointer", "type": "f32", "extents": [], "strides": [],
      "source": "scratch"},
     {"kind": "scalar", "type": "i64", "value": 64},
     {"kind": "scalar", "type": "f32", "value": 0.125},
     {"kind": "scalar", "type": "i64", "source": "arg3"},
     {"kind": "pointer", "type": "f32", "extents": [0, 4],
      "strides": [4, 1], "source": "out1"}]}],
 "report": {"tiling": "q_outer"}})";

std::string errorOf(llvm::StringRef text) {
  auto manifest = parseLaunchManifest(text, "m.json");
  return manifest ? "" : llvm::toString(manifest.takeError());
}

/// The example with one piece replaced.
std::string edited(llvm::StringRef from, llvm::StringRef to) {
  std::string text = kExample;
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to.str());
}

TEST(LaunchManifest, ReadsTheExample) {
  auto manifest = parseLaunchManifest(kExample, "m.json");
  ASSERT_TRUE(bool(manifest)) << llvm::toString(manifest.takeError());
  ASSERT_EQ(manifest->kernels.size(), 1u);
  const KernelLaunch &kernel = manifest->kernels[0];
  EXPECT_EQ(kernel.name, "attention");
  EXPECT_EQ(kernel.grid, (std::array<uint32_t, 3>{8, 4, 1}));
  EXPECT_EQ(kernel.block, (std::array<uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(kernel.sharedBytes, 49152u);
  ASSERT_EQ(kernel.params.size(), 6u);
  EXPECT_EQ(kernel.params[0].type, DType::BF16);
  EXPECT_EQ(kernel.params[0].spanElements(), 4096 + 63 * 32 + 32);
  EXPECT_EQ(kernel.params[0].source->str(), "arg0");
  EXPECT_EQ(kernel.params[1].source->str(), "scratch0");
  EXPECT_EQ(kernel.params[1].spanElements(), 1);
  EXPECT_EQ(kernel.params[2].value->getAsInteger(), 64);
  EXPECT_EQ(kernel.params[3].value->getAsNumber(), 0.125);
  EXPECT_FALSE(kernel.params[4].value);
  EXPECT_EQ(kernel.params[5].spanElements(), 0);
  EXPECT_EQ(kernel.params[5].source, (ParamSource{ParamSource::Kind::Out, 1}));
}

TEST(LaunchManifest, WritesWhatItReads) {
  auto manifest = parseLaunchManifest(kExample, "m.json");
  ASSERT_TRUE(bool(manifest));
  std::string text = llvm::formatv("{0}", toJSON(*manifest)).str();
  auto again = parseLaunchManifest(text, "again");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toJSON(*again), toJSON(*manifest));
  // And nothing is lost on the way, but for the short form of scratch0.
  auto original = llvm::json::parse(edited("\"scratch\"", "\"scratch0\""));
  ASSERT_TRUE(bool(original));
  EXPECT_EQ(toJSON(*manifest), *original);
}

TEST(LaunchManifest, ErrorsNameThePlace) {
  EXPECT_EQ(errorOf(kExample), "");
  EXPECT_EQ(errorOf(edited("\"bf16\"", "\"bf17\"")),
            "m.json: kernels[0].params[0].type: expected an element type such "
            "as f16, bf16, f32 or i32, got \"bf17\"");
  EXPECT_EQ(errorOf(edited("[128, 1, 1]", "[128, 1]")),
            "m.json: kernels[0].block: expected three sizes, got [128,1]");
  EXPECT_EQ(errorOf(edited("[8, 4, 1]", "[8, 4, -1]")),
            "m.json: kernels[0].grid[2]: expected an integer from 0 to "
            "2147483647, got -1");
  EXPECT_EQ(errorOf(edited("[4096, 32, 1]", "[4096, 32]")),
            "m.json: kernels[0].params[0].strides: expected as many as "
            "extents, 3, got [4096,32]");
  EXPECT_EQ(errorOf(edited("\"shared_bytes\": 49152", "\"shared\": 1")),
            "m.json: kernels[0].shared: expected only the keys name, grid, "
            "block, shared_bytes, params, got 1");
  EXPECT_EQ(errorOf(edited("\"arg3\"", "\"argument\"")),
            "m.json: kernels[0].params[4].source: expected argK, outK or "
            "scratchK, got \"argument\"");
  EXPECT_EQ(errorOf(edited("\"value\": 64", "\"value\": 6.5")),
            "m.json: kernels[0].params[2].value: expected a number of type "
            "i64, got 6.5");
  EXPECT_EQ(errorOf("[]"), "m.json: expected an object, got []");
  EXPECT_EQ(errorOf("{}"), "m.json: kernels: expected an array, got nothing");
  EXPECT_NE(errorOf("{").find("m.json: not JSON"), std::string::npos);
  EXPECT_NE(errorOf(edited("\"name\": \"attention\", ", "")), "");
  EXPECT_NE(errorOf(edited(", \"source\": \"arg3\"", "")), "");
}

TEST(LaunchManifest, GoesThroughAFile) {
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("attn", "json", path));
  auto manifest = parseLaunchManifest(kExample, "m.json");
  ASSERT_TRUE(bool(manifest));
  ASSERT_FALSE(bool(writeLaunchManifest(path, *manifest)));
  auto again = readLaunchManifest(path);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toJSON(*again), toJSON(*manifest));
  llvm::sys::fs::remove(path);
  auto gone = readLaunchManifest(path);
  ASSERT_FALSE(bool(gone));
  EXPECT_NE(llvm::toString(gone.takeError()).find(path.str().str()),
            std::string::npos);
}

TEST(LaunchManifest, TruncatedFilesAreErrors) {
  std::string text = kExample;
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(errorOf(text.substr(0, size)), "") << size;
}

} // namespace
