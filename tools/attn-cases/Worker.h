//===- Worker.h - one case in a process of its own --------------*- C++ -*-===//
//
// A case runs in a child of this process, so that a crash or an endless loop in
// one case costs that case only. What it found comes back as JSON.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_CASES_WORKER_H
#define ATTN_CASES_WORKER_H

#include "CaseList.h"
#include "attn/Runtime/Run.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <cstdio>
#include <sys/types.h>

enum class Outcome { Right, Wrong, Error, Crash, Timeout };
llvm::StringRef stringify(Outcome outcome);

struct CaseResult {
  Outcome outcome = Outcome::Error;
  unsigned found = 0, backwards = 0; ///< attentions, and their gradients
  double maxError = 0, timeMs = 0, compileMs = 0;
  std::vector<std::string> declined;  ///< "O7: reason", one per candidate
  std::string message;                ///< what went wrong
  llvm::json::Value report = nullptr; ///< what attn-run --json would print
};

class Worker {
public:
  /// Starts the case with the options of `request`.
  static llvm::Expected<Worker> start(const Case &entry,
                                      mlir::attn::RunRequest request);

  /// True once the child has ended; kills it after `timeoutSeconds`.
  bool poll(double timeoutSeconds);
  /// What an ended child found.
  CaseResult result();

private:
  pid_t child = -1;
  std::FILE *report = nullptr, *log = nullptr;
  std::chrono::steady_clock::time_point started;
  bool timedOut = false;
  int status = 0;
};

#endif // ATTN_CASES_WORKER_H
