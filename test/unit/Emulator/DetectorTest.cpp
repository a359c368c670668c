//===- DetectorTest.cpp - Each check, with a kernel that needs it ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Every fault comes with its repaired twin, which must run clean.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

/// `body` sees %tid (thread), %addr (shared address of thread's word), %out.
std::string kernel(llvm::StringRef body) {
  return (llvm::Twine(header) +
          ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
          ".reg .pred %p<9>;\n.reg .b32 %r<19>, %tid, %addr;\n"
          ".reg .b64 %rd<19>, %in, %out;\n"
          ".shared .align 16 .b8 s[1024];\n"
          "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
          "mov.u32 %tid, %tid.x;\nmov.u32 %addr, s;\n"
          "mad.lo.u32 %addr, %tid, 4, %addr;\n" +
          body + "\nret;\n}\n")
      .str();
}

struct Outcome {
  std::vector<Diagnostic> found;
  std::string message;
};

Outcome runBody(llvm::StringRef body, uint32_t threads = 64,
                uint64_t inBytes = 1024, uint32_t ctas = 1,
                uint64_t budget = 1'000'000) {
  Device d(kernel(body));
  d.options.instructionBudget = budget;
  uint64_t in = d.upload(std::vector<uint8_t>(inBytes, 1), "in");
  uint64_t out = d.space<uint8_t>(1024, "out");
  Outcome o;
  auto result = d.launch("k", {ctas}, {threads}, 0, in, out);
  if (result)
    return o;
  llvm::handleAllErrors(
      result.takeError(),
      [&](LaunchError &e) {
        o.found = e.diagnostics;
        o.message = e.message();
      },
      [&](llvm::ErrorInfoBase &e) { ADD_FAILURE() << e.message(); });
  return o;
}

/// Some diagnostic names the fault, the statement and the reason. (A race shows
/// at whichever access comes second in the schedule.)
void expectFault(const Outcome &o, Fault fault, llvm::StringRef text,
                 llvm::StringRef message) {
  bool found = false;
  for (const Diagnostic &d : o.found)
    found |= d.fault == fault && llvm::StringRef(d.text).contains(text) &&
             llvm::StringRef(d.message).contains(message) && d.line > 12;
  EXPECT_TRUE(found) << "expected " << faultName(fault).str() << " at "
                     << text.str() << ": " << message.str() << "\ngot "
                     << o.message;
}
void expectClean(const Outcome &o) { EXPECT_EQ(o.message, ""); }

TEST(Detector, OutOfBounds) {
  // Thread 63 reads one word past 252 bytes.
  const char *body = "mad.wide.u32 %rd1, %tid, 4, %in;\n"
                     "ld.global.u32 %r1, [%rd1];";
  Outcome o = runBody(body, 64, 252);
  expectFault(o, Fault::OutOfBounds, "ld.global.u32",
              "4 bytes at offset 252 of buffer 'in', which has 252 bytes");
  EXPECT_EQ(o.found[0].thread.x, 63u);
  expectClean(runBody(body, 64, 256));
  expectFault(runBody("ld.global.u32 %r1, [%in+-4];"), Fault::OutOfBounds,
              "ld.global", "offset -4 of buffer 'in'");
  expectFault(runBody("st.global.u32 [%out+1024], %tid;", 1),
              Fault::OutOfBounds, "st.global", "offset 1024 of buffer 'out'");
  expectFault(runBody("mov.u64 %rd1, 64; ld.global.u32 %r1, [%rd1];"),
              Fault::OutOfBounds, "ld.global", "belongs to no buffer");
  expectFault(runBody("st.shared.u32 [%addr+1000], %tid;", 32),
              Fault::OutOfBounds, "st.shared", "the CTA has 1024 bytes");
  expectFault(runBody(".local .align 4 .b8 f[8]; st.local.u32 [f+8], %tid;"),
              Fault::OutOfBounds, "st.local", "the frame has 8 bytes");
  // A copy of 8 bytes needs only those it reads.
  const char *copy = "cp.async.ca.shared.global [%addr], [%in+4], 4;\n"
                     "cp.async.wait_all;";
  expectClean(runBody(copy, 1, 8));
  expectFault(runBody(copy, 1, 7), Fault::OutOfBounds, "cp.async",
              "4 bytes at offset 4");
}

TEST(Detector, Misaligned) {
  expectFault(runBody("ld.global.v2.u32 {%r1, %r2}, [%in+4];"),
              Fault::Misaligned, "ld.global.v2", "not a multiple of 8");
  expectClean(runBody("ld.global.v2.u32 {%r1, %r2}, [%in+8];"));
  expectFault(runBody("st.shared.u32 [%addr+2], %tid;", 32), Fault::Misaligned,
              "st.shared", "not a multiple of 4");
}

