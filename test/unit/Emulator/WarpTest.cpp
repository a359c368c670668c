//===- WarpTest.cpp - What lanes do together, and memory ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Bodies (Bodies.h) whose results the test knows by the definition in the PTX
// ISA.
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include <cstring>

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

TEST(Warp, EveryOpcodeOfTheSurveyedKernelsIsKnown) {
  auto module = Module::parse(readInput("opcodes.ptx"), "opcodes.ptx");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  auto program = (*module)->program("opcodes");
  EXPECT_TRUE(bool(program)) << llvm::toString(program.takeError());
}

TEST(Warp, Shuffles) {
  expectLanes(run("shfl.sync.bfly.b32 %r1, %tid, 5, 31, -1;"),
              [](uint32_t l) { return l ^ 5; });
  expectLanes(run("shfl.sync.up.b32 %r1, %tid, 3, 0, -1;"),
              [](uint32_t l) { return l < 3 ? l : l - 3; });
  expectLanes(run("shfl.sync.down.b32 %r1, %tid, 3, 31, -1;"),
              [](uint32_t l) { return l > 28 ? l : l + 3; });
  expectLanes(run("shfl.sync.idx.b32 %r1, %tid, 9, 31, -1;"),
              [](uint32_t) { return 9; });
  // Segments of 8 lanes: c = (32 - 8) << 8 | 7.
  expectLanes(run("shfl.sync.idx.b32 %r1, %tid, 2, 0x1807, -1;"),
              [](uint32_t l) { return l / 8 * 8 + 2; });
  expectLanes(run("shfl.sync.down.b32 %r2|%p1, %tid, 1, 0x1807, -1;\n"
                  "selp.u32 %r1, %r2, 99, %p1;"),
              [](uint32_t l) { return l % 8 == 7 ? 99 : l + 1; });
}

TEST(Warp, VotesMatchesAndReductions) {
  std::string odd = "and.b32 %r2, %tid, 1;\nsetp.eq.u32 %p1, %r2, 1;\n";
  expectLanes(run(odd + "vote.sync.ballot.b32 %r1, %p1, -1;"),
              [](uint32_t) { return 0xaaaaaaaa; });
  expectLanes(run(odd + "vote.sync.any.pred %p2, %p1, -1;\n"
                        "vote.sync.all.pred %p3, %p1, -1;\n"
                        "vote.sync.uni.pred %p4, !%p1, -1;\n"
                        "selp.u32 %r1, 1, 0, %p2;\n@%p3 add.u32 %r1, %r1, 2;\n"
                        "@%p4 add.u32 %r1, %r1, 4;"),
              [](uint32_t) { return 1; });
  expectLanes(run("shr.u32 %r2, %tid, 2;\n"
                  "match.any.sync.b32 %r1, %r2, -1;"),
              [](uint32_t l) { return 0xfu << (l / 4 * 4); });
  expectLanes(run("redux.sync.add.s32 %r1, %tid, -1;"),
              [](uint32_t) { return 31 * 16; });
  expectLanes(run("sub.s32 %r2, %tid, 16;\nredux.sync.min.s32 %r1, %r2, -1;"),
              [](uint32_t) { return -16; });
  expectLanes(run("sub.s32 %r2, %tid, 16;\nredux.sync.min.u32 %r1, %r2, -1;"),
              [](uint32_t) { return 0; });
  expectLanes(run("redux.sync.xor.b32 %r1, %tid, -1;"),
              [](uint32_t) { return 0; });
  expectLanes(run("activemask.b32 %r1;", 20), [](uint32_t) { return 0xfffff; });
}

TEST(Warp, SpecialRegisters) {
  expectLanes(run("mov.u32 %r1, %laneid;\nmov.u32 %r2, %warpid;\n"
                  "mad.lo.u32 %r1, %r2, 100, %r1;\n"
                  "mov.u32 %r3, %ntid.x;\nadd.u32 %r1, %r1, %r3;",
                  64),
              [](uint32_t t) { return t / 32 * 100 + t % 32 + 64; });
  expectLanes(run("mov.u32 %r1, %lanemask_lt;\nmov.u32 %r2, %lanemask_ge;\n"
                  "xor.b32 %r1, %r1, %r2;"),
              [](uint32_t) { return ~0u; });
  expectLanes(run("mov.u32 %r2, %clock;\nmov.u32 %r3, %clock;\n"
                  "setp.gt.u32 %p1, %r3, %r2;\nselp.u32 %r1, 1, 0, %p1;"),
              [](uint32_t) { return 1; });
}

