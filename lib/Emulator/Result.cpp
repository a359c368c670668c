//===- Result.cpp - Printing what a launch found --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "attn/Emulator/Launch.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace attn::emulator {

StringRef faultName(Fault fault) {
  static const StringRef names[] = {
      "outOfBounds", "misaligned", "uninitialised", "race",    "asyncConflict",
      "ctaConflict", "divergence", "barrier",       "runaway", "trap"};
  return names[unsigned(fault)];
}

StringRef className(InstructionClass c) {
  static const StringRef names[] = {
      "mma",         "ldmatrix",     "shared_load", "shared_store",
      "global_load", "global_store", "async_copy",  "local",
      "param_load",  "atomic",       "special",     "float",
      "convert",     "integer",      "move",        "shuffle",
      "barrier",     "control"};
  return names[unsigned(c)];
}

std::string Diagnostic::str() const {
  auto dims = [](Dim3 d) {
    return ("(" + Twine(d.x) + "," + Twine(d.y) + "," + Twine(d.z) + ")").str();
  };
  return ("line " + Twine(line) + ": " + faultName(fault) + ": " + message +
          " [CTA " + dims(cta) + ", thread " + dims(thread) + "]: " + text)
      .str();
}

char LaunchError::ID = 0;

void LaunchError::log(raw_ostream &os) const {
  os << "kernel '" << kernel << "' failed on the emulator:";
  for (const Diagnostic &d : diagnostics)
    os << "\n  " << d.str();
}

std::error_code LaunchError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

const BufferCounts *LaunchResult::parameter(int index) const {
  for (const BufferCounts &b : buffers)
    if (b.parameter == index)
      return &b;
  return nullptr;
}

json::Object toJSON(const ClassCounts &counts) {
  json::Object o;
  for (unsigned c = 0; c != numInstructionClasses; ++c)
    if (counts[c])
      o[className(InstructionClass(c))] = int64_t(counts[c]);
  return o;
}

static json::Object toJSON(const SharedCounts &s) {
  return json::Object{{"bytes_read", int64_t(s.bytesRead)},
                      {"bytes_written", int64_t(s.bytesWritten)},
                      {"wavefronts", int64_t(s.wavefronts)},
                      {"conflicts", int64_t(s.conflicts)}};
}

json::Value LaunchResult::toJSON() const {
  json::Array bufferList, loopList;
  for (const BufferCounts &b : buffers)
    bufferList.push_back(
        json::Object{{"name", b.name},
                     {"parameter", b.parameter},
                     {"bytes_read", int64_t(b.bytesRead)},
                     {"bytes_written", int64_t(b.bytesWritten)},
                     {"bytes_atomic", int64_t(b.bytesAtomic)},
                     {"sectors_read", int64_t(b.sectorsRead)},
                     {"sectors_written", int64_t(b.sectorsWritten)}});
  for (const LoopCounts &l : loops)
    loopList.push_back(
        json::Object{{"line", int64_t(l.line)},
                     {"depth", int64_t(l.depth)},
                     {"iterations", int64_t(l.iterations)},
                     {"instructions", emulator::toJSON(l.instructions)},
                     {"shared", emulator::toJSON(l.shared)}});
  return json::Object{{"warp_instructions", int64_t(warpInstructions)},
                      {"thread_instructions", int64_t(threadInstructions)},
                      {"instructions", emulator::toJSON(instructions)},
                      {"outside_loops", emulator::toJSON(outsideLoops)},
                      {"shared_bytes", int64_t(sharedBytes)},
                      {"shared", emulator::toJSON(shared)},
                      {"buffers", std::move(bufferList)},
                      {"loops", std::move(loopList)}};
}

} // namespace attn::emulator