TEST(Detector, Uninitialised) {
  expectFault(runBody("ld.global.u32 %r1, [%out];"), Fault::Uninitialised,
              "ld.global", "buffer 'out' that nothing has written");
  expectClean(
      runBody("st.global.u32 [%out], 1;\nld.global.u32 %r1, [%out];", 1));
  expectFault(runBody("ld.shared.u32 %r1, [%addr];"), Fault::Uninitialised,
              "ld.shared", "nothing has written");
  // One byte of the word is missing.
  expectFault(runBody("st.shared.b16 [%addr], 1; st.shared.b8 [%addr+2], 1;\n"
                      "ld.shared.u32 %r1, [%addr];"),
              Fault::Uninitialised, "ld.shared", "nothing has written");
  expectFault(runBody(".local .align 4 .b8 f[8];\nst.local.u32 [f], %tid;\n"
                      "ld.local.u32 %r1, [f+4];"),
              Fault::Uninitialised, "ld.local", "nothing has written");
}

// Each thread writes its word and reads that of the other warp.
const char *const exchange = "st.shared.u32 [%addr], %tid;\n"
                             "SYNC\n"
                             "xor.b32 %r2, %addr, 128;\n"
                             "ld.shared.u32 %r1, [%r2];";
std::string withSync(std::string body, llvm::StringRef sync) {
  size_t at = body.find("SYNC");
  return body.replace(at, 4, sync.str());
}

TEST(Detector, ReadAfterWriteRace) {
  expectFault(runBody(withSync(exchange, ""), 64), Fault::Uninitialised,
              "ld.shared", "");
  // With everything written before, it is a race.
  std::string body =
      "st.shared.u32 [%addr], 7;\nbar.sync 0;\n" + withSync(exchange, "");
  expectFault(runBody(body), Fault::Race, "ld.shared",
              "races with a write by thread");
  expectClean(runBody(withSync(exchange, "bar.sync 0;")));
  // The wrong barrier: each warp syncs with itself only.
  std::string own = "shr.u32 %r5, %tid, 5;\nst.shared.u32 [%addr], 7;\n"
                    "bar.sync 3;\n" +
                    withSync(exchange, "bar.sync %r5, 32;");
  expectFault(runBody(own), Fault::Race, "ld.shared", "races with a write");
}

TEST(Detector, WriteAfterReadRace) {
  // Warp 1 reads what warp 0 then overwrites.
  const char *body = "st.shared.u32 [%addr], %tid;\nbar.sync 0;\n"
                     "setp.lt.u32 %p1, %tid, 32;\n"
                     "@!%p1 ld.shared.u32 %r1, [%addr+-128];\nSYNC\n"
                     "@%p1 st.shared.u32 [%addr], 77;";
  expectFault(runBody(withSync(body, "")), Fault::Race, "st.shared",
              "races with a read");
  expectClean(runBody(withSync(body, "bar.sync 0;")));
}

TEST(Detector, WriteAfterWriteRace) {
  expectFault(runBody("mov.u32 %r1, s;\nst.shared.u32 [%r1], %tid;"),
              Fault::Race, "st.shared", "races with a write");
  // All write the same value: harmless.
  expectClean(runBody("mov.u32 %r1, s;\nst.shared.u32 [%r1], 5;"));
  // Neighbouring halves of a word are different bytes.
  expectClean(runBody("mad.lo.u32 %r1, %tid, -2, %addr;\n"
                      "st.shared.b16 [%r1], %tid;\nbar.sync 0;\n"
                      "ld.shared.u32 %r2, [s+124];"));
}

TEST(Detector, LanesOfAWarpNeedAWarpBarrier) {
  const char *body = "st.shared.u32 [%addr], %tid;\nSYNC\n"
                     "xor.b32 %r2, %addr, 4;\nld.shared.u32 %r1, [%r2];";
  expectFault(runBody(withSync(body, ""), 32), Fault::Race, "ld.shared",
              "races with a write by thread (1,0,0)");
  expectClean(runBody(withSync(body, "bar.warp.sync -1;"), 32));
}

TEST(Detector, NamedBarriersOrderThoseWhoMeet) {
  // Warp 0 produces and arrives; warp 1 syncs and reads.
  const char *body = "setp.lt.u32 %p1, %tid, 32;\n@!%p1 bra $READ;\n"
                     "st.shared.u32 [%addr], %tid;\nbar.arrive 1, 64;\n"
                     "bra $END;\n$READ:\nbar.sync 1, 64;\n"
                     "ld.shared.u32 %r1, [%addr+-128];\n$END:\n";
  expectClean(runBody(body));
}

