//===- Target.cpp - The table of machines ---------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Target.h"
#include "attn/CostModel/TileTerms.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace attn;
using llvm::StringRef;

static constexpr int64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

/// A generic core of an instruction set: 48 KiB + 2 MiB of private cache, one
/// memory channel's worth of bandwidth.
static Target cpu(const char *name, const char *source, int64_t vectorBits,
                  int64_t vectorRegisters, double vectorIssue, int64_t l1,
                  int64_t l2) {
  Target t;
  t.name = name;
  t.source = source;
  t.kind = TargetKind::CPU;
  t.cores = 8;
  t.hertz = 2.6e9;
  t.memoryBandwidth = 100e9;
  t.coreBandwidth = 25e9;
  t.memoryBytes = 32 * GiB;
  t.l1Bytes = l1;
  t.l2Bytes = l2;
  t.lastCacheBytes = 32 * MiB;
  t.l2Bandwidth = 32 * t.hertz;
  t.vectorBits = vectorBits;
  t.vectorRegisters = vectorRegisters;
  t.vectorIssue = vectorIssue;
  t.fastBytes = l2;
  t.fastBandwidth = t.l2Bandwidth * t.cores;
  return t;
}

namespace {
/// What differs between the GPUs of the table.
struct GpuRow {
  const char *name, *chip, *source;
  int64_t multiprocessors;
  double gigahertz, memoryTBs;
  int64_t memoryGB, l2MiB;
  int64_t sharedKiB, l1KiB; ///< shared memory per SM; L1 and shared together
  int64_t threads, blocks, lanes;
  double matrixTflops, matrixShare, fastTBs;
};
} // namespace

// Limits per compute capability: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"; shared memory per block is that per
// multiprocessor less 1 KiB, and 1 KiB is reserved for each block (same guide,
// "Shared Memory"). Exponentials per cycle: the same guide, "Arithmetic
// Instructions". fastTBs: 128 bytes per cycle and multiprocessor, except the
// A100's, which is the figure the FlashAttention paper uses.
static constexpr GpuRow gpuRows[] = {
    {"a100", "sm_80",
     "NVIDIA A100 Tensor Core GPU Architecture whitepaper (40 GB SXM); SRAM "
     "bandwidth from Dao et al., FlashAttention (2022)",
     108, 1.41, 1.555, 40, 40, 164, 192, 2048, 32, 64, 312, 1.0, 19.0},
    {"rtx3090", "sm_86",
     "NVIDIA Ampere GA102 GPU Architecture whitepaper (FP16 with FP32 "
     "accumulate)",
     82, 1.695, 0.936, 24, 6, 100, 128, 1536, 16, 128, 71, 1.0, 17.8},
    {"rtx4090", "sm_89",
     "NVIDIA Ada GPU Architecture whitepaper (FP16 with FP32 accumulate)", 128,
     2.52, 1.008, 24, 72, 100, 128, 1536, 24, 128, 165.2, 1.0, 41.3},
    {"l40s", "sm_89", "NVIDIA L40S datasheet (dense FP16)", 142, 2.52, 0.864,
     48, 96, 100, 128, 1536, 24, 128, 362, 1.0, 45.8},
    {"h100", "sm_90",
     "NVIDIA H100 Tensor Core GPU datasheet (SXM, dense FP16); mma.sync share "
     "from Luo et al., Dissecting the NVIDIA Hopper Architecture (2024)",
     132, 1.83, 3.35, 80, 50, 228, 256, 2048, 32, 128, 989.4, 0.62, 30.9},
    {"h200", "sm_90",
     "NVIDIA H200 Tensor Core GPU datasheet (SXM, dense FP16); mma.sync share "
     "as h100",
     132, 1.83, 4.8, 141, 50, 228, 256, 2048, 32, 128, 989.4, 0.62, 30.9},
    {"b200", "sm_100",
     "NVIDIA Blackwell architecture technical brief (HGX B200, dense FP16); "
     "mma.sync share assumed: the rate per multiprocessor and cycle of h100",
     148, 1.965, 8.0, 180, 126, 228, 256, 2048, 32, 128, 2250, 0.33, 37.2},
};

static Target gpu(const GpuRow &row) {
  Target t;
  t.name = row.name;
  t.source = row.source;
  t.kind = TargetKind::GPU;
  t.chip = row.chip;
  t.cores = row.multiprocessors;
  t.hertz = row.gigahertz * 1e9;
  t.memoryBandwidth = row.memoryTBs * 1e12;
  t.memoryBytes = row.memoryGB * 1000000000;
  t.lastCacheBytes = row.l2MiB * MiB;
  t.fastBytes = row.l1KiB * KiB;
  t.fastBandwidth = row.fastTBs * 1e12;
  t.sharedPerCore = row.sharedKiB * KiB;
  t.sharedReserved = 1 * KiB;
  t.sharedPerBlock = t.sharedPerCore - t.sharedReserved;
  t.registersPerCore = 65536;
  t.registersPerThread = 255;
  t.threadsPerCore = row.threads;
  t.threadsPerBlock = 1024;
  t.blocksPerCore = row.blocks;
  t.lanes = row.lanes;
  t.exponentials = 16;
  t.matrixFlops16 = row.matrixTflops * 1e12;
  t.matrixShare = row.matrixShare;
  return t;
}

