//===- AlgebraTest.cpp - The recurrence against softmax ---------*- C++ -*-===//
#include "attn/Support/Algebra.h"
#include "gtest/gtest.h"
#include <random>

using namespace attn;

namespace {

using State = SoftmaxState<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr size_t kDepth = 3;

struct Keys {
  std::vector<double> scores, values, weights;

  Keys(size_t count, unsigned seed) {
    std::mt19937 rng(seed);
    std::normal_distribution<double> normal;
    for (size_t j = 0; j < count; ++j) {
      scores.push_back(5 * normal(rng));
      weights.push_back(rng() % 3 ? 1.5 : 0.0);
      for (size_t d = 0; d < kDepth; ++d)
        values.push_back(normal(rng));
    }
  }
  size_t size() const { return scores.size(); }

  State::Step foldInto(State &state, size_t begin, size_t end,
                       bool weighted = false) const {
    llvm::ArrayRef<double> s(scores), v(values), w(weights);
    return state.fold(s.slice(begin, end - begin),
                      v.slice(begin * kDepth, (end - begin) * kDepth),
                      weighted ? w.slice(begin, end - begin)
                               : llvm::ArrayRef<double>());
  }
};

/// Softmax by its definition, in long double and without any maximum.
State::Finished softmax(const Keys &keys, bool weighted = false,
                        double sink = -kInf) {
  long double l = std::exp((long double)sink);
  std::vector<long double> acc(kDepth, 0);
  for (size_t j = 0; j < keys.size(); ++j) {
    long double p = std::exp((long double)keys.scores[j]);
    l += p;
    for (size_t d = 0; d < kDepth; ++d)
      acc[d] +=
          p * (weighted ? keys.weights[j] : 1.0) * keys.values[j * kDepth + d];
  }
  State::Finished out;
  for (long double a : acc)
    out.o.push_back(double(a / l));
  out.lse = double(std::log(l));
  return out;
}

void expectNear(const State::Finished &got, const State::Finished &want) {
  EXPECT_NEAR(got.lse, want.lse, 1e-14 * std::max(1.0, std::abs(want.lse)));
  for (size_t d = 0; d < kDepth; ++d)
    EXPECT_NEAR(got.o[d], want.o[d], 1e-14);
}

TEST(Algebra, TheExampleInTheHeader) {
  State state(0);
  state.fold({1.0, 3.0}, {});
  EXPECT_NEAR(state.l, 1.1353, 1e-4);
  State::Step step = state.fold({2.0, 4.0}, {});
  EXPECT_EQ(step.r, 4.0);
  EXPECT_NEAR(step.corr, 0.3679, 1e-4);
  EXPECT_NEAR(step.l, 1.5530, 1e-4);
}

TEST(Algebra, FoldsInBlocksOfAnySize) {
  for (size_t count : {1, 2, 7, 64})
    for (size_t block : {1, 2, 3, 64})
      for (bool weighted : {false, true}) {
        Keys keys(count, unsigned(count));
        State state(kDepth);
        for (size_t begin = 0; begin < count; begin += block)
          keys.foldInto(state, begin, std::min(begin + block, count), weighted);
        expectNear(state.finish(EmptyRows::NaN), softmax(keys, weighted));
      }
}

TEST(Algebra, MergeIsAMonoid) {
  Keys keys(30, 1);
  State a(kDepth), b(kDepth), c(kDepth), identity(kDepth);
  keys.foldInto(a, 0, 11);
  keys.foldInto(b, 11, 12);
  keys.foldInto(c, 12, 30);
  expectNear(State::merge(State::merge(a, b), c).finish(EmptyRows::NaN),
             softmax(keys));
  expectNear(State::merge(a, State::merge(c, b)).finish(EmptyRows::NaN),
             softmax(keys));
  State left = State::merge(identity, a), right = State::merge(a, identity);
  for (const State &s : {left, right}) {
    EXPECT_EQ(s.r, a.r);
    EXPECT_EQ(s.l, a.l);
    EXPECT_EQ(s.acc, a.acc);
  }
  State none = State::merge(identity, identity);
  EXPECT_EQ(none.l, 0.0);
  EXPECT_EQ(none.r, -kInf);
}

TEST(Algebra, FinishedResultsMerge) {
  Keys keys(20, 2);
  State a(kDepth), b(kDepth);
  keys.foldInto(a, 0, 9);
  keys.foldInto(b, 9, 20);
  State::Finished fa = a.finish(EmptyRows::NaN), fb = b.finish(EmptyRows::NaN);
  State merged = State::merge(State::fromFinished(fa.o, fa.lse),
                              State::fromFinished(fb.o, fb.lse));
  expectNear(merged.finish(EmptyRows::NaN), softmax(keys));
  // An empty part is the identity even if its O is NaN.
  State::Finished none = State(kDepth).finish(EmptyRows::NaN);
  State same = State::merge(State::fromFinished(none.o, none.lse), a);
  EXPECT_EQ(same.acc, a.acc);
}

TEST(Algebra, AnyReferenceGivesTheSameResult) {
  // A reference that lags behind, as a deferred rescale leaves it.
  Keys keys(10, 3);
  State state(kDepth);
  keys.foldInto(state, 0, 10);
  State lagging(kDepth);
  lagging.r = state.r - kDeferredRescaleLog2 * std::log(2.0);
  for (size_t j = 0; j < 10; ++j) {
    double p = std::exp(keys.scores[j] - lagging.r);
    lagging.l += p;
    for (size_t d = 0; d < kDepth; ++d)
      lagging.acc[d] += p * keys.values[j * kDepth + d];
  }
  expectNear(lagging.finish(EmptyRows::NaN), softmax(keys));
}

TEST(Algebra, EmptyRows) {
  State none(kDepth), hidden(kDepth);
  hidden.fold({-kInf, -kInf}, std::vector<double>(2 * kDepth, 1.0));
  for (const State &state : {none, hidden}) {
    EXPECT_EQ(state.finish(EmptyRows::Zero).lse, -kInf);
    EXPECT_EQ(state.finish(EmptyRows::Zero).o[0], 0.0);
    EXPECT_TRUE(std::isnan(state.finish(EmptyRows::NaN).o[0]));
    EXPECT_EQ(state.finish(EmptyRows::NaN).lse, -kInf);
  }
}

TEST(Algebra, NaNScoresStay) {
  State state(kDepth);
  state.fold({1.0, std::nan(""), 2.0}, std::vector<double>(3 * kDepth, 1.0));
  state.fold({3.0}, std::vector<double>(kDepth, 1.0));
  State::Finished out = state.finish(EmptyRows::Zero);
  EXPECT_TRUE(std::isnan(out.lse));
  EXPECT_TRUE(std::isnan(out.o[0]));
}

TEST(Algebra, Sinks) {
  Keys keys(12, 4);
  State state = State::fromSink(0.7, kDepth);
  keys.foldInto(state, 0, 12);
  expectNear(state.finish(EmptyRows::NaN), softmax(keys, false, 0.7));
  State alone = State::fromSink(0.7, kDepth);
  EXPECT_EQ(alone.finish(EmptyRows::NaN).lse, 0.7);
  EXPECT_EQ(alone.finish(EmptyRows::NaN).o[0], 0.0);
  EXPECT_EQ(State::fromSink(-kInf, kDepth).l, 0.0);
}

/// Beyond the threshold a key adds nothing at all; one unit below the exact
/// bound it still does.
template <typename Acc> void checkThreshold(double exact) {
  using T = CompletionThreshold<Acc>;
  EXPECT_EQ(std::exp(Acc(-T::natural)), Acc(0));
  EXPECT_EQ(std::exp2(Acc(-T::log2)), Acc(0));
  EXPECT_GT(std::exp(Acc(-(exact - 1))), Acc(0));
  EXPECT_GE(T::log2 * std::log(2.0), T::natural - 1e-2);
}
TEST(Algebra, CompletionThresholds) {
  checkThreshold<float>(104.0);
  checkThreshold<double>(745.2);
}

} // namespace
