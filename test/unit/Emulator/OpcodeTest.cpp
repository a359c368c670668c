//===- OpcodeTest.cpp - Every opcode family against known values ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// One instruction in a kernel of one warp; operands come from memory. Expected
// values are worked out by hand from the PTX ISA.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

/// Operand registers are %a, %b, %c, %e of the width given by 'h' (16 bits),
/// 'r' (32), 'd' (64) or 'p' (predicate); the first letter is that of %d.
uint64_t eval(llvm::StringRef instruction, llvm::StringRef kinds,
              std::vector<uint64_t> operands) {
  const char *names[] = {"%d", "%a", "%b", "%c", "%e"};
  auto width = [](char k) { return k == 'h' ? "16" : k == 'd' ? "64" : "32"; };
  std::string s = std::string(header) +
                  ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                  ".reg .b64 %in, %out;\n.reg .b32 %t;\n"
                  "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n";
  for (size_t k = 0; k != kinds.size(); ++k) {
    std::string name = names[k];
    if (kinds[k] == 'p') {
      s += ".reg .pred " + name + ";\n";
      if (k)
        s += "ld.global.u32 %t, [%in+" + llvm::utostr(8 * (k - 1)) +
             "];\nsetp.ne.u32 " + name + ", %t, 0;\n";
      continue;
    }
    s += std::string(".reg .b") + width(kinds[k]) + " " + name + ";\n";
    if (k)
      s += std::string("ld.global.b") + width(kinds[k]) + " " + name +
           ", [%in+" + llvm::utostr(8 * (k - 1)) + "];\n";
  }
  s += instruction.str() + "\n";
  if (kinds[0] == 'p')
    s += "selp.u32 %t, 1, 0, %d;\nst.global.u32 [%out], %t;\n";
  else
    s += std::string("st.global.b") + width(kinds[0]) + " [%out], %d;\n";
  s += "ret;\n}\n";
  Device d(s);
  uint64_t in = d.upload(operands, "in");
  uint64_t out = d.upload(std::vector<uint64_t>{0}, "out");
  d.options.threads = 1;
  // All lanes write the same word.
  d.run("k", {1}, {32}, 0, in, out);
  return d.download<uint64_t>(out, 1)[0];
}

uint64_t bits(float f) {
  uint32_t b;
  std::memcpy(&b, &f, 4);
  return b;
}
uint64_t bits(double f) {
  uint64_t b;
  std::memcpy(&b, &f, 8);
  return b;
}

struct Case {
  const char *instruction, *kinds;
  std::vector<uint64_t> operands;
  uint64_t expected;
};

void check(const std::vector<Case> &cases) {
  for (const Case &c : cases)
    EXPECT_EQ(eval(c.instruction, c.kinds, c.operands), c.expected)
        << c.instruction << " got 0x" << std::hex
        << eval(c.instruction, c.kinds, c.operands) << " expected 0x"
        << c.expected;
}

constexpr uint64_t m1 = 0xffffffff; // -1 in 32 bits

