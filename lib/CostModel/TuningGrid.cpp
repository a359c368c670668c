//===- TuningGrid.cpp - The tilings that tuning times ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/TuningGrid.h"
#include "Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace attn;

static constexpr int64_t gridRows[] = {16, 32, 64, 128, 192, 256, 512};
static constexpr int64_t gridKeys[] = {16, 64, 128, 256, 512, 1024, 2048};
/// Blocks tried in every variant: the middle of the grid.
static constexpr int64_t middleRows[] = {64, 128};
static constexpr int64_t middleKeys[] = {128, 512};
static constexpr int64_t gridSplits[] = {2, 3, 4, 8};
/// Rows of register blocks; the vectors beside them follow from the registers.
static constexpr int64_t gridRegisterRows[] = {1, 4, 6, 8, 12, 24};
constexpr size_t enoughCandidates = 60, mostCandidates = 90;

namespace {

class CpuGrid {
public:
  CpuGrid(const Problem &problem, const Target &target)
      : problem(problem), target(target) {}

  std::vector<Tiling> build();

private:
  Tiling blocks(int64_t rows, int64_t keys) const {
    return cpuTiling(problem, target, rows, keys);
  }
  void add(const Tiling &tiling);
  void addOrders(const Tiling &tiling);
  void addRegisters(llvm::ArrayRef<Tiling> tilings);
  void addSplits(const Tiling &tiling);

  const Problem &problem;
  const Target &target;
  std::vector<Tiling> grid;
};

} // namespace

void CpuGrid::add(const Tiling &tiling) {
  std::string text = toString(tiling);
  bool isKnown = llvm::any_of(
      grid, [&](const Tiling &other) { return toString(other) == text; });
  if (!isKnown && !computeFootprint(problem, tiling, target).violation())
    grid.push_back(tiling);
}

void CpuGrid::addOrders(const Tiling &tiling) {
  Tiling other = tiling;
  other.order =
      tiling.order == Order::KeyOuter ? Order::QueryOuter : Order::KeyOuter;
  add(other);
}

/// Every register block, each on all of `tilings` before the next one.
void CpuGrid::addRegisters(llvm::ArrayRef<Tiling> tilings) {
  int64_t lanes = target.vectorLanes(problem.type);
  int64_t width = std::max<int64_t>(ceilDiv(problem.value, lanes), 1);
  for (int64_t rows : gridRegisterRows)
    for (int64_t vectors = 1; vectors <= std::min<int64_t>(width, 8);
         vectors *= 2) {
      // At least a third of the registers in use, or one row.
      bool idle = 3 * rows * vectors < target.vectorRegisters && rows != 1;
      if (idle)
        continue;
      for (Tiling tiling : tilings) {
        int64_t height = tiling.queryBlockSize();
        if (rows > height || grid.size() >= mostCandidates)
          continue;
        // A matrix unit's blocks are not those that a tiling names.
        if (problem.direction == Direction::Forward
                ? target.usesMatrixTiles(problem.type, height)
                : target.usesBackwardTiles(problem.type, height,
                                           tiling.keyBlockSize()))
          continue;
        tiling.cpu = CpuKernel{rows, vectors * lanes};
        add(tiling);
      }
    }
}

void CpuGrid::addSplits(const Tiling &tiling) {
  if (problem.direction != Direction::Forward)
    return;
  int64_t keyBlocks = tiling.keyBlockCount(problem);
  Tiling other = tiling;
  for (int64_t splits : gridSplits) {
    other.keySplits = splits;
    if (splits <= keyBlocks)
      add(other);
  }
}

std::vector<Tiling> CpuGrid::build() {
  for (int64_t rows : gridRows)
    for (int64_t keys : gridKeys)
      add(blocks(rows, keys));
  std::vector<Tiling> plain = grid;
  std::vector<Tiling> middle;
  for (int64_t rows : middleRows)
    for (int64_t keys : middleKeys)
      middle.push_back(blocks(rows, keys));
  for (const Tiling &tiling : middle) {
    addOrders(tiling);
    addSplits(tiling);
  }
  addRegisters(middle);
  if (grid.size() >= enoughCandidates)
    return std::move(grid);
  for (const Tiling &tiling : plain) {
    addSplits(tiling);
    addOrders(tiling);
  }
  std::vector<Tiling> parts = grid;
  addRegisters(parts);
  return std::move(grid);
}

std::vector<Tiling> attn::tuningGrid(const Problem &problem,
                                     const Target &target) {
  if (!target.isGpu())
    return CpuGrid(problem, target).build();
  std::vector<Tiling> grid = selectionGrid(problem, target);
  llvm::erase_if(grid, [&](const Tiling &tiling) {
    return computeFootprint(problem, tiling, target).violation() != nullptr;
  });
  return grid;
}
