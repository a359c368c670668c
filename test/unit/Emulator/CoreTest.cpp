//===- CoreTest.cpp - Parsing, control flow, launching --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

std::string errorOf(llvm::StringRef text, llvm::StringRef kernel = "k") {
  auto module = Module::parse(text, "t.ptx");
  if (!module)
    return llvm::toString(module.takeError());
  auto program = (*module)->program(kernel);
  return program ? "" : llvm::toString(program.takeError());
}

std::string kernel(llvm::StringRef body) {
  return (llvm::Twine(header) + ".visible .entry k(.param .u64 out)\n{\n" +
          ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<19>;\n.reg .f32 "
          "%f<9>;\n.reg .b64 %rd<19>;\n" +
          "ld.param.u64 %rd1, [out];\n" + body + "\nret;\n}\n")
      .str();
}

/// Stores %r1 of each thread at out[tid].
const char *const storeResult = R"(
  mov.u32 %r9, %tid.x;
  mul.wide.u32 %rd9, %r9, 4;
  add.s64 %rd9, %rd1, %rd9;
  st.global.u32 [%rd9], %r1;
)";

std::vector<uint32_t> runPerThread(const std::string &body, unsigned threads) {
  Device d(kernel(body + storeResult));
  uint64_t out = d.space<uint32_t>(threads, "out");
  d.run("k", {1}, {threads}, 0, out);
  return d.download<uint32_t>(out, threads);
}

TEST(Emulator, DivergentBranchesMeetAgain) {
  // Odd threads take the long way; the shuffle needs all of them back.
  auto out = runPerThread(R"(
    mov.u32 %r2, %tid.x;
    and.b32 %r3, %r2, 1;
    setp.eq.u32 %p1, %r3, 0;
    mov.u32 %r1, 7;
    @%p1 bra $JOIN;
    add.u32 %r1, %r2, 100;
    $JOIN:
    shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
    add.u32 %r1, %r1, %r4;
  )",
                          32);
  for (uint32_t t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], 7 + 100 + (t | 1)) << t;
}

TEST(Emulator, LoopsOfDifferentLength) {
  // Thread t adds 1..t.
  auto out = runPerThread(R"(
    mov.u32 %r2, %tid.x;
    mov.u32 %r1, 0;
    mov.u32 %r3, 0;
    $LOOP:
    setp.ge.u32 %p1, %r3, %r2;
    @%p1 bra $DONE;
    add.u32 %r3, %r3, 1;
    add.u32 %r1, %r1, %r3;
    bra.uni $LOOP;
    $DONE:
    bar.warp.sync -1;
  )",
                          64);
  for (uint32_t t = 0; t != 64; ++t)
    EXPECT_EQ(out[t], t * (t + 1) / 2) << t;
}

TEST(Emulator, LanesThatReturnEarlyDoNotSplitTheRest) {
  // Two thirds return in different places; the others still vote together.
  std::string body = R"(
    mov.u32 %r2, %tid.x;
    mov.u32 %r1, 0;
    rem.u32 %r3, %r2, 3;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 ret;
    setp.eq.u32 %p2, %r3, 1;
    @!%p2 bra $GO;
    ret;
    $GO:
    activemask.b32 %r1;
  )";
  Device d(kernel(body + storeResult));
  uint64_t out = d.upload(std::vector<uint32_t>(32, 5), "out");
  d.run("k", {1}, {32}, 0, out);
  uint32_t mask = 0;
  for (uint32_t t = 2; t < 32; t += 3)
    mask |= 1u << t;
  auto values = d.download<uint32_t>(out, 32);
  for (uint32_t t = 0; t != 32; ++t)
    EXPECT_EQ(values[t], t % 3 == 2 ? mask : 5u) << t;
}

TEST(Emulator, FunctionsAreInlined) {
  std::string text = std::string(header) + R"(
.func (.param .b32 r) twice(.param .b32 a)
{
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  ld.param.u32 %r1, [a];
  add.u32 %r2, %r1, %r1;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra $L;
  st.param.b32 [r], %r1;
  ret;
$L:
  st.param.b32 [r], %r2;
  ret;
}
.func (.reg .u32 %y) plus1(.reg .u32 %x)
{
  add.u32 %y, %x, 1;
  ret;
}
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  {
    .param .b32 p0;
    st.param.b32 [p0+0], %r1;
    .param .b32 q0;
    call.uni (q0), twice, (p0);
    ld.param.b32 %r2, [q0+0];
  }
  call (%r3), plus1, (%r2);
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";
  Device d(text);
  uint64_t out = d.space<uint32_t>(32);
  d.run("k", {1}, {32}, 0, out);
  auto values = d.download<uint32_t>(out, 32);
  for (uint32_t t = 0; t != 32; ++t)
    EXPECT_EQ(values[t], (t < 10 ? 2 * t : t) + 1) << t;
}

