//===- Progress.h - how far long work has come ------------------*- C++ -*-===//
//
// A bar with the remaining time on standard error, redrawn in place; nothing at
// all where that is no terminal.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_PROGRESS_H
#define ATTN_RUNTIME_PROGRESS_H

#include <chrono>
#include <string>

namespace mlir::attn {

class Progress {
public:
  /// `total` steps of work called `what`.
  Progress(std::string what, size_t total);
  ~Progress(); ///< takes the bar away
  Progress(const Progress &) = delete;

  void step();

private:
  std::string what;
  size_t total, done = 0;
  bool shown;
  std::chrono::steady_clock::time_point start, drawn;
};

/// The bar's line: "tune [####      ] 12/30  8 s left".
std::string progressLine(const std::string &what, size_t done, size_t total,
                         double seconds);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_PROGRESS_H
