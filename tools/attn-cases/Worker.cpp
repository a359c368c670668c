//===- Worker.cpp - one case in a process of its own ----------------------===//
#include "Worker.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace mlir::attn;

StringRef stringify(Outcome outcome) {
  static constexpr StringRef names[] = {"right", "wrong", "error", "crash",
                                        "timeout"};
  return names[static_cast<unsigned>(outcome)];
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// Runs the case on each of its array files; the second run of a dynamic-shape
/// file adds to the first one's report what it checked.
static int runCase(const Case &entry, RunRequest request, raw_ostream &os) {
  RunStatus worst = RunStatus::Agrees;
  json::Object object;
  double maxError = 0;
  request.input = entry.input;
  std::vector<std::string> details;
  for (const std::string &arrays : entry.arrays) {
    request.args = arrays;
    RunReport report;
    RunStatus status = run(request, report);
    worst = std::max(worst, status);
    if (status == RunStatus::Error)
      break;
    maxError = std::max(maxError, report.maxAbsError());
    for (const CheckRecord &check : report.checks)
      details.insert(details.end(), check.details.begin(), check.details.end());
    if (object.empty())
      object = report.toJson();
  }
  object["max_abs_err"] = std::min(maxError, 1e308);
  object["details"] = json::Array(details);
  os << json::Value(std::move(object));
  os.flush();
  return static_cast<int>(worst);
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

Expected<Worker> Worker::start(const Case &entry, RunRequest request) {
  Worker worker;
  worker.report = std::tmpfile();
  worker.log = std::tmpfile();
  if (!worker.report || !worker.log)
    return createStringError("cannot create a temporary file");
  outs().flush();
  worker.started = std::chrono::steady_clock::now();
  worker.child = fork();
  if (worker.child < 0)
    return createStringError(std::string("cannot start a process: ") +
                             std::strerror(errno));
  if (worker.child == 0) {
    dup2(fileno(worker.log), STDERR_FILENO);
    raw_fd_ostream os(fileno(worker.report), /*shouldClose=*/false);
    int code = runCase(entry, std::move(request), os);
    // No destructors of the parent's state in the child.
    _exit(code);
  }
  return worker;
}

bool Worker::poll(double timeoutSeconds) {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - started;
  if (!timedOut && elapsed.count() > timeoutSeconds) {
    timedOut = true;
    kill(child, SIGKILL);
  }
  return waitpid(child, &status, WNOHANG) == child;
}

static std::string readAll(std::FILE *file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file))
    text.append(buffer, count);
  std::fclose(file);
  return text;
}

/// The first line that says what is wrong.
static std::string firstError(StringRef log) {
  SmallVector<StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("error"))
      return line.str();
  return lines.empty() ? "" : lines.front().str();
}

static void readReport(StringRef text, CaseResult &result) {
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    consumeError(value.takeError());
    return;
  }
  const json::Object &object = *value->getAsObject();
  if (const json::Array *attentions = object.getArray("attentions"))
    for (const json::Value &attention : *attentions)
      ++(attention.getAsObject()->getString("direction") == "bwd"
             ? result.backwards
             : result.found);
  result.maxError = object.getNumber("max_abs_err").value_or(0);
  result.compileMs = object.getNumber("compile_ms").value_or(0);
  if (const json::Object *time = object.getObject("time_ms"))
    result.timeMs = time->getNumber("min").value_or(0);
  if (const json::Array *declined = object.getArray("declined"))
    for (const json::Value &entry : *declined) {
      const json::Object &record = *entry.getAsObject();
      StringRef obligation = record.getString("obligation").value_or("");
      StringRef reason = record.getString("reason").value_or("");
      result.declined.push_back(
          (obligation.empty() ? reason : (obligation + ": " + reason).str())
              .str());
    }
  if (const json::Array *details = object.getArray("details"))
    if (!details->empty())
      result.message = details->front().getAsString().value_or("").str();
  result.report = std::move(*value);
}

CaseResult Worker::result() {
  CaseResult result;
  std::string logText = readAll(log);
  readReport(readAll(report), result);
  if (timedOut)
    result.outcome = Outcome::Timeout;
  else if (!WIFEXITED(status))
    result.outcome = Outcome::Crash;
  else if (WEXITSTATUS(status) == static_cast<int>(RunStatus::Agrees))
    result.outcome = Outcome::Right;
  else if (WEXITSTATUS(status) == static_cast<int>(RunStatus::Disagrees))
    result.outcome = Outcome::Wrong;
  if (result.outcome == Outcome::Crash)
    result.message = std::string("stopped by signal ") +
                     std::to_string(WTERMSIG(status)) + "; " +
                     firstError(logText);
  else if (result.outcome == Outcome::Error ||
           (result.outcome == Outcome::Wrong && result.message.empty()))
    result.message = firstError(logText);
  return result;
}
