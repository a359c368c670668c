//===- Lines.cpp - Visible sets along the lines of a box --------*- C++ -*-===//
#include "Lines.h"
#include "Isolate.h"
#include <algorithm>
#include <numeric>

using namespace attn;

//===----------------------------------------------------------------------===//
// BoundSets
//===----------------------------------------------------------------------===//

BoundSets::BoundSets(const Visible &visible, llvm::ArrayRef<int64_t> symbols) {
  for (const AffineSet &set : visible.sets()) {
    Conjunction conjunction;
    bool isEmpty = false;
    for (const Expr &e : set.inequalities()) {
      Expr bound = e.bindSymbols(symbols);
      if (!bound.isConstant())
        conjunction.push_back(std::move(bound));
      else if (bound.constant() < 0)
        isEmpty = true;
    }
    if (!isEmpty)
      sets.push_back(std::move(conjunction));
  }
}

/// The least and the greatest value (inclusive) that interval arithmetic gives.
static std::pair<int64_t, int64_t> boundsOver(const Expr &e,
                                              llvm::ArrayRef<Range> box) {
  int64_t least = e.constant(), greatest = e.constant();
  for (const Expr::Term &term : e.terms()) {
    std::pair<int64_t, int64_t> atom{0, 0};
    if (!term.operand) {
      atom = {box[term.index].begin, box[term.index].end - 1};
    } else {
      auto [lo, hi] = boundsOver(*term.operand, box);
      int64_t first = floorDiv(lo, term.divisor);
      int64_t last = floorDiv(hi, term.divisor);
      if (term.kind == Expr::Kind::FloorDiv)
        atom = {first, last};
      else if (first == last)
        atom = {floorMod(lo, term.divisor), floorMod(hi, term.divisor)};
      else
        atom = {0, term.divisor - 1};
    }
    if (term.coefficient < 0)
      std::swap(atom.first, atom.second);
    least = addSaturating(least, mulSaturating(term.coefficient, atom.first));
    greatest =
        addSaturating(greatest, mulSaturating(term.coefficient, atom.second));
  }
  return {least, greatest};
}

BoundSets BoundSets::restrictedTo(llvm::ArrayRef<Range> box) const {
  BoundSets result;
  for (const Conjunction &set : sets) {
    Conjunction undecided;
    bool isEmpty = false;
    for (const Expr &e : set) {
      auto [least, greatest] = boundsOver(e, box);
      isEmpty |= greatest < 0;
      if (least < 0)
        undecided.push_back(e);
    }
    if (!isEmpty)
      result.sets.push_back(std::move(undecided));
  }
  return result;
}

bool BoundSets::isAll() const {
  return llvm::any_of(sets, [](const Conjunction &set) { return set.empty(); });
}

bool BoundSets::mentionsDim(unsigned dim) const {
  return llvm::any_of(sets, [&](const Conjunction &set) {
    return llvm::any_of(set, [&](const Expr &e) { return e.mentionsDim(dim); });
  });
}

bool BoundSets::contains(llvm::ArrayRef<int64_t> point) const {
  return llvm::any_of(sets, [&](const Conjunction &set) {
    return llvm::all_of(
        set, [&](const Expr &e) { return e.evaluate(point, {}) >= 0; });
  });
}

//===----------------------------------------------------------------------===//
// LineSweep
//===----------------------------------------------------------------------===//

/// A period p > 0 such that e, with p t + i in place of the dim, is linear in t
/// for every i. Clamped.
static int64_t periodOf(const Expr &e, unsigned dim) {
  int64_t period = 1;
  for (const Expr::Term &term : e.terms()) {
    if (!term.operand || !term.operand->mentionsDim(dim))
      continue;
    int64_t own = mulSaturating(periodOf(*term.operand, dim), term.divisor);
    period = mulSaturating(period / std::gcd(period, own), own);
  }
  return period;
}

