//===- SurveyTest.cpp - Every spelling that the surveyed kernels use ------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Inputs/opcodes.ptx has every opcode, with its modifiers, of the sm_80 kernels
// of FlashAttention, FlashInfer, CUTLASS and Triton. Each has a test with a
// value worked out by hand; here are those that the families' tests
// (OpcodeTest, WarpTest) spell otherwise.
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include <cstring>

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

/// What `compare` says of each lane of one warp; %r2 is the lane - 16.
template <typename F> void expectTrue(const std::string &compare, F expected) {
  expectLanes(
      run("sub.s32 %r2, %tid, 16;\n" + compare + "\nselp.u32 %r1, 1, 0, %p1;"),
      [&](uint32_t l) { return expected(int(l) - 16) ? 1 : 0; });
}

TEST(Survey, Comparisons) {
  expectTrue("setp.gt.s32 %p1, %r2, -3;", [](int x) { return x > -3; });
  expectTrue("setp.ge.s32 %p1, %r2, -3;", [](int x) { return x >= -3; });
  expectTrue("setp.le.s32 %p1, %r2, -3;", [](int x) { return x <= -3; });
  expectTrue("setp.eq.s32 %p1, %r2, -3;", [](int x) { return x == -3; });
  expectTrue("setp.ne.s32 %p1, %r2, -3;", [](int x) { return x != -3; });
  expectTrue("setp.eq.b32 %p1, %r2, 4;", [](int x) { return x == 4; });
  // Negative numbers are large ones.
  expectTrue("setp.le.u32 %p1, %r2, 5;",
             [](int x) { return x >= 0 && x <= 5; });
  expectTrue("cvt.s64.s32 %rd1, %r2;\nsetp.eq.s64 %p1, %rd1, -7;",
             [](int x) { return x == -7; });
  expectTrue("cvt.u16.u32 %h1, %r2;\nsetp.ne.s16 %p1, %h1, -1;",
             [](int x) { return x != -1; });
  // Unequal or unordered; a subnormal is 0.
  expectTrue("cvt.rn.f32.s32 %f1, %r2;\nsetp.neu.ftz.f32 %p1, %f1, 0f00000001;",
             [](int x) { return x != 0; });
  expectTrue("setp.neu.ftz.f32 %p1, 0f7FC00000, 0f7FC00000;",
             [](int) { return true; });
}

/// Words of a buffer that holds 1000 + i, at `bytes` beyond 16 per lane.
std::string laneOf(const char *pointer, unsigned stride) {
  return "mad.wide.u32 %rd1, %tid, " + std::to_string(stride) + ", " + pointer +
         ";\n";
}

TEST(Survey, GlobalLoads) {
  expectLanes(run(laneOf("%in", 4) + "ld.global.b32 %r1, [%rd1+4];"),
              [](uint32_t l) { return 1001 + l; });
  expectLanes(run(laneOf("%in", 4) + "ld.global.f32 %f1, [%rd1];\n"
                                     "mov.b32 %r1, %f1;"),
              [](uint32_t l) { return 1000 + l; });
  expectLanes(run(laneOf("%in", 8) + "ld.global.v2.b32 {%r2, %r3}, [%rd1];\n"
                                     "sub.u32 %r1, %r3, %r2;\n"
                                     "mad.lo.u32 %r1, %r1, 5000, %r2;"),
              [](uint32_t l) { return 5000 + 1000 + 2 * l; });
  expectLanes(run(laneOf("%in", 16) +
                  "ld.global.v4.b32 {%r2, %r3, %r4, %r1}, [%rd1];\n"
                  "sub.u32 %r1, %r1, %r2;\nmad.lo.u32 %r1, %r1, 10000, %r4;"),
              [](uint32_t l) { return 3 * 10000 + 1000 + 4 * l + 2; });
  expectLanes(run("cvta.to.global.u64 %rd2, %in;\n" + laneOf("%rd2", 4) +
                  "ld.global.b32 %r1, [%rd1];"),
              [](uint32_t l) { return 1000 + l; });
}

TEST(Survey, GlobalStores) {
  std::string store = "add.u32 %r2, %tid, 1;\nadd.u32 %r3, %tid, 2;\n";
  for (const char *four : {"st.global.v4.b32", "st.global.v4.u32"})
    expectLanes(run(store + laneOf("%in", 16) + four +
                    " [%rd1], {%tid, %r2, %r3, %tid};\n"
                    "ld.global.b32 %r4, [%rd1+8];\n"
                    "ld.global.b32 %r5, [%rd1+4];\n"
                    "mad.lo.u32 %r1, %r5, 100, %r4;"),
                [](uint32_t l) { return 100 * (l + 1) + l + 2; });
  expectLanes(run(laneOf("%in", 16) + "cvt.u64.u32 %rd2, %tid;\n"
                                      "shl.b64 %rd3, %rd2, 33;\n"
                                      "st.global.v2.u64 [%rd1], {%rd2, %rd3};\n"
                                      "ld.global.b32 %r1, [%rd1+12];"),
              [](uint32_t l) { return 2 * l; });
  expectLanes(run(laneOf("%in", 4) + "st.global.b32 [%rd1], %tid;\n"
                                     "ld.global.b32 %r1, [%rd1];"),
              [](uint32_t l) { return l; });
  expectLanes(run(laneOf("%in", 4) +
                  "mov.b32 %f1, %tid;\nst.global.f32 [%rd1], %f1;\n"
                  "ld.global.b32 %r1, [%rd1];"),
              [](uint32_t l) { return l; });
  // 32 additions of 0.5 to the bits of a float.
  expectLanes(run("mov.b32 %r2, 0;\nsetp.eq.u32 %p1, %tid, 0;\n"
                  "@%p1 st.global.b32 [%in], %r2;\nbar.warp.sync -1;\n"
                  "atom.global.add.f32 %f1, [%in], 0f3F000000;\n"
                  "bar.warp.sync -1;\nld.volatile.global.b32 %r1, [%in];"),
              [](uint32_t) { return 0x41800000; }); // 16
}