static std::vector<Target> buildTable() {
  std::vector<Target> table;
  table.push_back(
      cpu("avx512",
          "generic 8-core AVX-512 server core: Intel Optimization "
          "Reference Manual, Golden Cove (48 KiB L1D, 2 MiB L2, two "
          "512-bit FMA)",
          512, 32, 2, 48 * KiB, 2 * MiB));
  table.back().bf16Dot = 1;
  table.push_back(table.back());
  table.back().name = "sapphirerapids";
  table.back().source =
      "generic 8-core server core with AVX-512 and AMX: Intel Optimization "
      "Reference Manual, Golden Cove; its chapter on AMX (a product of two "
      "tiles in 16 cycles)";
  table.back().bf16Dot = 0;
  table.back().bf16Tiles = 1;
  table.back().splitTiles = usualSplitTiles;
  table.push_back(cpu("avx2",
                      "generic 8-core AVX2 core: Intel Optimization Reference "
                      "Manual, Skylake client (32 KiB L1D, 256 KiB L2, two "
                      "256-bit FMA)",
                      256, 16, 2, 32 * KiB, 256 * KiB));
  table.push_back(cpu("neon",
                      "generic 8-core Neon core: Arm Neoverse V1 Software "
                      "Optimization Guide (64 KiB L1D, 1 MiB L2, four 128-bit "
                      "FMA)",
                      128, 32, 4, 64 * KiB, 1 * MiB));
  for (const GpuRow &row : gpuRows)
    table.push_back(gpu(row));
  return table;
}

llvm::ArrayRef<Target> attn::targetTable() {
  static const std::vector<Target> table = buildTable();
  return table;
}

// The CPU's share of a softmax: 12 cycles for a vector of scores, half of them
// for the exponential (a range reduction and a polynomial of degree 6).
static constexpr double exponentialCycles = 6;

/// Of a matrix unit: 16 x 16 sums of 32 products each, in 16 cycles.
static constexpr double tileFlopsPerCycle = 2.0 * 16 * 16 * 32 / 16;

int64_t Target::vectorLanes(ElementType type) const {
  return vectorBits / 8 / bytesOf(accumulateType(type));
}

double Target::matrixRate(ElementType type) const {
  bool is16 = type == ElementType::F16 || type == ElementType::BF16;
  if (isGpu()) {
    if (is16)
      return matrixFlops16 * matrixShare;
    // f32 and f64 are not rounded to fewer bits, so no tensor cores.
    double f32 = 2.0 * lanes * cores * hertz;
    return type == ElementType::F64 ? f32 / 2 : f32;
  }
  if (usesMatrixTiles(type))
    return tileFlopsPerCycle / double(tileTerms(type).terms.size()) * cores *
           hertz;
  double rate = 2.0 * vectorLanes(type) * vectorIssue * cores * hertz;
  return type == ElementType::BF16 && bf16Dot ? 2 * rate : rate;
}

double Target::exponentialRate(ElementType type) const {
  if (isGpu())
    return double(exponentials) * cores * hertz;
  return vectorLanes(type) / exponentialCycles * cores * hertz;
}

double Target::elementwiseRate(ElementType type) const {
  if (isGpu())
    return double(lanes) * cores * hertz;
  return vectorLanes(type) * vectorIssue * cores * hertz;
}

double Target::balance(ElementType type) const {
  return matrixRate(type) / memoryBandwidth;
}

llvm::Expected<Target> attn::findTarget(StringRef name) {
  if (name == "host")
    return hostTarget();
  for (const Target &target : targetTable())
    if (name == target.name || (!target.chip.empty() && name == target.chip))
      return target;
  if (!name.contains('/') && !name.ends_with(".json")) {
    std::string names = "host";
    for (const Target &target : targetTable())
      names += ", " + target.name;
    unsigned capability = 0;
    StringRef digits = name;
    bool tooOld = digits.consume_front("sm_") &&
                  !digits.consumeInteger(10, capability) && capability < 80;
    return llvm::createStringError(
        "expected a target among %s, a chip such as sm_80, or a .json file, "
        "got '%s'%s",
        names.c_str(), name.str().c_str(),
        tooOld ? "; chips before sm_80 lack cp.async and matrix products of "
                 "bf16, which kernels are made of"
               : "");
  }
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
  if (!file)
    return llvm::createStringError("cannot read target file '%s': %s",
                                   name.str().c_str(),
                                   file.getError().message().c_str());
  return parseTarget((*file)->getBuffer(), name);
}
