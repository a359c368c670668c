//===- attn-cases.cpp - run every case of a folder ------------------------===//
#include "Worker.h"
#include "attn/Runtime/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace mlir::attn;

namespace {
struct Options {
  RunRequest request;
  std::string filter;
  unsigned jobs = 0, timeout = 60;
  bool json = false, unfused = false;
};

struct Totals {
  unsigned cases = 0, right = 0, fusedAttentions = 0, presentAttentions = 0;
  unsigned positives = 0, positivesFused = 0;
  unsigned negatives = 0, negativesFused = 0, withoutRemark = 0;
  unsigned backwards = 0, backwardsFused = 0;

  void add(const Case &entry, const CaseResult &result) {
    ++cases;
    right += result.outcome == Outcome::Right;
    fusedAttentions += result.found;
    presentAttentions += entry.present.value_or(0);
    if (entry.verdict == "positive") {
      ++positives;
      positivesFused += result.found >= entry.present.value_or(1);
    }
    if (entry.verdict == "backward") {
      ++backwards;
      backwardsFused += result.backwards >= entry.present.value_or(1);
    }
    if (entry.verdict == "negative") {
      ++negatives;
      negativesFused += result.found + result.backwards != 0;
    }
    withoutRemark +=
        result.found < entry.present.value_or(0) && result.declined.empty();
  }
};
} // namespace

static json::Object toJson(const Case &entry, const CaseResult &result) {
  json::Array declined(result.declined);
  return json::Object{{"name", entry.name},
                      {"verdict", entry.verdict},
                      {"present", entry.present ? json::Value(*entry.present)
                                                : json::Value(nullptr)},
                      {"found", result.found},
                      {"backwards", result.backwards},
                      {"declined", std::move(declined)},
                      {"outcome", stringify(result.outcome)},
                      {"message", result.message},
                      {"max_abs_err", result.maxError},
                      {"compile_ms", result.compileMs},
                      {"time_ms", result.timeMs},
                      {"report", result.report}};
}

static void printLine(raw_ostream &os, const Case &entry,
                      const CaseResult &result) {
  std::string present =
      entry.present ? std::to_string(*entry.present) : std::string("?");
  os << left_justify(entry.name, 40) << ' ' << left_justify(entry.verdict, 9)
     << ' ' << result.found << '/' << left_justify(present, 2) << ' '
     << format("%8.1e %9.3f ms  ", result.maxError, result.timeMs)
     << left_justify(stringify(result.outcome), 8);
  if (!result.message.empty())
    os << result.message;
  else if (!result.declined.empty())
    os << "declined " << result.declined.front();
  os << '\n';
  os.flush();
}

static json::Object toJson(const Totals &totals) {
  return json::Object{{"cases", totals.cases},
                      {"right", totals.right},
                      {"attentions", totals.presentAttentions},
                      {"fused", totals.fusedAttentions},
                      {"positives", totals.positives},
                      {"positives_fused", totals.positivesFused},
                      {"backwards", totals.backwards},
                      {"backwards_fused", totals.backwardsFused},
                      {"negatives", totals.negatives},
                      {"negatives_fused", totals.negativesFused},
                      {"unfused_without_remark", totals.withoutRemark}};
}

static void printTotals(raw_ostream &os, const Totals &totals, double seconds) {
  os << formatv("\n{0} of {1} cases right; {2} of {3} attentions fused; {4} of "
                "{5} positive files fused whole; {6} of {7} backward files "
                "fused whole; {8} of {9} negative files fused; {10} unfused "
                "without a remark; {11:f1} s\n",
                totals.right, totals.cases, totals.fusedAttentions,
                totals.presentAttentions, totals.positivesFused,
                totals.positives, totals.backwardsFused, totals.backwards,
                totals.negativesFused, totals.negatives, totals.withoutRemark,
                seconds);
}

