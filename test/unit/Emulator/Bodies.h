//===- Bodies.h - Statements that one CTA runs -------------------*- C++
//-*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// A body runs in one CTA with some registers declared, 2048 bytes of shared
// memory `s`, its number in %tid and the addresses of two buffers in %in and
// %out. Every thread then stores %r1.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_EMULATOR_BODIES_H
#define ATTN_TEST_EMULATOR_BODIES_H

#include "Harness.h"

namespace attn::emulator::test {

inline std::string kernel(llvm::StringRef body) {
  return (llvm::Twine(header) +
          ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
          ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<29>, %tid;\n"
          ".reg .f32 %f<9>;\n.reg .b64 %rd<19>, %in, %out;\n"
          ".shared .align 16 .b8 s[2048];\n"
          "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
          "mov.u32 %tid, %tid.x;\n" +
          body +
          "\nmad.wide.u32 %rd9, %tid, 4, %out;\nst.global.u32 [%rd9], "
          "%r1;\nret;\n}\n")
      .str();
}

inline std::vector<uint32_t> words(uint32_t n, uint32_t (*f)(uint32_t)) {
  std::vector<uint32_t> v;
  for (uint32_t i = 0; i != n; ++i)
    v.push_back(f(i));
  return v;
}

inline std::vector<uint32_t> run(llvm::StringRef body, uint32_t threads = 32,
                                 std::vector<uint32_t> in = {}) {
  Device d(kernel(body));
  if (in.empty())
    in = words(512, [](uint32_t i) { return 1000 + i; });
  uint64_t pin = d.upload(in, "in");
  uint64_t out = d.space<uint32_t>(threads, "out");
  d.run("k", {1}, {threads}, 0, pin, out);
  return d.download<uint32_t>(out, threads);
}

template <typename F>
void expectLanes(const std::vector<uint32_t> &got, F expected) {
  for (uint32_t l = 0; l != got.size(); ++l)
    EXPECT_EQ(got[l], uint32_t(expected(l))) << "lane " << l;
}

} // namespace attn::emulator::test

#endif // ATTN_TEST_EMULATOR_BODIES_H