TEST(Opcode, Integer) {
  check({
      {"add.s32 %d, %a, %b;", "rrr", {7, m1}, 6},
      {"add.sat.s32 %d, %a, %b;", "rrr", {0x7fffffff, 1}, 0x7fffffff},
      {"sub.sat.s32 %d, %a, %b;", "rrr", {0x80000000, 1}, 0x80000000},
      {"add.u16 %d, %a, %b;", "hhh", {0xffff, 2}, 1},
      {"sub.s64 %d, %a, %b;", "ddd", {5, 7}, ~uint64_t(1)},
      {"mul.lo.s32 %d, %a, %b;", "rrr", {0x10001, 0x10001}, 0x20001},
      {"mul.hi.u32 %d, %a, %b;", "rrr", {0x80000000, 6}, 3},
      {"mul.hi.s32 %d, %a, %b;", "rrr", {0x80000000, 6}, 0xfffffffd},
      {"mul.hi.u64 %d, %a, %b;", "ddd", {uint64_t(1) << 63, 6}, 3},
      {"mul.hi.s64 %d, %a, %b;", "ddd", {uint64_t(1) << 63, 6}, ~uint64_t(2)},
      {"mul.wide.u32 %d, %a, %b;", "drr", {m1, m1}, 0xfffffffe00000001},
      {"mul.wide.s32 %d, %a, %b;", "drr", {m1, 5}, ~uint64_t(4)},
      {"mul.wide.u16 %d, %a, %b;", "rhh", {0xffff, 0xffff}, 0xfffe0001},
      {"mul.wide.s16 %d, %a, %b;", "rhh", {0xffff, 3}, 0xfffffffd},
      {"mul.lo.s64 %d, %a, %b;",
       "ddd",
       {uint64_t(1) << 33, 3},
       uint64_t(3) << 33},
      {"mad.lo.s32 %d, %a, %b, %c;", "rrrr", {3, 4, m1}, 11},
      {"mad.hi.u32 %d, %a, %b, %c;", "rrrr", {0x80000000, 4, 5}, 7},
      {"mad.wide.s32 %d, %a, %b, %c;", "drrd", {m1, 2, 10}, 8},
      {"mad.wide.u32 %d, %a, %b, %c;", "drrd", {m1, 2, 10}, 0x200000008},
      {"mul24.lo.u32 %d, %a, %b;", "rrr", {0xff000002, 3}, 6},
      {"div.s32 %d, %a, %b;", "rrr", {0xfffffff9, 2}, 0xfffffffd},
      {"div.u32 %d, %a, %b;", "rrr", {0xfffffff9, 2}, 0x7ffffffc},
      {"rem.s32 %d, %a, %b;", "rrr", {0xfffffff9, 2}, m1},
      {"rem.u64 %d, %a, %b;", "ddd", {100, 7}, 2},
      {"min.s32 %d, %a, %b;", "rrr", {m1, 1}, m1},
      {"min.u32 %d, %a, %b;", "rrr", {m1, 1}, 1},
      {"max.s32 %d, %a, %b;", "rrr", {m1, 1}, 1},
      {"max.u32 %d, %a, %b;", "rrr", {m1, 1}, m1},
      {"neg.s32 %d, %a;", "rr", {5}, 0xfffffffb},
      {"abs.s32 %d, %a;", "rr", {0xfffffffb}, 5},
      {"sad.u32 %d, %a, %b, %c;", "rrrr", {3, 10, 100}, 107},
      {"popc.b32 %d, %a;", "rr", {0xf0f}, 8},
      {"popc.b64 %d, %a;", "rd", {~uint64_t(0)}, 64},
      {"clz.b32 %d, %a;", "rr", {0x00010000}, 15},
      {"clz.b64 %d, %a;", "rd", {0}, 64},
      {"brev.b32 %d, %a;", "rr", {0x80000001}, 0x80000001},
      {"bfind.u32 %d, %a;", "rr", {0x00010000}, 16},
      {"bfind.s32 %d, %a;", "rr", {0xffffff00}, 7},
      {"bfind.shiftamt.u32 %d, %a;", "rr", {0x00010000}, 15},
      {"bfind.u32 %d, %a;", "rr", {0}, m1},
  });
}

