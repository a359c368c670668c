//===- TargetHost.cpp - The machine that runs the compiler ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Caches come from Linux's sysfs, vector width from the CPU's features, cores
// from the affinity of this process. What cannot be read (rates of memory, FMA
// units) keeps the value of the table's entry for the same vector width, so
// that the same machine always gives the same target.
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Target.h"
#include "attn/Support/TilePermission.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>

using namespace attn;
using llvm::StringRef;

static std::string readLine(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return "";
  return (*file)->getBuffer().split('\n').first.trim().str();
}

/// "48K", "2048K", "32M" in bytes; 0 if it is none of these.
static int64_t parseSize(StringRef text) {
  int64_t scale = 1;
  if (text.consume_back("K"))
    scale = 1024;
  else if (text.consume_back("M"))
    scale = 1024 * 1024;
  int64_t size = 0;
  return text.getAsInteger(10, size) || size < 0 ? 0 : size * scale;
}

static void readCaches(Target &target) {
  for (int index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" +
                         std::to_string(index) + "/";
    int64_t size = parseSize(readLine(folder + "size"));
    std::string level = readLine(folder + "level");
    if (size == 0 || readLine(folder + "type") == "Instruction")
      continue;
    if (level == "1")
      target.l1Bytes = size;
    else if (level == "2")
      target.l2Bytes = target.lastCacheBytes = size;
    else if (level == "3")
      target.lastCacheBytes = size;
  }
}

/// The clock: the highest the kernel allows, else the time-stamp counter's. The
/// momentary one would make the answer depend on the moment.
static double readHertz(double fallback) {
  int64_t kilohertz = 0;
  if (!StringRef(
           readLine("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
           .getAsInteger(10, kilohertz) &&
      kilohertz > 0)
    return kilohertz * 1e3;
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!file)
    return fallback;
  StringRef rest = (*file)->getBuffer();
  size_t at = rest.find("bogomips\t: ");
  if (at == StringRef::npos)
    return fallback;
  double bogomips = 0;
  StringRef number = rest.substr(at).split(':').second.split('\n').first.trim();
  // x86 loops take two cycles of the time-stamp counter per "bogus" one.
  if (number.getAsDouble(bogomips) || bogomips < 1000)
    return fallback;
  return bogomips / 2 * 1e6;
}

/// The table's entry with this machine's vector unit.
static StringRef baseFor(const llvm::StringMap<bool> &features) {
  if (features.lookup("avx512f"))
    return "avx512";
  if (features.lookup("neon"))
    return "neon";
  return "avx2";
}

Target attn::hostTarget() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  Target target;
  for (const Target &entry : targetTable())
    if (entry.name == baseFor(features))
      target = entry;
  std::string rates = target.name;
  target.name = "host";
  target.source = "read from this machine (" +
                  llvm::sys::getHostCPUName().str() +
                  "); memory rates and FMA units as " + rates;
  // Intel's cores have the instruction, at half the rate of f32 (measured):
  // there, widening to f32 is faster.
  bool isZen = llvm::sys::getHostCPUName().starts_with("znver");
  target.bf16Dot =
      (isZen && features.lookup("avx512bf16")) || features.lookup("bf16");
  // Cores with AMX, if the system lets this process use it.
  target.bf16Tiles = features.lookup("amx-bf16") &&
                     features.lookup("amx-tile") && requestTilePermission();
  target.splitTiles = target.bf16Tiles ? usualSplitTiles : 0;
  // Zen 4 runs a 512-bit operation as two halves.
  if (llvm::sys::getHostCPUName() == "znver4")
    target.vectorIssue = 1;
  // Zen's own prefetching keeps up with one stream, and is led astray by
  // requests far ahead (decoding, f32: 25 GB/s, and 17 from 16 KiB ahead).
  if (isZen)
    target.aheadKeys = 4;
  readCaches(target);
  target.cores =
      std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  target.hertz = readHertz(target.hertz);
  target.l2Bandwidth = 32 * target.hertz;
  target.memoryBandwidth =
      std::min(target.memoryBandwidth, target.coreBandwidth * target.cores);
  target.fastBytes = target.l2Bytes;
  target.fastBandwidth = target.l2Bandwidth * target.cores;
  return target;
}
