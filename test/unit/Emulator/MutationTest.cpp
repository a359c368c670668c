//===- MutationTest.cpp - Nothing that orders a kernel can be left out ----===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Every wait and barrier of the compiled kernels is removed once; the emulator
// must then find a fault, on shapes large enough for the line to matter.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/SmallVector.h"

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

/// Runs `check` with each line that contains one of `words` left out; `check`
/// returns whether a fault was found. Returns the number of lines.
template <typename F>
unsigned removeEach(llvm::StringRef file,
                    std::initializer_list<llvm::StringRef> words, F check) {
  std::string text = readInput(file);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  unsigned tried = 0;
  for (size_t k = 0; k != lines.size(); ++k) {
    bool matters = false;
    for (llvm::StringRef w : words)
      matters |= lines[k].contains(w) && !lines[k].trim().starts_with("//");
    if (!matters)
      continue;
    ++tried;
    std::string mutant;
    for (size_t l = 0; l != lines.size(); ++l)
      mutant += (l == k ? "" : lines[l].str()) + "\n";
    EXPECT_TRUE(check(mutant))
        << file.str() << ":" << k + 1 << ": without '" << lines[k].trim().str()
        << "' no fault is found";
  }
  return tried;
}

template <typename T> uint64_t ones(Device &d, size_t n) {
  std::vector<T> v;
  for (size_t i = 0; i != n; ++i)
    v.push_back(T(float(i % 17) / 16));
  return d.upload(v);
}

bool isFaulty(llvm::Expected<LaunchResult> result) {
  if (result)
    return false;
  bool faulty = result.errorIsA<LaunchError>();
  llvm::consumeError(result.takeError());
  return faulty;
}

bool tileIsFaulty(const std::string &ptx) {
  Device d(ptx);
  int n = 64, k = 128;
  uint64_t a = ones<_Float16>(d, size_t(64 * k));
  uint64_t b = ones<_Float16>(d, size_t(n * k));
  uint64_t c = d.space<float>(size_t(64 * n));
  return isFaulty(d.launch("tileProduct", {1}, {128}, 0, a, b, c, n, k));
}

bool attentionIsFaulty(const std::string &ptx) {
  Device d(ptx);
  int queries = 64, keys = 192;
  uint64_t q = ones<_Float16>(d, size_t(queries * 64));
  uint64_t k = ones<_Float16>(d, size_t(keys * 64));
  uint64_t v = ones<_Float16>(d, size_t(keys * 64));
  uint64_t o = d.space<_Float16>(size_t(queries * 64));
  uint64_t lse = d.space<float>(size_t(queries));
  return isFaulty(d.launch("attention", {1}, {128}, 3 * 64 * 72 * 2, q, k, v, o,
                           lse, queries, keys, 0.18f, 0));
}

TEST(Mutation, TileProduct) {
  EXPECT_FALSE(tileIsFaulty(readInput("tile.ptx")));
  unsigned n = removeEach("tile.ptx", {"bar.sync", "wait_group"}, tileIsFaulty);
  EXPECT_GE(n, 4u);
}

TEST(Mutation, Attention) {
  EXPECT_FALSE(attentionIsFaulty(readInput("attention.ptx")));
  unsigned n = removeEach("attention.ptx", {"bar.sync", "wait_group"},
                          attentionIsFaulty);
  EXPECT_GE(n, 5u);
}

} // namespace