TEST(Opcode, Logic) {
  check({
      {"and.b32 %d, %a, %b;", "rrr", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
      {"or.b64 %d, %a, %b;",
       "ddd",
       {uint64_t(1) << 60, 1},
       (uint64_t(1) << 60) + 1},
      {"xor.b32 %d, %a, %b;", "rrr", {0xff, 0x0f}, 0xf0},
      {"not.b32 %d, %a;", "rr", {0xf}, 0xfffffff0},
      {"cnot.b32 %d, %a;", "rr", {0}, 1},
      {"and.pred %d, %a, %b;", "ppp", {1, 0}, 0},
      {"or.pred %d, %a, !%b;", "ppp", {0, 0}, 1},
      {"xor.pred %d, %a, %b;", "ppp", {1, 1}, 0},
      {"not.pred %d, %a;", "pp", {0}, 1},
      {"mov.pred %d, %a;", "pp", {1}, 1},
      {"shl.b32 %d, %a, %b;", "rrr", {3, 31}, 0x80000000},
      {"shl.b32 %d, %a, %b;", "rrr", {3, 32}, 0},
      {"shl.b64 %d, %a, %b;", "ddr", {3, 40}, uint64_t(3) << 40},
      {"shl.b16 %d, %a, %b;", "hhr", {0x8001, 1}, 2},
      {"shr.u32 %d, %a, %b;", "rrr", {0x80000000, 31}, 1},
      {"shr.s32 %d, %a, %b;", "rrr", {0x80000000, 40}, m1},
      {"shr.u64 %d, %a, %b;", "ddr", {uint64_t(1) << 63, 63}, 1},
      {"shr.s64 %d, %a, %b;", "ddr", {uint64_t(1) << 63, 62}, ~uint64_t(1)},
      {"bfe.u32 %d, %a, 8, 8;", "rr", {0x00abcd00}, 0xcd},
      {"bfe.s32 %d, %a, 8, 8;", "rr", {0x00abcd00}, 0xffffffcd},
      {"bfe.s32 %d, %a, 28, 8;", "rr", {0x90000000}, 0xfffffff9},
      {"bfe.u32 %d, %a, 4, 0;", "rr", {m1}, 0},
      {"bfe.u64 %d, %a, 40, 8;", "dd", {uint64_t(0xab) << 40}, 0xab},
      {"bfi.b32 %d, %a, %b, 8, 4;", "rrr", {0xff, 0}, 0xf00},
      {"bfi.b64 %d, %a, %b, 60, 8;", "ddd", {0xff, 1}, 0xf000000000000001},
      {"prmt.b32 %d, %a, %b, 0x5410;",
       "rrr",
       {0x33221100, 0x77665544},
       0x55441100},
      {"prmt.b32 %d, %a, %b, 0x7632;",
       "rrr",
       {0x33221100, 0x77665544},
       0x77663322},
      {"prmt.b32 %d, %a, %b, 0x8;", "rrr", {0x00000080, 0}, 0x808080ff},
      {"prmt.b32.f4e %d, %a, %b, 1;",
       "rrr",
       {0x33221100, 0x77665544},
       0x44332211},
      {"prmt.b32.rc16 %d, %a, %b, 1;", "rrr", {0x33221100, 0}, 0x33223322},
      {"lop3.b32 %d, %a, %b, %c, 0xe8;", "rrrr", {0xff, 0xf0, 0x3c}, 0xfc},
      {"lop3.b32 %d, %a, %b, %c, 0x96;", "rrrr", {0xff, 0xf0, 0x3c}, 0x33},
      {"shf.l.wrap.b32 %d, %a, %b, 8;",
       "rrr",
       {0xaabbccdd, 0x11223344},
       0x223344aa},
      {"shf.r.wrap.b32 %d, %a, %b, 8;",
       "rrr",
       {0xaabbccdd, 0x11223344},
       0x44aabbcc},
      {"shf.r.clamp.b32 %d, %a, %b, 99;",
       "rrr",
       {0xaabbccdd, 0x11223344},
       0x11223344},
  });
}

TEST(Opcode, Float32) {
  float tiny = 1e-40f, nan = NAN;
  uint64_t quiet = 0x7fffffff;
  check({
      {"add.f32 %d, %a, %b;", "rrr", {bits(1.5f), bits(2.25f)}, bits(3.75f)},
      {"add.f32 %d, %a, %b;", "rrr", {bits(tiny), bits(0.0f)}, bits(tiny)},
      {"add.ftz.f32 %d, %a, %b;", "rrr", {bits(tiny), bits(-0.0f)}, 0},
      {"add.rz.f32 %d, %a, %b;", "rrr", {bits(1.0f), bits(1e-10f)}, bits(1.0f)},
      {"add.rp.f32 %d, %a, %b;", "rrr", {bits(1.0f), bits(1e-10f)}, 0x3f800001},
      {"add.rm.f32 %d, %a, %b;",
       "rrr",
       {bits(1.0f), bits(-1e-10f)},
       0x3f7fffff},
      {"add.sat.f32 %d, %a, %b;", "rrr", {bits(1.0f), bits(1.0f)}, bits(1.0f)},
      {"sub.f32 %d, %a, %b;", "rrr", {bits(INFINITY), bits(INFINITY)}, quiet},
      {"sub.ftz.f32 %d, %a, %b;", "rrr", {bits(3.0f), bits(1.0f)}, bits(2.0f)},
      {"mul.f32 %d, %a, %b;", "rrr", {bits(3.0f), bits(-0.5f)}, bits(-1.5f)},
      {"mul.ftz.f32 %d, %a, %b;",
       "rrr",
       {bits(1e-30f), bits(-1e-10f)},
       bits(-0.0f)},
      // 1 + 2^-23 squared is 1 + 2^-22 + 2^-46: only a fused sum sees the tail.
      {"fma.rn.f32 %d, %a, %b, %c;",
       "rrrr",
       {0x3f800001, 0x3f800001, bits(-0x1.000004p0f)},
       bits(0x1p-46f)},
      {"fma.rn.ftz.f32 %d, %a, %b, %c;",
       "rrrr",
       {bits(2.0f), bits(3.0f), bits(1.0f)},
       bits(7.0f)},
      {"fma.rz.f32 %d, %a, %b, %c;",
       "rrrr",
       {bits(1.0f), bits(1.0f), bits(-1e-12f)},
       0x3f7fffff},
      {"div.rn.f32 %d, %a, %b;", "rrr", {bits(1.0f), bits(3.0f)}, 0x3eaaaaab},
      {"div.full.f32 %d, %a, %b;", "rrr", {bits(1.0f), bits(3.0f)}, 0x3eaaaaab},
      {"div.full.ftz.f32 %d, %a, %b;", "rrr", {bits(tiny), bits(3.0f)}, 0},
      {"div.approx.f32 %d, %a, %b;",
       "rrr",
       {bits(1.0f), bits(0.0f)},
       bits(INFINITY)},
      {"sqrt.rn.f32 %d, %a;", "rr", {bits(2.0f)}, 0x3fb504f3},
      {"sqrt.approx.ftz.f32 %d, %a;", "rr", {bits(-1.0f)}, quiet},
      {"rcp.rn.f32 %d, %a;", "rr", {bits(3.0f)}, 0x3eaaaaab},
      {"max.f32 %d, %a, %b;", "rrr", {bits(nan), bits(1.0f)}, bits(1.0f)},
      {"max.NaN.f32 %d, %a, %b;", "rrr", {bits(nan), bits(1.0f)}, quiet},
      {"max.f32 %d, %a, %b;", "rrr", {bits(-0.0f), bits(0.0f)}, bits(0.0f)},
      {"min.f32 %d, %a, %b;", "rrr", {bits(0.0f), bits(-0.0f)}, bits(-0.0f)},
      {"max.ftz.f32 %d, %a, %b;", "rrr", {bits(tiny), bits(-1.0f)}, 0},
      {"min.f32 %d, %a, %b;", "rrr", {bits(nan), bits(nan)}, quiet},
      {"neg.f32 %d, %a;", "rr", {bits(1.0f)}, bits(-1.0f)},
      {"abs.ftz.f32 %d, %a;", "rr", {bits(-tiny)}, 0},
      {"copysign.f32 %d, %a, %b;",
       "rrr",
       {bits(-1.0f), bits(2.0f)},
       bits(-2.0f)},
      {"testp.infinite.f32 %d, %a;", "pr", {bits(-INFINITY)}, 1},
      {"testp.subnormal.f32 %d, %a;", "pr", {bits(tiny)}, 1},
      {"fma.rn.f64 %d, %a, %b, %c;",
       "dddd",
       {bits(2.0), bits(3.0), bits(1.0)},
       bits(7.0)},
      {"add.f64 %d, %a, %b;", "ddd", {bits(0.1), bits(0.2)}, bits(0.1 + 0.2)},
      {"div.rn.f64 %d, %a, %b;", "ddd", {bits(1.0), bits(3.0)}, bits(1.0 / 3)},
      {"max.f64 %d, %a, %b;", "ddd", {bits(1.0), bits(3.0)}, bits(3.0)},
  });
}

TEST(Opcode, Special) {
  check({
      {"ex2.approx.ftz.f32 %d, %a;", "rr", {bits(3.0f)}, bits(8.0f)},
      {"ex2.approx.ftz.f32 %d, %a;", "rr", {bits(-INFINITY)}, 0},
      {"ex2.approx.ftz.f32 %d, %a;", "rr", {bits(0.5f)}, 0x3fb504f3},
      {"ex2.approx.ftz.f32 %d, %a;", "rr", {bits(-127.0f)}, 0},
      {"ex2.approx.f32 %d, %a;", "rr", {bits(-127.0f)}, 0x00400000},
      {"ex2.approx.f32 %d, %a;", "rr", {bits(128.0f)}, bits(INFINITY)},
      {"ex2.approx.f32 %d, %a;", "rr", {bits(float(NAN))}, 0x7fffffff},
      {"ex2.approx.ftz.f32 %d, %a;", "rr", {bits(0.0f)}, bits(1.0f)},
      {"lg2.approx.ftz.f32 %d, %a;", "rr", {bits(8.0f)}, bits(3.0f)},
      {"lg2.approx.f32 %d, %a;", "rr", {bits(10.0f)}, bits(3.32192809488736f)},
      {"lg2.approx.f32 %d, %a;", "rr", {bits(0.0f)}, bits(-INFINITY)},
      {"lg2.approx.f32 %d, %a;", "rr", {bits(-1.0f)}, 0x7fffffff},
      {"lg2.approx.f32 %d, %a;", "rr", {1}, bits(-149.0f)},
      {"lg2.approx.ftz.f32 %d, %a;", "rr", {1}, bits(-INFINITY)},
      {"rcp.approx.ftz.f32 %d, %a;", "rr", {bits(4.0f)}, bits(0.25f)},
      {"rcp.approx.ftz.f32 %d, %a;", "rr", {1}, bits(INFINITY)},
      {"rsqrt.approx.f32 %d, %a;", "rr", {bits(4.0f)}, bits(0.5f)},
      {"rsqrt.approx.f32 %d, %a;", "rr", {bits(0.0f)}, bits(INFINITY)},
      {"sqrt.approx.f32 %d, %a;", "rr", {bits(9.0f)}, bits(3.0f)},
      {"tanh.approx.f32 %d, %a;", "rr", {bits(0.5f)}, bits(0.46211715726f)},
      {"sin.approx.f32 %d, %a;", "rr", {bits(0.5f)}, bits(0.4794255386f)},
      {"cos.approx.ftz.f32 %d, %a;", "rr", {bits(0.5f)}, bits(0.8775825619f)},
      {"ex2.approx.f16x2 %d, %a;", "rr", {0x40003c00}, 0x44004000},
      {"tanh.approx.f16 %d, %a;", "hh", {0}, 0},
  });
}

TEST(Opcode, Half) {
  // f16: 1 = 3c00, 2 = 4000, 0.5 = 3800, 65504 = 7bff, 2^-24 = 0001.
  check({
      {"add.f16 %d, %a, %b;", "hhh", {0x3c00, 0x3c00}, 0x4000},
      {"add.rn.f16 %d, %a, %b;", "hhh", {0x7bff, 0x7bff}, 0x7c00},
      {"add.f16 %d, %a, %b;", "hhh", {0x3c00, 0x1000}, 0x3c00}, // tie to even
      {"add.f16 %d, %a, %b;", "hhh", {0x3c01, 0x1000}, 0x3c02},
      {"sub.f16 %d, %a, %b;", "hhh", {0x3c00, 0x3c00}, 0},
      {"mul.f16 %d, %a, %b;", "hhh", {0x0001, 0x3800}, 0}, // tie to even zero
      {"mul.f16 %d, %a, %b;", "hhh", {0x0003, 0x3800}, 2},
      {"mul.ftz.f16 %d, %a, %b;", "hhh", {0x8001, 0x4000}, 0x8000},
      {"add.f16x2 %d, %a, %b;", "rrr", {0x3c004000, 0x3c003c00}, 0x40004200},
      {"mul.f16x2 %d, %a, %b;", "rrr", {0x3c004000, 0x38003800}, 0x38003c00},
      {"sub.f16x2 %d, %a, %b;", "rrr", {0x3c004000, 0x3c003c00}, 0x00003c00},
      {"fma.rn.f16 %d, %a, %b, %c;", "hhhh", {0x3c01, 0x3c01, 0xbc02}, 0x0010},
      {"fma.rn.f16x2 %d, %a, %b, %c;",
       "rrrr",
       {0x3c004000, 0x40004000, 0x3c003c00},
       0x42004500},
      {"fma.rn.relu.f16x2 %d, %a, %b, %c;",
       "rrrr",
       {0xbc003c00, 0x3c003c00, 0},
       0x00003c00},
      {"add.sat.f16 %d, %a, %b;", "hhh", {0x3c00, 0x3c00}, 0x3c00},
      {"max.f16x2 %d, %a, %b;", "rrr", {0x7e003c00, 0x40004000}, 0x40004000},
      {"max.NaN.f16 %d, %a, %b;", "hhh", {0x7e00, 0x4000}, 0x7fff},
      {"min.f16 %d, %a, %b;", "hhh", {0x0000, 0x8000}, 0x8000},
      {"neg.f16x2 %d, %a;", "rr", {0x3c00bc00}, 0xbc003c00},
      {"abs.f16 %d, %a;", "hh", {0xbc00}, 0x3c00},
      // bf16: 1 = 3f80, 2 = 4000, 1 + 2^-7 = 3f81, 2^-8 = 3b80.
      {"fma.rn.bf16 %d, %a, %b, %c;", "hhhh", {0x3f80, 0x3b80, 0x3f80}, 0x3f80},
      {"fma.rn.bf16 %d, %a, %b, %c;", "hhhh", {0x3f80, 0x3b80, 0x3f81}, 0x3f82},
      // A halfway product and an addend far below still rounds up:
      // (1 + 2^-7)(1 + 2^-1) = 1 + 2^-1 + 2^-7 + 2^-8.
      {"fma.rn.bf16 %d, %a, %b, %c;", "hhhh", {0x3f81, 0x3fc0, 0x0080}, 0x3fc2},
      {"fma.rn.bf16 %d, %a, %b, %c;", "hhhh", {0x3f81, 0x3fc0, 0x8080}, 0x3fc1},
      {"fma.rn.bf16x2 %d, %a, %b, %c;",
       "rrrr",
       {0x40003f80, 0x40004000, 0x3f803f80},
       0x40a04040},
      {"max.bf16x2 %d, %a, %b;", "rrr", {0x3f804000, 0x40003f80}, 0x40004000},
      {"neg.bf16 %d, %a;", "hh", {0x3f80}, 0xbf80},
  });
}

TEST(Opcode, Convert) {
  check({
      {"cvt.u64.u32 %d, %a;", "dr", {m1}, m1},
      {"cvt.s64.s32 %d, %a;", "dr", {m1}, ~uint64_t(0)},
      {"cvt.u32.u64 %d, %a;", "rd", {0x123456789}, 0x23456789},
      {"cvt.u32.u16 %d, %a;", "rh", {0xffff}, 0xffff},
      {"cvt.s32.s16 %d, %a;", "rh", {0xffff}, m1},
      {"cvt.s32.s8 %d, %a;", "rr", {0x180}, 0xffffff80},
      {"cvt.u8.u32 %d, %a;", "rr", {0x1ff}, 0xff},
      {"cvt.sat.u8.s32 %d, %a;", "rr", {m1}, 0},
      {"cvt.sat.s8.s32 %d, %a;", "rr", {300}, 127},
      {"cvt.rn.f32.s32 %d, %a;", "rr", {m1}, bits(-1.0f)},
      {"cvt.rn.f32.u32 %d, %a;", "rr", {m1}, bits(4294967296.0f)},
      {"cvt.rz.f32.u32 %d, %a;", "rr", {m1}, 0x4f7fffff},
      {"cvt.rn.f32.s64 %d, %a;", "rd", {~uint64_t(0)}, bits(-1.0f)},
      {"cvt.rn.f64.u64 %d, %a;",
       "dd",
       {~uint64_t(0)},
       bits(18446744073709551616.0)},
      {"cvt.rn.f16.s32 %d, %a;", "hr", {3}, 0x4200},
      {"cvt.rzi.s32.f32 %d, %a;", "rr", {bits(-2.7f)}, 0xfffffffe},
      {"cvt.rni.s32.f32 %d, %a;", "rr", {bits(2.5f)}, 2},
      {"cvt.rmi.s32.f32 %d, %a;", "rr", {bits(-2.1f)}, 0xfffffffd},
      {"cvt.rpi.s32.f32 %d, %a;", "rr", {bits(2.1f)}, 3},
      {"cvt.rzi.s32.f32 %d, %a;", "rr", {bits(1e20f)}, 0x7fffffff},
      {"cvt.rzi.u32.f32 %d, %a;", "rr", {bits(-5.0f)}, 0},
      {"cvt.rzi.s32.f32 %d, %a;", "rr", {bits(float(NAN))}, 0},
      {"cvt.rzi.u64.f32 %d, %a;", "dr", {bits(1e19f)}, 9999999980506447872u},
      {"cvt.rni.f32.f32 %d, %a;", "rr", {bits(-2.5f)}, bits(-2.0f)},
      {"cvt.rmi.f32.f32 %d, %a;", "rr", {bits(-2.5f)}, bits(-3.0f)},
      {"cvt.sat.f32.f32 %d, %a;", "rr", {bits(3.0f)}, bits(1.0f)},
      {"cvt.ftz.sat.f32.f32 %d, %a;", "rr", {bits(-3.0f)}, 0},
      {"cvt.f64.f32 %d, %a;", "dr", {bits(1.5f)}, bits(1.5)},
      {"cvt.rn.f32.f64 %d, %a;", "rd", {bits(0.1)}, bits(0.1f)},
      {"cvt.rz.f32.f64 %d, %a;", "rd", {bits(0.1)}, 0x3dcccccc},
      {"cvt.f32.f16 %d, %a;", "rh", {0x0001}, bits(0x1p-24f)},
      {"cvt.f32.f16 %d, %a;", "rh", {0xfc00}, bits(-INFINITY)},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(65520.0f)}, 0x7c00},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(65519.0f)}, 0x7bff},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(0x1p-25f)}, 0},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(0x1.8p-24f)}, 2},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(-0x1.ffcp-15f)}, 0x8400},
      {"cvt.rn.f16.f32 %d, %a;", "hr", {bits(float(NAN))}, 0x7fff},
      {"cvt.rz.f16.f32 %d, %a;", "hr", {bits(65519.0f)}, 0x7bff},
      {"cvt.rn.f16x2.f32 %d, %a, %b;",
       "rrr",
       {bits(2.0f), bits(1.0f)},
       0x40003c00},
      {"cvt.rz.f16x2.f32 %d, %a, %b;",
       "rrr",
       {bits(1e6f), bits(-1.0f)},
       0x7bffbc00},
      {"cvt.rn.relu.f16x2.f32 %d, %a, %b;",
       "rrr",
       {bits(2.0f), bits(-1.0f)},
       0x40000000},
      {"cvt.rn.bf16x2.f32 %d, %a, %b;",
       "rrr",
       {bits(2.0f), bits(1.0f)},
       0x40003f80},
      {"cvt.rn.bf16.f32 %d, %a;", "hr", {0x3f808000}, 0x3f80},
      {"cvt.rn.bf16.f32 %d, %a;", "hr", {0x3f818000}, 0x3f82},
      {"cvt.f32.bf16 %d, %a;", "rh", {0x3f80}, bits(1.0f)},
      {"cvt.rna.tf32.f32 %d, %a;", "rr", {0x3f801000}, 0x3f802000},
      {"cvt.rna.tf32.f32 %d, %a;", "rr", {0x3f800fff}, 0x3f800000},
      {"cvt.rn.tf32.f32 %d, %a;", "rr", {0x3f801000}, 0x3f800000},
      // Wider registers than the type, as PTX allows for cvt.
      {"cvt.u64.u32 %d, %a;", "dd", {0x123456789}, 0x23456789},
  });
}

