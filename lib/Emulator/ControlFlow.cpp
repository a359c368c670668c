//===- ControlFlow.cpp - Reconvergence points and loops -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Lanes that part at a branch meet again at its immediate post-dominator. Lanes
// that return early must not keep the others apart until the end, so an exit
// counts as the end of all paths only where nothing else follows: the last exit
// in the text is the root of the post-dominator tree, blocks that cannot reach
// it are left out, and what is left out is treated in the same way by itself.
//
// Both trees: Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm,
// 2001.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/ADT/BitVector.h"

#include <algorithm>

using namespace llvm;

namespace attn::emulator {
namespace {

struct Block {
  int32_t begin, end; ///< instructions
  SmallVector<int, 2> successors, predecessors;
  bool exits = false;
};

class Flow {
public:
  explicit Flow(Program &p) : program(p) {}
  void run() {
    buildBlocks();
    setReconvergence();
    findLoops();
  }

private:
  using Edges = SmallVector<int, 2> Block::*;

  void buildBlocks();
  void setReconvergence();
  void findLoops();
  std::vector<int> dominators(int root, Edges forward, Edges backward,
                              const BitVector &skip);
  std::vector<int> postorder(int root, Edges forward, const BitVector &skip);

  Program &program;
  std::vector<Block> blocks;
  std::vector<int> blockOf;
};

void Flow::buildBlocks() {
  auto &code = program.code;
  int32_t n = int32_t(code.size());
  BitVector leader(unsigned(n) + 1);
  leader.set(0);
  for (int32_t k = 0; k != n; ++k) {
    const Inst &i = code[k];
    if (i.kind == Inst::Branch)
      leader.set(unsigned(i.target));
    if (i.kind == Inst::Branch || i.kind == Inst::Exit || i.kind == Inst::Trap)
      leader.set(unsigned(k) + 1);
  }
  blockOf.resize(size_t(n));
  for (int32_t k = 0; k != n; ++k) {
    if (leader.test(unsigned(k)))
      blocks.push_back({k, k, {}, {}, false});
    blocks.back().end = k + 1;
    blockOf[size_t(k)] = int(blocks.size()) - 1;
  }
  for (size_t b = 0; b != blocks.size(); ++b) {
    const Inst &last = code[size_t(blocks[b].end - 1)];
    bool leaves = last.kind == Inst::Exit || last.kind == Inst::Trap;
    bool falls = last.guard != -1 || (last.kind != Inst::Branch && !leaves);
    auto connect = [&](int to) {
      blocks[b].successors.push_back(to);
      blocks[size_t(to)].predecessors.push_back(int(b));
    };
    if (last.kind == Inst::Branch)
      connect(blockOf[size_t(last.target)]);
    if (falls && blocks[b].end < n)
      connect(int(b) + 1);
    blocks[b].exits = leaves && last.guard == -1;
  }
}

std::vector<int> Flow::postorder(int root, Edges forward,
                                 const BitVector &skip) {
  std::vector<int> order;
  BitVector seen(skip);
  seen.resize(unsigned(blocks.size()));
  std::vector<std::pair<int, unsigned>> stack{{root, 0}};
  seen.set(unsigned(root));
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    auto &successors = blocks[size_t(block)].*forward;
    if (next == successors.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    int to = successors[next++];
    if (!seen.test(unsigned(to))) {
      seen.set(unsigned(to));
      stack.push_back({to, 0});
    }
  }
  return order;
}

/// Immediate dominators of what `root` reaches along `forward`; -1 elsewhere.
std::vector<int> Flow::dominators(int root, Edges forward, Edges backward,
                                  const BitVector &skip) {
  std::vector<int> order = postorder(root, forward, skip);
  std::vector<int> number(blocks.size(), -1), idom(blocks.size(), -1);
  for (size_t k = 0; k != order.size(); ++k)
    number[size_t(order[k])] = int(k);
  idom[size_t(root)] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == root)
        continue;
      int best = -1;
      for (int p : blocks[size_t(*it)].*backward) {
        if (idom[size_t(p)] < 0 || number[size_t(p)] < 0)
          continue;
        if (best < 0) {
          best = p;
          continue;
        }
        int a = p;
        while (a != best) {
          while (number[size_t(a)] < number[size_t(best)])
            a = idom[size_t(a)];
          while (number[size_t(best)] < number[size_t(a)])
            best = idom[size_t(best)];
        }
      }
      if (best != idom[size_t(*it)]) {
        idom[size_t(*it)] = best;
        changed = true;
      }
    }
  }
  return idom;
}

