//===- Report.cpp - what a run found, as JSON and as text -----------------===//
#include "attn/Runtime/Run.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
namespace json = llvm::json;
namespace emulator = ::attn::emulator;

bool RunReport::ok() const {
  return llvm::all_of(checks, [](const CheckRecord &c) { return c.agrees; });
}

double RunReport::maxAbsError() const {
  double worst = 0;
  for (const CheckRecord &check : checks)
    worst = std::max(worst, check.maxAbsError);
  return worst;
}

double RunReport::maxRelError() const {
  double worst = 0;
  for (const CheckRecord &check : checks)
    worst = std::max(worst, check.maxRelError);
  return worst;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// JSON has no infinity; a string says it.
static json::Value toJsonNumber(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : "inf";
}

json::Object RunReport::toJson() const {
  json::Object object{{"entry", entry},
                      {"target", target},
                      {"executor", executor},
                      {"attentions", toJsonList(attentions)},
                      {"declined", toJsonList(declined)},
                      {"compile_ms", compileMs},
                      {"ok", ok()}};
  if (time)
    object["time_ms"] = json::Object{
        {"min", time->min}, {"median", time->median}, {"runs", time->runs}};
  if (baselineMs)
    object["baseline_ms"] = *baselineMs;
  if (gflops)
    object["gflops"] = *gflops;
  if (!checks.empty()) {
    object["max_abs_err"] = toJsonNumber(maxAbsError());
    object["max_rel_err"] = toJsonNumber(maxRelError());
  }
  if (!kernels.empty()) {
    json::Array list;
    emulator::ClassCounts total{};
    for (const LaunchRecord &launch : kernels) {
      list.push_back(launch.toJson());
      for (size_t c = 0; launch.counts && c < total.size(); ++c)
        total[c] += launch.counts->instructions[c];
    }
    object["kernels"] = std::move(list);
    if (kernels.front().counts)
      object["instructions"] = emulator::toJSON(total);
  }
  if (assembly)
    object["resources"] = toJsonList(assembly->kernels);
  json::Object moved;
  for (const IoRecord &record : io)
    moved[record.operand] =
        json::Object{{"read", record.read}, {"write", record.written}};
  if (!moved.empty())
    object["io"] = std::move(moved);
  if (peakExtraBytes)
    object["peak_extra_bytes"] = static_cast<int64_t>(*peakExtraBytes);
  json::Array tuned;
  for (const TuneRecord &tuning : tunings)
    tuned.push_back(tuning.toJson());
  if (!tuned.empty())
    object["tune"] = std::move(tuned);
  return object;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static raw_ostream &label(raw_ostream &os, StringRef text) {
  return os << llvm::left_justify(text, 11);
}

static void printAttention(raw_ostream &os, const AttentionRecord &attention) {
  label(os, "attention") << attention.location << "  ";
  for (const auto &[role, sizes] : attention.extents) {
    if (sizes.empty())
      continue;
    os << role << ' ';
    llvm::interleave(
        sizes, os,
        [&](int64_t size) {
          if (ShapedType::isDynamic(size))
            os << '?';
          else
            os << size;
        },
        "x");
    os << "  ";
  }
  os << attention.dtype << (attention.masked ? "  masked" : "")
     << (attention.backward ? "  backward" : "") << '\n';
  if (!attention.tiling.empty())
    label(os, "") << attention.tiling << '\n';
}

static void printBytes(raw_ostream &os, size_t bytes) {
  if (bytes < 1024)
    os << bytes << " bytes";
  else if (bytes < 1024 * 1024)
    os << llvm::format("%.1f KiB", bytes / 1024.0);
  else
    os << llvm::format("%.1f MiB", bytes / 1048576.0);
}

/// The baseline runs on one thread.
static void printSpeedup(raw_ostream &os, double baselineMs, double ms) {
  bool faster = baselineMs >= ms;
  os << llvm::format(", unfused on one thread %.4g ms: %.1f times %s",
                     baselineMs, faster ? baselineMs / ms : ms / baselineMs,
                     faster ? "faster" : "slower");
}

static void printKernel(raw_ostream &os, const LaunchRecord &launch) {
  auto dims = [&](const emulator::Dim3 &d) -> raw_ostream & {
    return os << d.x << 'x' << d.y << 'x' << d.z;
  };
  label(os, "kernel") << launch.kernel << "  grid ";
  dims(launch.shape.grid) << "  block ";
  dims(launch.shape.block) << "  " << launch.shape.sharedBytes
                           << " bytes of dynamic shared memory\n";
  if (!launch.counts)
    return;
  uint64_t read = 0, written = 0;
  for (const auto &buffer : launch.counts->buffers) {
    read += buffer.bytesRead + buffer.bytesAtomic;
    written += buffer.bytesWritten + buffer.bytesAtomic;
  }
  label(os, "") << launch.counts->warpInstructions << " warp instructions, "
                << read << " bytes read, " << written << " written, "
                << launch.counts->shared.conflicts
                << " shared memory conflicts\n";
}

void RunReport::print(raw_ostream &os) const {
  label(os, "entry") << '@' << entry << " on " << executor << " (" << target
                     << ", " << threads
                     << (threads == 1 ? " thread)\n" : " threads)\n");
  for (const AttentionRecord &attention : attentions)
    printAttention(os, attention);
  for (const DeclinedRecord &record : declined) {
    label(os, "declined") << record.location << "  ";
    if (!record.obligation.empty())
      os << record.obligation << ": ";
    os << record.reason << '\n';
  }
  if (compiled && attentions.empty() && declined.empty())
    label(os, "attention") << "none found\n";
  if (compiled)
    label(os, "compile") << llvm::format("%.0f ms from file to callable\n",
                                         compileMs);
  if (time) {
    label(os, "time") << llvm::format("%.4g ms (median %.4g of %u)", time->min,
                                      time->median, time->runs);
    if (baselineMs)
      printSpeedup(os, *baselineMs, time->min);
    if (gflops)
      os << llvm::format(", %.3g GFLOP/s", *gflops);
    os << '\n';
  }
  if (peakExtraBytes) {
    printBytes(label(os, "memory"), *peakExtraBytes);
    os << " beside operands and results\n";
  }
  for (const LaunchRecord &launch : kernels)
    printKernel(os, launch);
  if (assembly)
    for (const KernelResources &kernel : assembly->kernels)
      label(os, "assembled")
          << kernel.kernel << ' ' << kernel.registers << " registers, "
          << kernel.spillStoreBytes + kernel.spillLoadBytes
          << " bytes spilled\n";
  for (const IoRecord &record : io)
    label(os, "moved") << llvm::left_justify(record.operand, 8) << " read "
                       << record.read << ", written " << record.written
                       << " elements\n";
  for (const CheckRecord &check : checks) {
    label(os, "error") << llvm::format("%.3g", check.maxAbsError) << " against "
                       << check.reference
                       << llvm::format(" (allowed %.3g x max(1, |want|))\n",
                                       2 * check.tolerance);
    for (const std::string &detail : check.details)
      label(os, "") << detail << '\n';
  }
  for (const TuneRecord &tuning : tunings)
    tuning.print(os);
  if (!trace.empty())
    os << trace;
  if (!checks.empty())
    label(os, "result") << (ok() ? "agrees" : "DISAGREES") << '\n';
  if (time)
    os << llvm::format("time_ms: %.6g\n", time->min);
}