/// Runs all cases, `jobs` at a time, and hands results over in order.
static Error runAll(ArrayRef<Case> cases, const Options &options,
                    function_ref<void(const Case &, const CaseResult &)> done) {
  std::vector<std::optional<CaseResult>> results(cases.size());
  std::vector<std::pair<size_t, Worker>> running;
  size_t next = 0, reported = 0;
  while (reported < cases.size()) {
    while (next < cases.size() && running.size() < options.jobs) {
      if (cases[next].arrays.empty()) {
        CaseResult missing;
        missing.message =
            "error: expected " + cases[next].name + ".npz beside the file";
        results[next++] = std::move(missing);
        continue;
      }
      auto worker = Worker::start(cases[next], options.request);
      if (!worker)
        return worker.takeError();
      running.emplace_back(next++, std::move(*worker));
    }
    for (size_t i = 0; i < running.size();) {
      if (!running[i].second.poll(options.timeout)) {
        ++i;
        continue;
      }
      results[running[i].first] = running[i].second.result();
      running.erase(running.begin() + i);
    }
    for (; reported < cases.size() && results[reported]; ++reported)
      done(cases[reported], *results[reported]);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return Error::success();
}

static int usageError(const Twine &message) {
  WithColor::error() << message << '\n';
  return static_cast<int>(RunStatus::Error);
}

static void addOptions(CommandLine &line, Options &options) {
  line.text("executor", options.request.executor, "cpu|emulator|cuda",
            "where kernels run");
  line.text("target", options.request.pipeline.target, "T",
            "machine to compile for");
  line.flag("atomics", options.request.pipeline.atomics,
            "dQ on a GPU by atomic additions, in any order: faster");
  line.flag("json", options.json, "print one JSON object");
  line.text("filter", options.filter, "TEXT",
            "only cases whose name contains this");
  line.flag("unfused", options.unfused,
            "recognise nothing: lower by upstream passes alone");
  line.flag("check", options.request.check,
            "compare with the unfused input too");
  line.number("jobs", options.jobs, "N", "cases at a time (default: cores)");
  line.number("threads", options.request.threads, "N",
              "threads per case (default: 1)");
  line.number("timeout", options.timeout, "SECONDS", "time limit of a case");
}

int main(int argc, char **argv) {
  Options options;
  options.request.threads = 1;
  options.request.timed = true;
  options.request.timedRuns = 3;
  CommandLine line("attn-cases DIR [options]",
                   "Runs every NAME.mlir of a folder on NAME.npz and "
                   "NAME.alt.npz and compares with the results there.");
  addOptions(line, options);
  std::vector<std::string> folders;
  if (Error error = line.parse(argc, argv, folders))
    return usageError(toString(std::move(error)));
  if (line.helpRequested()) {
    line.printHelp(outs());
    return 0;
  }
  if (folders.size() != 1)
    return usageError("expected one folder, got " + Twine(folders.size()) +
                      "; usage: attn-cases DIR [options]");
  if (!is_contained(executorNames(), options.request.executor))
    return usageError("--executor: expected one of " +
                      join(executorNames(), ", ") + ", got '" +
                      options.request.executor + "'");
  options.request.fuse = !options.unfused;
  // The emulator's own speed is nobody's.
  options.request.timed = options.request.executor != "emulator";
  if (options.jobs == 0)
    options.jobs = std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN));
  auto cases = listCases(folders.front(), options.filter);
  if (!cases)
    return usageError(toString(cases.takeError()));
  if (cases->empty())
    return usageError(folders.front() + ": no case found");

  auto start = std::chrono::steady_clock::now();
  Totals totals;
  json::Array list;
  Error error =
      runAll(*cases, options, [&](const Case &entry, const CaseResult &result) {
        totals.add(entry, result);
        if (options.json)
          list.push_back(toJson(entry, result));
        else
          printLine(outs(), entry, result);
      });
  if (error)
    return usageError(toString(std::move(error)));
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (options.json)
    outs() << formatv("{0:2}",
                      json::Value(json::Object{{"cases", std::move(list)},
                                               {"totals", toJson(totals)}}))
           << '\n';
  else
    printTotals(outs(), totals, elapsed.count());
  return static_cast<int>(totals.right == totals.cases ? RunStatus::Agrees
                                                       : RunStatus::Disagrees);
}