TEST(Emulator, ModuleVariablesAndScopes) {
  std::string text = std::string(header) + R"(
.const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};
.global .align 8 .u64 pointer = generic(value)+4;
.global .align 4 .u32 value[2] = {30, 40};
.shared .align 4 .u32 cell;
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .local .align 4 .b8 frame[8];
  .loc 1 2 3
  ld.param.u64 %rd1, [out];
  ld.const.u32 %r1, [table+4];
  mov.u64 %rd2, pointer;
  ld.global.u64 %rd3, [%rd2];
  ld.u32 %r2, [%rd3];
  { .reg .b32 %r<2>; mov.u32 %r1, 99; }
  st.local.u32 [frame+4], %r2;
  mov.u64 %rd4, frame;
  cvta.local.u64 %rd4, %rd4;
  ld.u32 %r3, [%rd4+4];
  st.shared.u32 [cell], %r3;
  mov.u32 %r5, cell;
  ld.shared.u32 %r4, [%r5];
  add.u32 %r1, %r1, %r4;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
  Device d(text);
  uint64_t out = d.space<uint32_t>(1);
  d.run("k", {1}, {1}, 0, out);
  EXPECT_EQ(d.download<uint32_t>(out, 1)[0], 42u);
}

TEST(Emulator, ErrorsNameLineAndText) {
  EXPECT_NE(
      errorOf(kernel("frobnicate.u32 %r1, %r2;"))
          .find("t.ptx:12: unknown opcode 'frobnicate.u32': frobnicate.u32"),
      std::string::npos);
  EXPECT_NE(
      errorOf(kernel("add.s32.foo %r1, %r2, %r3;")).find("unknown opcode"),
      std::string::npos);
  EXPECT_NE(
      errorOf(kernel("add.s32 %r1, %r2;")).find("expected 3 operands, got 2"),
      std::string::npos);
  EXPECT_NE(errorOf(kernel("bra $NOWHERE;")).find("unknown label '$NOWHERE'"),
            std::string::npos);
  EXPECT_NE(errorOf(kernel("add.s32 %r1, %x, %r3;")).find("unknown name '%x'"),
            std::string::npos);
  EXPECT_NE(errorOf(kernel("add.s64 %rd1, %r1, %rd3;")).find("64-bit register"),
            std::string::npos);
  EXPECT_NE(errorOf(kernel("add.f32 %f1, %rd2, %f3;")).find("at most 32 bits"),
            std::string::npos);
  EXPECT_NE(errorOf(kernel("add.u32 %rd1, %r2, %r3;")).find("at most 32 bits"),
            std::string::npos);
  EXPECT_EQ(errorOf(kernel("ld.global.u32 %rd2, [%rd1];")), "");
  EXPECT_NE(errorOf(kernel("$L:\nbar.sync 0;\n$L:")).find("got another: $L:"),
            std::string::npos);
  EXPECT_EQ(errorOf(kernel("{\n$L:\n}\n{\n$L:\nbra $L;\n}")), "");
  EXPECT_NE(errorOf(kernel("mov.u32 %r1, 99999999999999999999;"))
                .find("t.ptx:12: expected an operand"),
            std::string::npos);
  // A statement of a megabyte is quoted in part.
  EXPECT_LT(errorOf(kernel("add.s32 %" + std::string(1 << 20, 'a') + ", 1, 2;"))
                .size(),
            1000u);
  EXPECT_NE(errorOf(".version 8.0 $").find("expected"), std::string::npos);
  EXPECT_NE(errorOf(std::string(header) + ".entry k() { add.s32 %r1")
                .find("expected ';'"),
            std::string::npos);
  EXPECT_NE(errorOf(kernel(""), "other").find("expected one of the kernels k"),
            std::string::npos);
}

TEST(Emulator, ImpossibleSizesAreErrors) {
  auto declared = [](llvm::StringRef what) {
    return errorOf(
        (llvm::Twine(header) + ".entry k() {\n" + what + "\nret; }").str());
  };
  EXPECT_NE(declared(".local .align 4 .b8 a[600000];").find("524288 bytes"),
            std::string::npos);
  EXPECT_NE(declared(".shared .align 4 .b8 a[99999999];").find("shared memory"),
            std::string::npos);
  EXPECT_NE(declared(".shared .b64 a[9999999999];")
                .find("at most 1073741824 bytes for 'a', got '9999999999'"),
            std::string::npos);
  EXPECT_NE(declared(".reg .b32 %r<99999999999>;").find("number of registers"),
            std::string::npos);
  EXPECT_NE(declared(".shared .align 3 .b8 a[4];").find("power of two"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(header) + ".entry k(.param .b8 p[40000]) {}")
                .find("parameters"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(header) +
                    ".global .u32 g = " + std::string(1000, '{'))
                .find("nested"),
            std::string::npos);
  Memory memory;
  EXPECT_EQ(memory.allocate(uint64_t(1) << 40), 0u);
}

TEST(Emulator, LaunchesAreChecked) {
  Device d(std::string(header) +
           ".visible .entry k(.param .u64 a, .param .u32 n)\n"
           ".reqntid 64, 1, 1\n{ .shared .align 4 .b8 s[40000]; ret; }");
  auto message = [&](auto result) {
    return result ? std::string() : llvm::toString(result.takeError());
  };
  EXPECT_EQ(message(d.launch("k", {1}, {64}, 0, uint64_t(0), 1)), "");
  EXPECT_NE(message(d.launch("k", {1}, {32}, 0, uint64_t(0), 1)).find("64x1x1"),
            std::string::npos);
  EXPECT_NE(message(d.launch("k", {0}, {64}, 0, uint64_t(0), 1)).find("grid"),
            std::string::npos);
  EXPECT_NE(message(d.launch("k", {1}, {64}, 0, uint64_t(0)))
                .find("expected 2 arguments, got 1"),
            std::string::npos);
  EXPECT_NE(message(d.launch("k", {1}, {64}, 0, uint64_t(0), 1.0))
                .find("expected 4 bytes, got 8"),
            std::string::npos);
}

} // namespace
