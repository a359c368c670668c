//===- CpuCosts.h - What a CPU's steps cost ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of CpuModel.cpp. They belong to instructions and loops, not to
// shapes, and each says what it stands for. They were set by timing tilings on
// an AVX-512 core (attn-run --tune); docs/Ledger.md has the table.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_COSTMODEL_CPUCOSTS_H
#define ATTN_LIB_COSTMODEL_CPUCOSTS_H

namespace attn::cpu_costs {

/// Cycles per vector of scores: subtract, exponential, sum, store, load.
constexpr double softmaxCycles = 6;
/// The same where probabilities are rounded to a narrower type.
constexpr double roundCycles = 2.5;
/// Of a backward, which has dP - D to multiply and dS to keep beside them.
constexpr double pointCycles = 12.5;
/// Per vector of rows and key block: maximum, correction, sum; what a short
/// loop over keys costs to start.
constexpr double rowCycles = 20;
/// Per vector of scores in a block that the mask cuts: indices, comparison.
constexpr double maskCycles = 9;
/// Per block of registers: loop set-up, addresses, a branch missed at the end.
constexpr double tileCycles = 10;
/// Per vector of a block of registers: its load or maximum, and its store.
constexpr double sumCycles = 0.9;
/// Per vector of an operand that is copied: load, widen, store, address.
constexpr double copyCycles = 1.9;
/// Per element of Q, which is transposed on the way.
constexpr double transposeCycles = 0.28;
/// Per key block and group of rows: calls, slices, branches missed.
constexpr double blockCycles = 70;
/// Per row and key block of a backward: its LSE and D, and the loop over keys.
constexpr double pointRowCycles = 4;
/// Of what ends of register blocks cost, the part that shows where products
/// follow each other on operands in the first level, as a backward's five do.
constexpr double backwardEnds = 0.5;
/// Per query block: its state, its task.
constexpr double taskCycles = 3400;
/// Per vector of a state that is merged with another or passes through memory.
constexpr double mergeCycles = 40;
constexpr double stateCycles = 3;
/// Per vector that is widened on its way to a product.
constexpr double widenCycles = 1.5;
/// Per sum across a vector: of few rows, whose lanes are the depth.
constexpr double acrossCycles = 6;
/// Per stream of K or V that starts anew, where memory sets the pace.
constexpr double streamCycles = 50;
/// Instructions after a chain of dependent sums among which a core finds those
/// of the next one.
constexpr double window = 340;
/// The same, where the states of all rows do not stay in a core's caches.
constexpr double freshCycles = 10;
/// Of the second level, what K and V may fill to be found there again.
constexpr double residentShare = 0.75;
/// A cache that all cores share delivers this part of a core's own second
/// level.
constexpr double sharedCacheShare = 0.36;
/// Of a pass through a cache, what computation does not hide; of the scores of
/// a forward, which all that follows waits for.
constexpr double exposedPass = 0.25;
constexpr double exposedScores = 0.3;
/// Of the first level, what lies between scores that stay in it, at a half, and
/// scores that do not.
constexpr double scoreSpread = 1;
/// Of arithmetic on what memory delivers, the part that does not hide behind
/// it: of a block that was asked for ahead, and of one that was not.
constexpr double exposedAhead = 0.25;
constexpr double exposedWork = 0.8;
/// Keys of the blocks of a decoding whose K and V, asked for ahead, come in
/// time: longer blocks of the one keep the other waiting.
constexpr double aheadKeys = 16;
/// Pages whose addresses a core has at hand, cycles that a step of a product
/// waits for one that it has not, and what a page of a state costs that is
/// walked over: what is fetched ahead ends with the page.
constexpr double pagesAtHand = 64, pageBytes = 4096;
constexpr double pageCycles = 1, turnCycles = 50;
/// Of copies beyond the first level, the most that shows.
constexpr double exposedCopies = 0.5;
/// Of the first-level cache, what a stretch of the right operand may fill.
constexpr double stretchShare = 0.75;
/// Steps of the shortest stretch that V is read in where it is.
constexpr double leastStretch = 48;

/// Of a matrix unit: per product of two tiles, operands included.
constexpr double tileStepCycles = 23;
/// Per group of rows, key block and product: the call, the unit's set-up, the
/// last sums that are waited for.
constexpr double tileCallCycles = 100;
/// Per vector of scores: its maximum. Per vector of acc: its correction.
constexpr double tileMaxCycles = 0.5;
constexpr double tileJoinCycles = 9;
/// Per element of V, which is transposed for each key block.
constexpr double tilePackCycles = 0.3;
/// Of a backward, per vector of scores: P and dS from S and dP, rounded, and dS
/// once more in pairs.
constexpr double tilePointCycles = 17;
/// The same for each further part of P and dS; and per product of two tiles
/// where parts are shared by products.
constexpr double tilePartPointCycles = 12, tileTermCycles = 18;
/// All of a block in parts, against the costs of multiply-adds, which are those
/// of a busier machine than the parts' were taken on.
constexpr double splitBackwardScale = 1.28;
/// Per element of K, twice, and V, which become parts for each key block.
constexpr double splitBackwardPackCycles = 3.3;
/// Rows and keys whose scores are computed at a time, and cycles of all calls
/// for them.
constexpr double tilePart = 64, tilePartCycles = 500;
/// Per element of Q and dO, packed in two ways for each block; per element of
/// dQ, which is added to transposed; per element of dK and dV, which pass
/// through the tiles.
constexpr double tilePairCycles = 0.35, tileAddCycles = 0.45,
                 tileSumCycles = 0.2;
/// Of the second level, what a backward's block may fill without loss, and
/// cycles per line beyond.
constexpr double tileFreeShare = 0.35, tileLineCycles = 6;

/// Of types that go by the unit in bf16 parts. A product of two tiles, many of
/// which share what is loaded; an element of K, of V and of Q that is split and
/// packed; a vector of P that is.
constexpr double splitStepCycles = 24;
constexpr double splitKeyCycles = 1.15, splitValueCycles = 1.6;
constexpr double splitQueryCycles = 4;
constexpr double splitScoreCycles = 7.5;

} // namespace attn::cpu_costs

#endif // ATTN_LIB_COSTMODEL_CPUCOSTS_H