TEST(Detector, AtomicsDoNotRaceWithEachOther) {
  expectClean(runBody("st.shared.u32 [s], 0;\nbar.sync 0;\n"
                      "atom.shared.add.u32 %r1, [s], 1;"));
  expectFault(runBody("st.shared.u32 [s], 0;\nbar.sync 0;\n"
                      "atom.shared.add.u32 %r1, [s], 1;\n"
                      "ld.shared.u32 %r2, [s];"),
              Fault::Race, "ld.shared", "races with a write");
}

// Thread t copies 16 bytes to s + 16 t; all then read their own or another's.
const char *const async = "mad.lo.u32 %r3, %tid, 12, %addr;\n"
                          "mad.wide.u32 %rd1, %tid, 16, %in;\n"
                          "cp.async.cg.shared.global [%r3], [%rd1], 16;\n"
                          "cp.async.commit_group;\n";

TEST(Detector, AsyncCopies) {
  std::string a = async;
  std::string own = "ld.shared.u32 %r1, [%r3];\n";
  std::string other = "xor.b32 %r4, %r3, 16;\nld.shared.u32 %r1, [%r4];\n";
  // Its own data without a wait.
  expectFault(runBody(a + own), Fault::AsyncConflict, "ld.shared", "in flight");
  expectFault(runBody(a + "cp.async.wait_group 1;\n" + own),
              Fault::AsyncConflict, "ld.shared", "in flight");
  expectClean(runBody(a + "cp.async.wait_group 0;\n" + own));
  // Another thread's needs a barrier after the wait.
  expectFault(runBody(a + "cp.async.wait_group 0;\n" + other), Fault::Race,
              "ld.shared", "races with a write");
  expectFault(runBody(a + "bar.sync 0;\ncp.async.wait_group 0;\n" + other),
              Fault::Race, "ld.shared", "races with a write");
  expectFault(runBody(a + "bar.sync 0;\n" + other), Fault::AsyncConflict,
              "ld.shared", "in flight");
  expectClean(runBody(a + "cp.async.wait_group 0;\nbar.sync 0;\n" + other));
  // Overwritten in flight, and issued over what others still read.
  expectFault(runBody(a + "st.shared.u32 [%r3], 1;"), Fault::AsyncConflict,
              "st.shared", "in flight");
  expectFault(runBody("st.shared.u32 [%addr], %tid;\nbar.sync 0;\n"
                      "xor.b32 %r4, %addr, 128;\nld.shared.u32 %r1, [%r4];\n" +
                      a),
              Fault::Race, "cp.async", "races with a");
  // Not committed: wait_group 0 does not cover it, wait_all does.
  std::string open = a.substr(0, a.find("cp.async.commit"));
  expectFault(runBody(open + "cp.async.wait_group 0;\n" + own),
              Fault::AsyncConflict, "ld.shared", "in flight");
  expectClean(runBody(open + "cp.async.wait_all;\n" + own));
}

TEST(Detector, OlderGroupsArriveFirst) {
  std::string two = std::string(async) +
                    "cp.async.ca.shared.global [%r3+512], [%rd1], 8;\n"
                    "cp.async.commit_group;\ncp.async.wait_group 1;\n";
  expectClean(runBody(two + "ld.shared.u32 %r1, [%r3];", 32));
  expectFault(runBody(two + "ld.shared.u32 %r1, [%r3+512];", 32),
              Fault::AsyncConflict, "ld.shared", "in flight");
}

TEST(Detector, Divergence) {
  expectFault(runBody("setp.lt.u32 %p1, %tid, 7;\n"
                      "@%p1 shfl.sync.bfly.b32 %r1, %tid, 1, 31, -1;",
                      32),
              Fault::Divergence, "shfl.sync", "member mask");
  expectFault(runBody("setp.lt.u32 %p1, %tid, 8;\n"
                      "@%p1 shfl.sync.bfly.b32 %r1, %tid, 8, 31, 255;",
                      32),
              Fault::Divergence, "shfl.sync", "the lane that is read");
  expectClean(runBody("setp.lt.u32 %p1, %tid, 8;\n"
                      "@%p1 shfl.sync.bfly.b32 %r1, %tid, 4, 31, 255;",
                      32));
  expectFault(runBody("st.shared.u32 [%addr], 0; bar.warp.sync -1;\n"
                      "setp.lt.u32 %p1, %tid, 8;\nmov.u32 %r2, s;\n"
                      "@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, "
                      "[%r2];",
                      32),
              Fault::Divergence, "ldmatrix", "all 32 lanes");
}

