//===- AllocationLog.h - what compiled code allocates -----------*- C++ -*-===//
//
// Compiled code reaches the heap through malloc and free alone, so the JIT
// hands it these two instead. While a log is active it notes every event; the
// peak is worked out afterwards, when it is known which blocks are results:
//
//     extra(t) = sum of live blocks at t that are no result
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_ALLOCATIONLOG_H
#define ATTN_RUNTIME_ALLOCATIONLOG_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace mlir::attn {

class AllocationLog {
public:
  /// The hooks given to compiled code. They are thread-safe, and plain malloc
  /// and free while no log is active.
  static void *allocate(size_t bytes, size_t alignment = 16);
  static void release(void *block);

  /// Makes this log the active one until its end of life. One at a time.
  AllocationLog();
  ~AllocationLog();
  AllocationLog(const AllocationLog &) = delete;
  AllocationLog &operator=(const AllocationLog &) = delete;

  /// The largest number of bytes alive at once, `results` left out.
  size_t peakWithout(llvm::ArrayRef<void *> results) const;

private:
  struct Event {
    void *block;
    size_t bytes; ///< 0 = freed
  };
  static AllocationLog *active;
  mutable std::mutex mutex;
  std::vector<Event> events;
};

} // namespace mlir::attn

#endif // ATTN_RUNTIME_ALLOCATIONLOG_H