TEST(Opcode, CompareAndSelect) {
  uint64_t nan = bits(float(NAN)), one = bits(1.0f), two = bits(2.0f);
  check({
      {"setp.lt.s32 %d, %a, %b;", "prr", {m1, 0}, 1},
      {"setp.lt.u32 %d, %a, %b;", "prr", {m1, 0}, 0},
      {"setp.ge.s64 %d, %a, %b;", "pdd", {5, 5}, 1},
      {"setp.ne.b32 %d, %a, %b;", "prr", {5, 5}, 0},
      {"setp.eq.s16 %d, %a, %b;", "phh", {5, 5}, 1},
      {"setp.lo.u32 %d, %a, %b;", "prr", {1, 2}, 1},
      {"setp.lt.f32 %d, %a, %b;", "prr", {one, two}, 1},
      {"setp.lt.f32 %d, %a, %b;", "prr", {nan, two}, 0},
      {"setp.ltu.f32 %d, %a, %b;", "prr", {nan, two}, 1},
      {"setp.eq.f32 %d, %a, %b;", "prr", {0, bits(-0.0f)}, 1},
      {"setp.ne.f32 %d, %a, %b;", "prr", {nan, one}, 0},
      {"setp.neu.f32 %d, %a, %b;", "prr", {nan, one}, 1},
      {"setp.equ.ftz.f32 %d, %a, %b;", "prr", {nan, one}, 1},
      {"setp.eq.ftz.f32 %d, %a, %b;", "prr", {1, 0}, 1},
      {"setp.num.f32 %d, %a, %b;", "prr", {one, one}, 1},
      {"setp.nan.f32 %d, %a, %b;", "prr", {one, nan}, 1},
      {"setp.gt.f64 %d, %a, %b;", "pdd", {bits(2.0), bits(1.0)}, 1},
      {"setp.gt.f16 %d, %a, %b;", "phh", {0x4000, 0x3c00}, 1},
      {"setp.lt.and.s32 %d, %a, %b, %c;", "prrp", {1, 2, 0}, 0},
      {"setp.lt.or.s32 %d, %a, %b, !%c;", "prrp", {3, 2, 0}, 1},
      {"{ .reg .pred q; setp.lt.s32 q|%d, %a, %b; }", "prr", {1, 2}, 0},
      {"set.lt.u32.s32 %d, %a, %b;", "rrr", {1, 2}, m1},
      {"set.lt.f32.f32 %d, %a, %b;", "rrr", {one, two}, one},
      {"selp.b32 %d, %a, %b, %c;", "rrrp", {1, 2, 1}, 1},
      {"selp.b64 %d, %a, %b, %c;", "dddp", {1, 2, 0}, 2},
      {"selp.f32 %d, %a, 0f40000000, %b;", "rrp", {1, 0}, two},
      {"selp.b16 %d, %a, %b, %c;", "hhhp", {1, 2, 0}, 2},
      {"slct.u32.s32 %d, %a, %b, %c;", "rrrr", {1, 2, m1}, 2},
      {"slct.f32.f32 %d, %a, %b, %c;", "rrrr", {one, two, 0}, one},
  });
}