/// Lane l's 16 bytes of shared memory.
const std::string fillShared =
    "mov.u32 %r9, s;\nmad.lo.u32 %r9, %tid, 16, %r9;\n"
    "mul.lo.u32 %r10, %tid, 4;\nadd.u32 %r11, %r10, 1;\n"
    "add.u32 %r12, %r10, 2;\nadd.u32 %r13, %r10, 3;\n"
    "st.shared.v4.b32 [%r9], {%r10, %r11, %r12, %r13};\n";

TEST(Survey, SharedMemory) {
  expectLanes(run(fillShared + "ld.shared.b32 %r1, [%r9+12];"),
              [](uint32_t l) { return 4 * l + 3; });
  expectLanes(run(fillShared + "ld.shared.v2.b32 {%r2, %r3}, [%r9+8];\n"
                               "mad.lo.u32 %r1, %r3, 1000, %r2;"),
              [](uint32_t l) { return 1000 * (4 * l + 3) + 4 * l + 2; });
  expectLanes(run(fillShared + "ld.shared.v2.u64 {%rd1, %rd2}, [%r9];\n"
                               "shr.u64 %rd2, %rd2, 32;\n"
                               "cvt.u32.u64 %r1, %rd2;"),
              [](uint32_t l) { return 4 * l + 3; });
  expectLanes(run(fillShared + "ld.shared.v2.b16 {%h1, %h2}, [%r9+4];\n"
                               "mov.b16 %h3, %h1;\nmov.b32 %r1, {%h2, %h3};"),
              [](uint32_t l) { return (4 * l + 1) << 16; });
  expectLanes(run(fillShared + "st.shared.v2.b32 [%r9], {%r13, %r12};\n"
                               "ld.shared.b32 %r1, [%r9+4];"),
              [](uint32_t l) { return 4 * l + 2; });
  expectLanes(run("mov.u32 %r9, s;\nmad.lo.u32 %r9, %tid, 16, %r9;\n" +
                  laneOf("%in", 16) +
                  "cp.async.cg.shared.global.L2::128B [%r9], [%rd1], 16;\n"
                  "cp.async.commit_group;\ncp.async.wait_group 0;\n"
                  "ld.shared.b32 %r1, [%r9+8];"),
              [](uint32_t l) { return 1000 + 4 * l + 2; });
}

/// Rows of 8 halves, half number 8 row + column; matrix i has rows 8 i to 8 i +
/// 7. The register of matrix 2, with the element of the lower half first.
TEST(Survey, MatrixLoads) {
  std::string halves = "mov.u32 %r9, s;\nmad.lo.u32 %r9, %tid, 16, %r9;\n"
                       "mul.lo.u32 %r10, %tid, 8;\n"
                       "mad.lo.u32 %r10, %r10, 65537, 65536;\n"
                       "add.u32 %r11, %r10, 131074;\n"
                       "add.u32 %r12, %r11, 131074;\n"
                       "add.u32 %r13, %r12, 131074;\n"
                       "st.shared.v4.b32 [%r9], {%r10, %r11, %r12, %r13};\n"
                       "bar.warp.sync -1;\n";
  auto load = [&](const char *spelling) {
    return run(halves + spelling + " {%r2, %r3, %r1, %r4}, [%r9];");
  };
  expectLanes(load("ldmatrix.sync.aligned.x4.m8n8.shared.b16"), [](uint32_t l) {
    uint32_t first = 8 * (16 + l / 4) + 2 * (l % 4);
    return (first + 1) << 16 | first;
  });
  for (const char *spelling :
       {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "ldmatrix.sync.aligned.trans.m8n8.x4.shared.b16"})
    expectLanes(load(spelling), [](uint32_t l) {
      uint32_t first = 8 * (16 + 2 * (l % 4)) + l / 4;
      return (first + 8) << 16 | first;
    });
}