TEST(Detector, Barriers) {
  expectFault(runBody("setp.lt.u32 %p1, %tid, 7;\n@%p1 bar.sync 0;"),
              Fault::Barrier, "bar.sync", "divergent barrier");
  expectFault(runBody("setp.lt.u32 %p1, %tid, 32;\n@%p1 bar.sync 0;"),
              Fault::Barrier, "bar.sync", "missing barrier");
  Outcome o = runBody("setp.lt.u32 %p1, %tid, 32;\n@%p1 bar.sync 1, 64;\n"
                      "@!%p1 bar.sync 2, 64;");
  expectFault(o, Fault::Barrier, "bar.sync 1", "deadlock");
  EXPECT_NE(o.message.find("warp 1 at barrier 2"), std::string::npos);
  expectFault(runBody("bar.sync 1, 40;"), Fault::Barrier, "bar.sync",
              "multiple of 32");
  expectFault(runBody("setp.lt.u32 %p1, %tid, 9;\n@%p1 bar.warp.sync -1;", 32),
              Fault::Barrier, "bar.warp.sync", "member mask");
}

TEST(Detector, RunawayAndTrap) {
  Outcome o = runBody("$L:\nadd.u32 %r1, %r1, 1;\nbra $L;", 32, 64, 1, 5000);
  expectFault(o, Fault::Runaway, "", "within 5000 warp instructions");
  // Whatever the loop does: barriers and memory take more of the budget.
  o = runBody("$L:\nbar.sync 0;\nbra $L;", 64, 64, 1, 5000);
  expectFault(o, Fault::Runaway, "", "within 5000");
  o = runBody("$L:\nld.global.u32 %r1, [%in];\nbra $L;", 64, 64, 1, 5000);
  expectFault(o, Fault::Runaway, "", "within 5000");
  expectFault(runBody("setp.eq.u32 %p1, %tid, 40;\n@%p1 trap;"), Fault::Trap,
              "trap", "");
}

TEST(Detector, CtasOnTheSameBytes) {
  Outcome o = runBody("mad.wide.u32 %rd1, %tid, 4, %out;\n"
                      "st.global.u32 [%rd1], %tid;",
                      64, 64, 3);
  expectFault(o, Fault::CtaConflict, "st.global", "another CTA");
  expectClean(runBody("mov.u32 %r1, %ctaid.x;\n"
                      "mad.lo.u32 %r1, %r1, 64, %tid;\n"
                      "mad.wide.u32 %rd1, %r1, 4, %out;\n"
                      "st.global.u32 [%rd1], %tid;",
                      64, 64, 3));
  // One writes what the others read.
  expectFault(
      runBody("st.global.u32 [%in], 1;\nld.global.u32 %r1, [%in];", 1, 64, 2),
      Fault::CtaConflict, "", "another CTA");
  // The last CTA to count reads what all have written.
  const char *last = "mov.u32 %r1, %ctaid.x;\n"
                     "mad.wide.u32 %rd1, %r1, 4, %out;\n"
                     "st.global.u32 [%rd1], %r1;\nmembar.gl;\n"
                     "atom.global.add.u32 %r2, [%in], 1;\n"
                     "setp.ne.u32 %p1, %r2, 0x01010103;\n@%p1 ret;\n"
                     "ld.global.u32 %r3, [%out];";
  expectClean(runBody(last, 1, 64, 3));
}

TEST(Detector, ReportsDoNotDependOnThreads) {
  std::string text = kernel("mov.u32 %r1, %ctaid.x;\nsetp.ge.u32 %p1, %r1, 5;\n"
                            "@%p1 ld.global.u32 %r2, [%in+4096];");
  std::vector<std::string> messages;
  for (unsigned threads : {1u, 4u}) {
    Device d(text);
    d.options.threads = threads;
    uint64_t in = d.upload(std::vector<uint8_t>(64, 1), "in");
    auto faults = d.faults("k", {40}, {32}, 0, in, in);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].cta.x, 5u);
    messages.push_back(faults[0].str());
  }
  EXPECT_EQ(messages[0], messages[1]);
}

TEST(Detector, DetectorsCanBeOff) {
  Device d(kernel("ld.global.u32 %r1, [%out];\nld.shared.u32 %r2, [%addr];"));
  d.options.detectors = false;
  uint64_t in = d.space<uint32_t>(64), out = d.space<uint32_t>(64);
  d.run("k", {1}, {64}, 0, in, out);
}

} // namespace