TEST(Warp, LoadsOfAllWidths) {
  // Word i is 1000 + i; word 0 holds the bytes e8 03 00 00.
  expectLanes(run("ld.global.u8 %r1, [%in];"), [](uint32_t) { return 0xe8; });
  expectLanes(run("ld.global.s8 %r1, [%in];"),
              [](uint32_t) { return 0xffffffe8; });
  expectLanes(run("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r2, %r3, _, "
                  "%r1}, [%in+16];"),
              [](uint32_t) { return 1007; });
  expectLanes(run("ld.global.v2.u64 {%rd1, %rd2}, [%in+16];\n"
                  "shr.u64 %rd2, %rd2, 32;\ncvt.u32.u64 %r1, %rd2;"),
              [](uint32_t) { return 1007; });
  expectLanes(run("ld.global.u32 %rd1, [%in];\ncvt.u32.u64 %r1, %rd1;"),
              [](uint32_t) { return 1000; });
  expectLanes(run("ld.global.v4.b16 {%h1, %h2, %h3, %h4}, [%in];\n"
                  "mov.b32 %r1, {%h1, %h3};"),
              [](uint32_t) { return 1001u << 16 | 1000; });
  // Generic addresses of shared memory; narrow stores.
  expectLanes(run("cvt.u64.u32 %rd1, %tid;\nshl.b64 %rd1, %rd1, 2;\n"
                  "mov.u64 %rd2, s;\nadd.s64 %rd1, %rd1, %rd2;\n"
                  "cvta.shared.u64 %rd1, %rd1;\nst.u32 [%rd1], -1;\n"
                  "st.u8 [%rd1+1], %tid;\nld.u32 %r1, [%rd1];"),
              [](uint32_t l) { return 0xffff00ff | l << 8; });
  expectLanes(run("mov.b32 %r2, {%h1, %h1};\nld.param.v2.u32 {%r2, %r3}, "
                  "[in];\nld.param.u64 %rd1, [in];\ncvt.u32.u64 %r4, %rd1;\n"
                  "sub.u32 %r1, %r2, %r4;"),
              [](uint32_t) { return 0; });
}

TEST(Warp, MatrixLoads) {
  // s[r] is row r of 8 halves: half (r, c) = 16 r + c, for 32 rows.
  std::string fill = R"(
    mov.u32 %r2, s;
    mad.lo.u32 %r2, %tid, 16, %r2;
    shl.b32 %r3, %tid, 4;
    mad.lo.u32 %r4, %r3, 65537, 65536;
    add.u32 %r5, %r4, 131074;
    add.u32 %r6, %r5, 131074;
    add.u32 %r7, %r6, 131074;
    st.shared.v4.u32 [%r2], {%r4, %r5, %r6, %r7};
    bar.sync 0;
  )";
  auto half = [](uint32_t row, uint32_t col) { return 16 * row + col; };
  for (uint32_t m = 0; m != 4; ++m) {
    std::string pick = "mov.u32 %r1, %r1" + std::to_string(m) + ";\n";
    std::string regs = "{%r10, %r11, %r12, %r13}, [%r2];\n";
    expectLanes(
        run(fill + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 " + regs + pick),
        [&](uint32_t l) {
          uint32_t row = 8 * m + l / 4, col = 2 * (l % 4);
          return half(row, col + 1) << 16 | half(row, col);
        });
    expectLanes(run(fill + "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 " +
                    regs + pick),
                [&](uint32_t l) {
                  uint32_t row = 8 * m + 2 * (l % 4), col = l / 4;
                  return half(row + 1, col) << 16 | half(row, col);
                });
  }
  // Only the first eight lanes' addresses count.
  expectLanes(run(fill + "setp.ge.u32 %p1, %tid, 8;\n@%p1 mov.u32 %r2, -1;\n"
                         "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, "
                         "[%r2];"),
              [&](uint32_t l) {
                return half(l / 4, 2 * (l % 4) + 1) << 16 |
                       half(l / 4, 2 * (l % 4));
              });
  // stmatrix is the inverse.
  expectLanes(run(fill + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r10, "
                         "%r11}, [%r2];\nbar.sync 0;\n"
                         "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
                         "[%r2+512], {%r10, %r11};\nbar.sync 0;\n"
                         "setp.lt.u32 %p1, %tid, 16;\nmov.u32 %r1, 0;\n"
                         "@%p1 ld.shared.u32 %r1, [%r2+512];"),
              [&](uint32_t l) {
                // Row l of the transposed matrix is column l % 8.
                uint32_t m = l / 8 * 8;
                return l < 16 ? half(m + 1, l % 8) << 16 | half(m, l % 8) : 0;
              });
}