void Flow::setReconvergence() {
  BitVector done(unsigned(blocks.size()));
  std::vector<int> reconverge(blocks.size(), -1);
  while (!done.all()) {
    // The last exit among what is left; in an endless loop, the last block.
    int root = -1;
    for (int b = int(blocks.size()) - 1; b >= 0; --b)
      if (!done.test(unsigned(b)) && blocks[size_t(b)].exits) {
        root = b;
        break;
      }
    if (root < 0)
      root = done.find_last_unset();
    std::vector<int> idom =
        dominators(root, &Block::predecessors, &Block::successors, done);
    for (size_t b = 0; b != blocks.size(); ++b) {
      if (idom[b] < 0)
        continue;
      done.set(unsigned(b));
      if (int(b) != root)
        reconverge[b] = idom[b];
    }
  }
  for (const Block &b : blocks) {
    Inst &last = program.code[size_t(b.end - 1)];
    if (last.kind != Inst::Branch)
      continue;
    int r = reconverge[size_t(blockOf[size_t(b.begin)])];
    last.reconverge = r < 0 ? -1 : blocks[size_t(r)].begin;
  }
}

void Flow::findLoops() {
  BitVector none(unsigned(blocks.size()));
  std::vector<int> idom =
      dominators(0, &Block::successors, &Block::predecessors, none);
  auto dominates = [&](int a, int b) {
    while (b != a && b != idom[size_t(b)])
      b = idom[size_t(b)];
    return a == b;
  };
  struct Natural {
    int header;
    BitVector body;
  };
  std::vector<Natural> loops;
  for (size_t b = 0; b != blocks.size(); ++b) {
    if (idom[b] < 0)
      continue;
    for (int h : blocks[b].successors) {
      if (!dominates(h, int(b)))
        continue;
      auto it = find_if(loops, [&](Natural &l) { return l.header == h; });
      if (it == loops.end()) {
        loops.push_back({h, BitVector(unsigned(blocks.size()))});
        it = loops.end() - 1;
        it->body.set(unsigned(h));
      }
      std::vector<int> work{int(b)};
      while (!work.empty()) {
        int x = work.back();
        work.pop_back();
        if (it->body.test(unsigned(x)))
          continue;
        it->body.set(unsigned(x));
        for (int p : blocks[size_t(x)].predecessors)
          if (idom[size_t(p)] >= 0)
            work.push_back(p);
      }
    }
  }
  std::sort(
      loops.begin(), loops.end(), [&](const Natural &a, const Natural &b) {
        return blocks[size_t(a.header)].begin < blocks[size_t(b.header)].begin;
      });
  for (const Natural &l : loops) {
    Loop loop;
    loop.header = blocks[size_t(l.header)].begin;
    for (const Natural &outer : loops)
      loop.depth += &outer != &l && outer.body.test(unsigned(l.header)) &&
                    outer.body.count() > l.body.count();
    program.loops.push_back(loop);
  }
  for (Inst &i : program.code) {
    int b = blockOf[size_t(&i - program.code.data())];
    unsigned depth = 0;
    for (size_t k = 0; k != loops.size(); ++k)
      if (loops[k].body.test(unsigned(b)) && program.loops[k].depth > depth) {
        depth = program.loops[k].depth;
        i.loop = int32_t(k);
      }
  }
}

} // namespace

void analyseControlFlow(Program &program) { Flow(program).run(); }

} // namespace attn::emulator
