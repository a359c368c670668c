//===- Progress.cpp - how far long work has come --------------------------===//
#include "attn/Runtime/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir::attn;
using Clock = std::chrono::steady_clock;

std::string mlir::attn::progressLine(const std::string &what, size_t done,
                                     size_t total, double seconds) {
  constexpr size_t width = 24;
  size_t filled = total ? done * width / total : width;
  std::string bar(filled, '#');
  bar.resize(width, ' ');
  std::string line =
      llvm::formatv("{0} [{1}] {2}/{3}", what, bar, done, total).str();
  if (done == 0 || done >= total)
    return line;
  auto left = static_cast<int64_t>(std::ceil(seconds / done * (total - done)));
  line += left < 120 ? llvm::formatv("  {0} s left", left).str()
                     : llvm::formatv("  {0} min left", (left + 59) / 60).str();
  return line;
}

Progress::Progress(std::string what, size_t total)
    : what(std::move(what)), total(total),
      shown(llvm::sys::Process::StandardErrIsDisplayed()), start(Clock::now()) {
}

Progress::~Progress() {
  if (shown)
    llvm::errs() << "\r\033[K";
}

void Progress::step() {
  ++done;
  auto now = Clock::now();
  if (!shown || (done < total && now - drawn < std::chrono::milliseconds(100)))
    return;
  drawn = now;
  llvm::errs() << "\r\033[K"
               << progressLine(
                      what, done, total,
                      std::chrono::duration<double>(now - start).count());
}