TEST(Survey, NarrowAndSmallCopies) {
  std::string copy = "mov.u32 %r9, s;\nmad.lo.u32 %r9, %tid, 4, %r9;\n" +
                     laneOf("%in", 4) +
                     "cp.async.ca.shared.global [%r9], [%rd1], 4;\n"
                     "cp.async.wait_all;\n";
  expectLanes(run(copy + "ld.shared.b32 %r1, [%r9];"),
              [](uint32_t l) { return 1000 + l; });
  expectLanes(run(copy + "cvt.u16.u32 %h1, %tid;\nst.shared.b16 [%r9+2], %h1;\n"
                         "ld.shared.b32 %r1, [%r9];"),
              [](uint32_t l) { return l << 16 | (1000 + l); });
}

TEST(Survey, Parameters) {
  Device d(std::string(header) +
           ".visible .entry k(.param .b64 out, .param .f32 f, .param .s32 i, "
           ".param .align 4 .b8 bytes[4], .param .u32 u, .param .b32 w)\n{\n"
           ".reg .b64 %out;\n.reg .b32 %a, %b;\n.reg .f32 %f;\n"
           ".reg .b16 %h<4>;\n"
           "ld.param.b64 %out, [out];\nld.param.f32 %f, [f];\n"
           "ld.param.s32 %a, [i];\nld.param.u8 %h1, [bytes+1];\n"
           "ld.param.v2.u8 {%h2, %h3}, [bytes+2];\n"
           "st.global.f32 [%out], %f;\nst.global.b32 [%out+4], %a;\n"
           "cvt.u32.u16 %b, %h1;\nst.global.b32 [%out+8], %b;\n"
           "cvt.u32.u16 %b, %h2;\nst.global.b32 [%out+12], %b;\n"
           "cvt.u32.u16 %b, %h3;\nst.global.b32 [%out+16], %b;\n"
           "ld.param.u32 %a, [u];\nld.param.b32 %b, [w];\n"
           "st.global.b32 [%out+20], %a;\nst.global.b32 [%out+24], %b;\n"
           "ret;\n}\n");
  uint64_t out = d.space<uint32_t>(7, "out");
  d.run("k", {1}, {1}, 0, out, 1.0f, -5, uint32_t(0xf4030201), 6u, ~0u);
  EXPECT_EQ(
      d.download<uint32_t>(out, 7),
      (std::vector<uint32_t>{0x3f800000, uint32_t(-5), 2, 3, 0xf4, 6, ~0u}));
}

TEST(Survey, BranchesByIndex) {
  std::string table = "rem.u32 %r2, %tid, 3;\nmov.u32 %r1, 0;\n"
                      "T: .branchtargets A, B, C;\n";
  std::string targets = "A: add.u32 %r1, %r1, 10;\nbra.uni E;\n"
                        "B: add.u32 %r1, %r1, 20;\nbra.uni E;\n"
                        "C: add.u32 %r1, %r1, 40;\n"
                        "E: add.u32 %r1, %r1, %r2;";
  expectLanes(run(table + "brx.idx %r2, T;\n" + targets), [](uint32_t l) {
    return (l % 3 == 0 ? 10 : l % 3 == 1 ? 20 : 40) + l % 3;
  });
  // Where the guard is off, the next statement follows.
  expectLanes(run(table +
                  "setp.gt.u32 %p1, %tid, 15;\n"
                  "@!%p1 brx.idx %r2, T;\nadd.u32 %r1, %r1, 500;\n" +
                  targets),
              [](uint32_t l) {
                if (l > 15)
                  return 510 + l % 3;
                return (l % 3 == 0 ? 10 : l % 3 == 1 ? 20 : 40) + l % 3;
              });
  // It is one instruction, and beyond its table a fault.
  Device d(kernel(table + "brx.idx %r2, T;\n" + targets));
  Device beyond(kernel(table + "brx.idx %tid, T;\n" + targets));
  for (Device *device : {&d, &beyond}) {
    uint64_t in = device->space<uint32_t>(1, "in");
    uint64_t out = device->space<uint32_t>(32, "out");
    if (device == &d) {
      auto result = device->run("k", {1}, {32}, 0, in, out);
      // brx, two bra.uni and ret.
      EXPECT_EQ(result.instructions[unsigned(InstructionClass::Control)], 4u);
      continue;
    }
    auto faults = device->faults("k", {1}, {32}, 0, in, out);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].fault, Fault::Trap);
    EXPECT_EQ(faults[0].thread.x, 3u);
    EXPECT_NE(faults[0].text.find("brx.idx"), std::string::npos);
  }
}

/// Every statement of opcodes.ptx, by its opcode, stands in one of the tests
/// with hand-computed values.
TEST(Survey, EveryOpcodeHasAValue) {
  std::string tests;
  for (const char *file : {"OpcodeTest.cpp", "WarpTest.cpp", "SurveyTest.cpp"})
    tests += readInput((llvm::Twine("../") + file).str());
  std::string text = readInput("opcodes.ptx");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    llvm::StringRef opcode = line.trim().split(' ').first.rtrim(';');
    if (!opcode.contains('.') || opcode.starts_with(".") ||
        opcode.starts_with("//") || !line.contains(';'))
      continue;
    EXPECT_NE(tests.find(opcode), std::string::npos) << opcode.str();
  }
}

} // namespace