TEST(Opcode, Move) {
  check({
      {"mov.b32 %d, {%a, %b};", "rhh", {0x1111, 0x2222}, 0x22221111},
      {"mov.b64 %d, {%a, %b};", "drr", {1, 2}, 0x200000001},
      {"{ .reg .b16 x; mov.b32 {x, %d}, %a; }", "hr", {0x22221111}, 0x2222},
      {"mov.b32 {_, %d}, %a;", "hr", {0x22221111}, 0x2222},
      {"{ .reg .b32 x; mov.b64 {x, %d}, %a; }", "rd", {0x200000001}, 2},
      {"mov.u32 %d, 0xffff;", "r", {}, 0xffff},
      {"mov.f32 %d, 0fBF800000;", "r", {}, bits(-1.0f)},
      {"mov.f32 %d, -1.5;", "r", {}, bits(-1.5f)},
      {"mov.f64 %d, 0d3FF0000000000000;", "d", {}, bits(1.0)},
      {"mov.b32 %d, 0f3F800000;", "r", {}, bits(1.0f)},
      {"mov.b32 %d, WARP_SZ;", "r", {}, 32},
      {"{ .reg .b64 x; mov.u64 x, 16; cvta.shared.u64 x, x; "
       "cvta.to.shared.u64 %d, x; }",
       "d",
       {},
       16},
      {"{ .reg .b64 x; mov.u64 x, 16; cvta.shared.u64 x, x; "
       "isspacep.shared %d, x; }",
       "p",
       {},
       1},
      {"isspacep.global %d, %in;", "p", {}, 1},
  });
}

} // namespace