TEST(Warp, AsyncCopyFillsWithZeros) {
  auto in = words(512, [](uint32_t i) { return i + 1; });
  std::string body = R"(
    mov.u32 %r2, s;
    mad.lo.u32 %r2, %tid, 16, %r2;
    mad.wide.u32 %rd1, %tid, 16, %in;
    and.b32 %r3, %tid, 15;
    min.u32 %r3, %r3, 16;
    setp.ge.u32 %p1, %tid, 16;
    @%p1 mov.u64 %rd1, 0;
    @%p1 mov.u32 %r3, 0;
    cp.async.cg.shared.global [%r2], [%rd1], 16, %r3;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
    add.u32 %r4, %r4, %r5;
    add.u32 %r6, %r6, %r7;
    add.u32 %r1, %r4, %r6;
  )";
  // Thread t copies the first t bytes of its four words; their values fit in
  // the low byte of each.
  expectLanes(run(body, 32, in), [](uint32_t t) {
    uint32_t sum = 0;
    for (uint32_t b = 0; t < 16 && b < t; b += 4)
      sum += 4 * t + b / 4 + 1;
    return sum;
  });
}

TEST(Warp, Atomics) {
  auto in = std::vector<uint32_t>(64, 5);
  // Lanes act in order: the old value counts the lanes before.
  expectLanes(run("atom.global.add.u32 %r1, [%in], 1;", 64, in),
              [](uint32_t t) { return 5 + t; });
  expectLanes(run("red.global.max.u32 [%in+4], %tid;\nbar.sync 0;\n"
                  "ld.global.u32 %r1, [%in+4];",
                  64, in),
              [](uint32_t) { return 63; });
  expectLanes(run("atom.global.cas.b32 %r1, [%in], 5, %tid;", 32, in),
              [](uint32_t t) { return t ? 0 : 5; });
  expectLanes(run("atom.global.exch.b32 %r1, [%in], %tid;", 32, in),
              [](uint32_t t) { return t ? t - 1 : 5; });
  expectLanes(run("atom.global.inc.u32 %r1, [%in], 6;", 32, in),
              [](uint32_t t) { return t < 2 ? 5 + t : (t - 2) % 7; });
  expectLanes(run("mov.u32 %r2, s;\nst.shared.f32 [%r2], 0f3F000000;\n"
                  "bar.warp.sync -1;\nred.shared.add.f32 [%r2], 0f3F800000;\n"
                  "bar.warp.sync -1;\nld.shared.u32 %r1, [%r2];"),
              [](uint32_t) { return 0x42020000; }); // 32.5
  // Packed halves: 1 + 1, 2 + 2.
  expectLanes(run("st.global.u32 [%in], 0x40003c00;\n"
                  "atom.global.add.noftz.f16x2 %r2, [%in], 0x40003c00;\n"
                  "ld.global.u32 %r1, [%in];",
                  1, in),
              [](uint32_t) { return 0x44004000; });
}

TEST(Warp, BarrierReductions) {
  std::string low = "setp.lt.u32 %p1, %tid, 40;\n";
  expectLanes(run(low + "barrier.sync 0;\nbar.red.popc.u32 %r1, 0, %p1;", 96),
              [](uint32_t) { return 40; });
  expectLanes(run(low + "bar.red.and.pred %p2, 1, 96, %p1;\n"
                        "bar.red.or.pred %p3, 1, 96, %p1;\n"
                        "selp.u32 %r1, 1, 0, %p2;\n@%p3 add.u32 %r1, %r1, 2;",
                  96),
              [](uint32_t) { return 2; });
}