static int64_t periodOf(const BoundSets &sets, unsigned dim) {
  int64_t period = 1;
  for (const BoundSets::Conjunction &set : sets.sets) {
    for (const Expr &e : set) {
      int64_t own = periodOf(unwrapDim(e, dim), dim);
      period = mulSaturating(period / std::gcd(period, own), own);
    }
  }
  return period;
}

// Beyond it, residues cost more memory than looking at points costs time.
static constexpr int64_t kMaxPeriod = 4096;

void LineSweep::chooseDim() {
  for (Range r : ranges)
    lineCount = mulSaturating(lineCount, r.size());
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    if (!sets.mentionsDim(dim))
      continue;
    int64_t dimPeriod = periodOf(sets, dim);
    if (dimPeriod > kMaxPeriod)
      continue;
    int64_t lines = dimPeriod;
    for (unsigned other = 0; other < ranges.size(); ++other)
      if (other != dim)
        lines = mulSaturating(lines, ranges[other].size());
    if (lines >= lineCount)
      continue;
    lineCount = lines;
    sweptDim = dim;
    period = dimPeriod;
  }
}

LineSweep::LineSweep(const BoundSets &sets, llvm::ArrayRef<Range> box)
    : sets(sets), ranges(box) {
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    if (!sets.mentionsDim(dim))
      ranges[dim].end = ranges[dim].begin + 1;
    point.push_back(ranges[dim].begin);
  }
  chooseDim();
}

void LineSweep::makeResidues() {
  for (int64_t i = 0; i < period; ++i) {
    Residue residue{1, {}};
    Expr index;
    if (sweptDim) {
      Range swept = ranges[*sweptDim];
      residue.length = ceilDiv(swept.size() - i, period);
      index = period * Expr::dim(*sweptDim) + swept.begin + i;
    }
    for (const BoundSets::Conjunction &set : sets.sets) {
      LinearSet linear;
      for (const Expr &e : set) {
        if (!sweptDim) {
          linear.push_back({0, e});
          continue;
        }
        Expr inT = unwrapDim(e, *sweptDim)
                       .substitute(
                           [&](unsigned d) {
                             return d == *sweptDim ? index : Expr::dim(d);
                           },
                           [](unsigned s) { return Expr::symbol(s); });
        int64_t factor = inT.coefficientOfDim(*sweptDim);
        linear.push_back({factor, inT - factor * Expr::dim(*sweptDim)});
      }
      residue.sets.push_back(std::move(linear));
    }
    residues.push_back(std::move(residue));
  }
}

int64_t LineSweep::visibleOn(const Residue &residue) {
  intervals.clear();
  for (const LinearSet &set : residue.sets) {
    Range interval{0, residue.length};
    for (const Linear &c : set) {
      int64_t rest = c.rest.evaluate(point, {});
      if (c.factor > 0)
        interval.begin = std::max(interval.begin, ceilDiv(-rest, c.factor));
      else if (c.factor < 0)
        interval.end = std::min(interval.end, floorDiv(rest, -c.factor) + 1);
      else if (rest < 0)
        interval.end = interval.begin;
      if (interval.empty())
        break;
    }
    if (!interval.empty())
      intervals.push_back(interval);
  }
  if (intervals.size() > 1)
    llvm::sort(intervals, [](Range a, Range b) { return a.begin < b.begin; });
  int64_t visible = 0, covered = 0;
  for (Range interval : intervals) {
    interval.begin = std::max(interval.begin, covered);
    visible += interval.size();
    covered = std::max(covered, interval.end);
  }
  return visible;
}

void LineSweep::forEach(
    llvm::function_ref<bool(int64_t visible, int64_t total)> visit) {
  makeResidues();
  while (true) {
    for (const Residue &residue : residues)
      if (!visit(visibleOn(residue), residue.length))
        return;
    // The next combination of the other dims, the last one fastest.
    int dim = int(ranges.size()) - 1;
    for (; dim >= 0; --dim) {
      if (sweptDim == unsigned(dim))
        continue;
      if (++point[dim] < ranges[dim].end)
        break;
      point[dim] = ranges[dim].begin;
    }
    if (dim < 0)
      return;
  }
}