/// D = A B with A (row, k) = row + k / 64 and B (k, col) = k == col: D = A.
TEST(Warp, MmaLayouts) {
  std::string body = R"(
    .reg .b32 %g, %t, %ge, %te;
    shr.u32 %g, %tid, 2;
    and.b32 %t, %tid, 3;
    shl.b32 %te, %t, 1;
    // A registers: rows g, g + 8; k 2t, 2t + 1 and 8 further.
    cvt.rn.f32.u32 %f1, %g;
    cvt.rn.f32.u32 %f2, %te;
    fma.rn.f32 %f3, %f2, 0f3C800000, %f1;
    add.f32 %f4, %f3, 0f3C800000;
    cvt.rn.f16x2.f32 %r10, %f4, %f3;
    add.f32 %f5, %f3, 0f41000000;
    add.f32 %f6, %f4, 0f41000000;
    cvt.rn.f16x2.f32 %r11, %f6, %f5;
    add.f32 %f3, %f3, 0f3E000000;
    add.f32 %f4, %f4, 0f3E000000;
    cvt.rn.f16x2.f32 %r12, %f4, %f3;
    add.f32 %f5, %f3, 0f41000000;
    add.f32 %f6, %f4, 0f41000000;
    cvt.rn.f16x2.f32 %r13, %f6, %f5;
    // B registers: k 2t, 2t + 1 (+ 8); column g. One where k is the column.
    add.u32 %ge, %te, 1;
    setp.eq.u32 %p1, %te, %g;
    setp.eq.u32 %p2, %ge, %g;
    selp.u32 %r14, 0x3c00, 0, %p1;
    selp.u32 %r15, 0x3c000000, 0, %p2;
    or.b32 %r14, %r14, %r15;
    mov.u32 %r16, 0;
    SWAP
    mov.f32 %f7, 0f3F000000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
      {%r20, %r21, %r22, %r23}, {%r10, %r11, %r12, %r13}, {%r14, %r16},
      {%f7, %f7, %f7, %f7};
  )";
  auto replace = [](std::string s, std::string key, std::string by) {
    return s.replace(s.find(key), key.size(), by);
  };
  for (bool upperK : {false, true}) {
    std::string text = replace(
        body, "SWAP", upperK ? "mov.u32 %r16, %r14; mov.u32 %r14, 0;" : "");
    for (unsigned r = 0; r != 4; ++r)
      expectLanes(run(text + "mov.u32 %r1, %r2" + std::to_string(r) + ";"),
                  [&](uint32_t l) {
                    uint32_t row = l / 4 + 8 * (r / 2);
                    uint32_t k = 2 * (l % 4) + r % 2 + (upperK ? 8 : 0);
                    float v = float(row) + float(k) / 64 + 0.5f;
                    uint32_t bits;
                    std::memcpy(&bits, &v, 4);
                    return bits;
                  });
  }
}

TEST(Warp, MmaOtherTypes) {
  // All elements equal: every sum is K times the product, plus C.
  auto uniform = [](const char *op, unsigned nA, unsigned nB, unsigned nC,
                    uint32_t a, uint32_t b, uint32_t c) {
    std::string s = "mov.u32 %r2, " + std::to_string(a) + ";\nmov.u32 %r3, " +
                    std::to_string(b) + ";\nmov.u32 %r4, " + std::to_string(c) +
                    ";\n" + op + " {%r1";
    for (unsigned k = 1; k != nC; ++k)
      s += ", %r1" + std::to_string(k);
    auto list = [&](const char *r, unsigned n) {
      s += "}, {";
      for (unsigned k = 0; k != n; ++k)
        s += std::string(k ? ", " : "") + r;
    };
    list("%r2", nA);
    list("%r3", nB);
    list("%r4", nC);
    return run(s + "};\n")[7];
  };
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2,
                    4, 0x40004000, 0x3f803f80, 0x3f800000),
            0x42040000u); // 33
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1,
                    4, 0x40004000, 0x3f803f80, 0x3f800000),
            0x41880000u); // 17
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4,
                    0x40004000, 0x3c003c00, 0),
            0x41800000u); // 16
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2,
                    4, 0x40000fff, 0x3f800000, 0),
            0x41800000u); // low bits of tf32 do not count
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1,
                    4, 0x40000000, 0x3f800000, 0),
            0x41000000u); // 8
  EXPECT_EQ(uniform("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2,
                    2, 0x40004000, 0x3c003c00, 0x3c003c00),
            0x50205020u); // 33
}

TEST(Warp, BankConflictsAreCounted) {
  // Stride of s words between lanes: gcd(s, 32) passes each way.
  for (uint32_t stride : {1u, 2u, 3u, 4u, 16u}) {
    std::string body = "mov.u32 %r2, s;\nmad.lo.u32 %r2, %tid, " +
                       std::to_string(4 * stride) +
                       ", %r2;\nst.shared.u32 [%r2], 1;\n"
                       "ld.shared.u32 %r1, [%r2];\nbar.sync 0;\n"
                       "ld.shared.u32 %r1, [s];";
    Device d(kernel(body));
    uint64_t in = d.space<uint32_t>(1), out = d.space<uint32_t>(32);
    LaunchResult r = d.run("k", {1}, {32}, 0, in, out);
    uint32_t passes = stride == 3 ? 1 : stride;
    // The last load reads one word: a broadcast.
    EXPECT_EQ(r.shared.wavefronts, 2 * passes + 1) << stride;
    EXPECT_EQ(r.shared.conflicts, 2 * (passes - 1)) << stride;
  }
}

} // namespace
