//===- Tune.cpp - every tiling of a grid, timed ---------------------------===//
#include "attn/Runtime/Tune.h"
#include "attn/CostModel/Select.h"
#include "attn/CostModel/TilingTable.h"
#include "attn/CostModel/TuningGrid.h"
#include "attn/IR/Roles.h"
#include "attn/Runtime/Progress.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/TuneStatistics.h"
#include "attn/Tile/CostQuery.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::MeasuredTiling;
using ::attn::Problem;
using ::attn::Target;
using ::attn::Tiling;
using ::attn::TilingTable;

namespace {

/// Differences below this say nothing about a model (TuneStatistics.h).
constexpr double margin = 0.03;
/// Of what is at most this much slower than the fastest, and of the pick, the
/// order is not known after the rounds for all: the least of 60 or more minima
/// lies below the time of any, and a clock that was faster for a moment makes
/// whom it meets the best. They are timed in further rounds, in all this many
/// times as many, and compared within each of these.
constexpr double finalMargin = 0.1;
constexpr unsigned finalRounds = 3;
/// A sample of a short function is the fastest of the calls that fit in here.
constexpr double sampleMs = 2;
constexpr int maxCallsPerSample = 20;
/// What was measured is in the table this much later, or at once.
constexpr double storeSeconds = 1;

/// Attentions that pose one problem, by their place in a walk of the module.
struct ProblemGroup {
  Problem problem;
  Target target;
  std::string location;
  Tiling pick;
  bool hasRows = true;
  SmallVector<unsigned> positions;
};

/// One program: the tilings that compile to it, and its times. Compiled when it
/// is first run: what the table has all times of never is.
struct Program {
  OwningOpRef<ModuleOp> lowered;
  std::unique_ptr<CompiledModule> compiled;
  CompiledModule::PackedFunction function = nullptr;
  std::string code;
  std::vector<double> times;
  size_t known = 0;    ///< of them, those from the table
  double compared = 0; ///< in rounds of finalists, if it is one

  double best() const { return *llvm::min_element(times); }
  double milliseconds() const { return compared > 0 ? compared : best(); }
};

struct Candidate {
  Tiling tiling;
  std::string text;
  size_t program = 0;
};

class Tuner {
public:
  Tuner(ModuleOp module, const EntryPoint &entry, PreparedCall &call,
        const TuneRequest &request, TilingTable &table)
      : module(module), entry(entry), call(call), request(request),
        table(table) {}

  llvm::Expected<TuneRecord> tune(const ProblemGroup &group);

private:
  llvm::Error addAll(const ProblemGroup &group);
  llvm::Error addCandidate(const ProblemGroup &group, const Tiling &tiling);
  OwningOpRef<ModuleOp> lowerWith(const ProblemGroup &group,
                                  const Tiling &tiling);
  std::vector<double> knownTimes(const ProblemGroup &group, StringRef code);
  llvm::Error measure(const ProblemGroup &group);
  llvm::Error timeRounds(const ProblemGroup &group, ArrayRef<size_t> which,
                         unsigned rounds, StringRef label);
  SmallVector<size_t> finalists() const;
  void compare(ArrayRef<size_t> finalists);
  llvm::Error compile(Program &program);
  llvm::Error sample(const ProblemGroup &group, Program &program);
  llvm::Error store(const ProblemGroup &group, bool isLast);
  void summarize(const ProblemGroup &group);
  bool isOver() const {
    return request.seconds > 0 && secondsSince(start) > request.seconds;
  }

  using Clock = std::chrono::steady_clock;
  static double secondsSince(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  ModuleOp module;
  const EntryPoint &entry;
  PreparedCall &call;
  const TuneRequest &request;
  TilingTable &table;
  std::vector<Candidate> candidates;
  std::vector<Program> programs;
  TuneRecord record;
  Clock::time_point start = Clock::now();
  std::optional<Clock::time_point> stored;
};

} // namespace

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The module with `tiling` on the group's attentions, in the LLVM dialect;
/// null if it does not compile, with the reason in the record.
OwningOpRef<ModuleOp> Tuner::lowerWith(const ProblemGroup &group,
                                       const Tiling &tiling) {
  OwningOpRef<ModuleOp> clone(module.clone());
  Tiling spelled = tiling;
  if (!group.hasRows)
    spelled.queryBlock.clear();
  TilingAttr attr = toAttribute(module.getContext(), spelled);
  unsigned position = 0;
  clone->walk([&](ScoreOpInterface op) {
    if (choosesTiling(op) && llvm::is_contained(group.positions, position++))
      op->setAttr("tiling", attr);
  });
  std::string reason;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &said) {
    if (reason.empty() && said.getSeverity() == DiagnosticSeverity::Error)
      reason = said.str();
    return success();
  });
  if (succeeded(runCompilerPipeline(*clone, Phase::Attn, Phase::LLVM,
                                    request.pipeline)))
    return clone;
  if (record.refused++ == 0)
    record.refusal = reason;
  return nullptr;
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Names code by what it says.
static std::string codeOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return llvm::utohexstr(llvm::xxh3_64bits(llvm::StringRef(text)));
}

llvm::Error Tuner::addCandidate(const ProblemGroup &group,
                                const Tiling &tiling) {
  OwningOpRef<ModuleOp> lowered = lowerWith(group, tiling);
  if (!lowered)
    return llvm::Error::success();
  std::string code = codeOf(*lowered);
  auto same = llvm::find_if(
      programs, [&](const Program &program) { return program.code == code; });
  size_t at = same - programs.begin();
  candidates.push_back({tiling, ::attn::toString(tiling), at});
  if (same != programs.end())
    return llvm::Error::success();
  Program program;
  program.lowered = std::move(lowered);
  program.code = code;
  program.times = knownTimes(group, code);
  program.known = program.times.size();
  programs.push_back(std::move(program));
  // The first time at once, so that an interruption finds something to keep.
  if (!programs.back().times.empty())
    return llvm::Error::success();
  return sample(group, programs.back());
}

llvm::Error Tuner::addAll(const ProblemGroup &group) {
  std::vector<Tiling> grid = ::attn::tuningGrid(group.problem, group.target);
  std::string pick = ::attn::toString(group.pick);
  llvm::erase_if(grid, [&](const Tiling &tiling) {
    return ::attn::toString(tiling) == pick;
  });
  grid.insert(grid.begin(), group.pick);
  Progress progress("compile", grid.size());
  for (const Tiling &tiling : grid) {
    if (llvm::Error error = addCandidate(group, tiling))
      return error;
    if (candidates.empty())
      return llvm::createStringError(group.location + ": --tune: the pick, " +
                                     pick +
                                     ", does not compile: " + record.refusal);
    if (isOver())
      break;
    progress.step();
  }
  record.missing = grid.size() - candidates.size() - record.refused;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

llvm::Error Tuner::compile(Program &program) {
  auto compiled = CompiledModule::create(*program.lowered);
  if (!compiled)
    return compiled.takeError();
  program.compiled = std::move(*compiled);
  program.lowered = nullptr;
  auto function = program.compiled->lookup(entry.name);
  if (!function)
    return function.takeError();
  program.function = *function;
  return llvm::Error::success();
}

llvm::Error Tuner::sample(const ProblemGroup &group, Program &program) {
  if (!program.function)
    if (llvm::Error error = compile(program))
      return error;
  double best = 0, total = 0;
  for (int i = 0; i < maxCallsPerSample && total < sampleMs; ++i) {
    PreparedCall::Measurement measurement;
    auto results = call.run(program.function, &measurement);
    if (!results)
      return results.takeError();
    double ms = std::max(measurement.milliseconds, 1e-6);
    best = i == 0 ? ms : std::min(best, ms);
    total += ms;
  }
  program.times.push_back(best);
  return store(group, /*isLast=*/false);
}

/// The times that the table has of the same code.
std::vector<double> Tuner::knownTimes(const ProblemGroup &group,
                                      StringRef code) {
  if (const ::attn::TilingEntry *entry =
          table.find(group.problem.str(), ::attn::machineName(group.target)))
    for (const MeasuredTiling &measured : entry->measured)
      if (measured.code == code)
        return measured.milliseconds;
  return {};
}

/// Times the programs `which`, each in as many rounds as it has not had yet.
llvm::Error Tuner::timeRounds(const ProblemGroup &group, ArrayRef<size_t> which,
                              unsigned rounds, StringRef label) {
  size_t missing = 0, count = which.size();
  for (size_t i : which)
    missing += rounds - std::min<size_t>(rounds, programs[i].times.size());
  Progress progress(label.str(), missing);
  for (unsigned round = 0; round < rounds; ++round)
    for (size_t i = 0; i < count && !isOver(); ++i) {
      // Not always the same neighbour before it.
      size_t place = (i * (round % 2 ? count - 1 : 1) + round * 7) % count;
      Program &program = programs[which[place]];
      if (program.times.size() > round)
        continue;
      if (llvm::Error error = sample(group, program))
        return error;
      progress.step();
    }
  return llvm::Error::success();
}

/// The pick, and what may be the fastest.
SmallVector<size_t> Tuner::finalists() const {
  double best = llvm::min_element(programs, [](auto &a, auto &b) {
                  return a.best() < b.best();
                })->best();
  size_t pick = candidates.front().program;
  SmallVector<size_t> result;
  for (auto [i, program] : llvm::enumerate(programs))
    if (i == pick || program.best() <= (1 + finalMargin) * best)
      result.push_back(i);
  return result;
}

/// Gives finalists the median of their times by those of all in the same round,
/// in units of the fastest round.
void Tuner::compare(ArrayRef<size_t> finalists) {
  std::vector<std::vector<double>> ratios(finalists.size());
  double fastestRound = INFINITY;
  for (size_t round = request.rounds; round < finalRounds * request.rounds;
       ++round) {
    std::vector<double> times;
    for (size_t i : finalists)
      if (round < programs[i].times.size())
        times.push_back(programs[i].times[round]);
    if (times.size() < finalists.size())
      break;
    double middle = median(times);
    fastestRound = std::min(fastestRound, middle);
    for (size_t i = 0; i < times.size(); ++i)
      ratios[i].push_back(times[i] / middle);
  }
  for (auto [i, ofProgram] : llvm::zip_equal(finalists, ratios))
    if (!ofProgram.empty())
      programs[i].compared = median(ofProgram) * fastestRound;
}

llvm::Error Tuner::measure(const ProblemGroup &group) {
  auto all = llvm::to_vector(llvm::seq<size_t>(0, programs.size()));
  if (llvm::Error error = timeRounds(group, all, request.rounds, "measure"))
    return error;
  // Who they are is known after all rounds.
  if (!isOver() && record.missing == 0) {
    SmallVector<size_t> which = finalists();
    record.finalists = which.size();
    if (llvm::Error error =
            timeRounds(group, which, finalRounds * request.rounds, "final"))
      return error;
    for (size_t i : which)
      record.unfinished |=
          programs[i].times.size() < finalRounds * request.rounds;
    compare(which);
  }
  return store(group, /*isLast=*/true);
}

/// Writes the table, unless it was just written. Until the last time it keeps
/// what it has of tilings that are not compiled yet.
llvm::Error Tuner::store(const ProblemGroup &group, bool isLast) {
  bool justStored = stored && secondsSince(*stored) < storeSeconds;
  if (request.table.empty() || (justStored && !isLast))
    return llvm::Error::success();
  stored = Clock::now();
  ::attn::TilingEntry &entry =
      table.at(group.problem.str(), ::attn::machineName(group.target));
  std::vector<MeasuredTiling> earlier = std::move(entry.measured);
  entry.measured.clear();
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates) {
    const Program &program = programs[candidate.program];
    entry.measured.push_back({candidate.text, program.code, program.times});
    if (!best ||
        program.milliseconds() < programs[best->program].milliseconds())
      best = &candidate;
  }
  entry.tiling = best->text;
  bool isComplete = isLast && record.missing == 0;
  for (MeasuredTiling &measured : earlier)
    if (!isComplete && llvm::none_of(candidates, [&](const Candidate &known) {
          return known.text == measured.tiling;
        }))
      entry.measured.push_back(std::move(measured));
  return table.write(request.table);
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

void Tuner::summarize(const ProblemGroup &group) {
  std::vector<double> predicted, measured;
  std::string pick = ::attn::toString(group.pick);
  for (const Candidate &candidate : candidates) {
    double ms = programs[candidate.program].milliseconds();
    double predictedMs =
        ::attn::predictSeconds(group.problem, candidate.tiling, group.target) *
        1e3;
    record.candidates.push_back({candidate.text, ms, predictedMs});
    predicted.push_back(predictedMs);
    measured.push_back(ms);
    if (candidate.text == pick)
      record.pickMs = ms;
  }
  std::vector<std::vector<double>> times;
  for (const Program &program : programs)
    times.push_back(program.times);
  RankCorrelation correlation = correlateRanks(predicted, measured, margin);
  record.spearman = correlation.rho;
  record.pairs = correlation.pairs;
  record.countedPairs = correlation.countedPairs;
  record.noise = noiseFloor(times);
  llvm::sort(record.candidates, [](auto &a, auto &b) {
    return std::tie(a.milliseconds, a.tiling) <
           std::tie(b.milliseconds, b.tiling);
  });
  record.location = group.location;
  record.problem = group.problem.str();
  record.machine = ::attn::machineName(group.target);
  record.attentions = group.positions.size();
  record.pick = pick;
  record.programs = programs.size();
  record.rounds = record.resumedRounds = request.rounds;
  for (const Program &program : programs) {
    record.rounds = std::min<size_t>(record.rounds, program.times.size());
    record.resumedRounds =
        std::min<size_t>(record.resumedRounds, program.known);
  }
  record.cutShort =
      record.missing > 0 || record.unfinished || record.rounds < request.rounds;
  record.bestMs = record.candidates.front().milliseconds;
  record.worstMs = record.candidates.back().milliseconds;
}

llvm::Expected<TuneRecord> Tuner::tune(const ProblemGroup &group) {
  if (llvm::Error error = addAll(group))
    return error;
  if (llvm::Error error = measure(group))
    return error;
  summarize(group);
  return std::move(record);
}

static FailureOr<std::vector<ProblemGroup>> findGroups(ModuleOp module) {
  std::vector<ProblemGroup> groups;
  unsigned position = 0;
  WalkResult walked = module.walk([&](ScoreOpInterface op) {
    if (!choosesTiling(op))
      return WalkResult::advance();
    FailureOr<Target> target = getTarget(op);
    if (failed(target))
      return WalkResult::interrupt();
    Problem problem = getProblem(op);
    Tiling pick = fromAttribute(op.getTilingAttr());
    bool hasRows = !pick.queryBlock.empty();
    if (!hasRows)
      pick.queryBlock.push_back(1);
    auto known = llvm::find_if(groups, [&](const ProblemGroup &group) {
      return group.problem.str() == problem.str() &&
             ::attn::toString(group.pick) == ::attn::toString(pick);
    });
    if (known == groups.end()) {
      groups.push_back({std::move(problem),
                        *target,
                        formatLocation(op.getLoc()),
                        pick,
                        hasRows,
                        {}});
      known = std::prev(groups.end());
    }
    known->positions.push_back(position++);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  return groups;
}

llvm::Expected<std::vector<TuneRecord>>
mlir::attn::tuneAttentions(ModuleOp module, const EntryPoint &entry,
                           ArrayRef<::attn::Array> arguments,
                           const TuneRequest &request) {
  FailureOr<std::vector<ProblemGroup>> groups = findGroups(module);
  if (failed(groups))
    return llvm::createStringError("--tune: expected a valid attn.target");
  if (groups->empty())
    return llvm::createStringError(
        "--tune: expected an attention, found none in @" + entry.name +
        "; --remarks='attn-recognize' says why");
  TilingTable table;
  if (!request.table.empty() && llvm::sys::fs::exists(request.table)) {
    llvm::Expected<TilingTable> read = TilingTable::read(request.table);
    if (!read)
      return llvm::createStringError(
          "--tune-out: " + llvm::toString(read.takeError()) +
          "; give another name or remove the file");
    table = std::move(*read);
  }
  PreparedCall call(entry, arguments);
  std::vector<TuneRecord> records;
  for (const ProblemGroup &group : *groups) {
    auto record = Tuner(module, entry, call, request, table).tune(group);
    if (!record)
      return record.takeError();
    records.push_back(std::move(*record));
  }
  return records;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

llvm::json::Object TuneRecord::toJson() const {
  llvm::json::Array list;
  for (const TunedCandidate &candidate : candidates)
    list.push_back(llvm::json::Object{{"tiling", candidate.tiling},
                                      {"ms", candidate.milliseconds},
                                      {"predicted_ms", candidate.predictedMs}});
  return llvm::json::Object{
      {"loc", location},
      {"problem", problem},
      {"machine", machine},
      {"attentions", attentions},
      {"pick", pick},
      {"pick_ms", pickMs},
      {"best", candidates.front().tiling},
      {"best_ms", bestMs},
      {"loss", loss()},
      {"worst_over_best", worstMs / bestMs},
      {"noise", noise},
      {"spearman", spearman},
      {"pairs", static_cast<int64_t>(pairs)},
      {"counted_pairs", static_cast<int64_t>(countedPairs)},
      {"programs", static_cast<int64_t>(programs)},
      {"rounds", rounds},
      {"resumed_rounds", resumedRounds},
      {"finalists", static_cast<int64_t>(finalists)},
      {"refused", static_cast<int64_t>(refused)},
      {"missing", static_cast<int64_t>(missing)},
      {"candidates", std::move(list)}};
}

void TuneRecord::print(llvm::raw_ostream &os) const {
  auto label = [&](StringRef text) -> llvm::raw_ostream & {
    return os << llvm::left_justify(text, 11);
  };
  label("tuned") << location << "  " << problem << " on " << machine << '\n';
  label("") << candidates.size() << " candidates, " << programs
            << " different programs, fastest of " << rounds << " rounds, "
            << finalists << " of " << finalRounds * rounds;
  if (resumedRounds)
    os << ", " << resumedRounds << " of them from the table";
  if (refused)
    os << "; " << refused << " more do not compile (" << refusal << ")";
  os << '\n';
  if (cutShort)
    label("") << "stopped by --tune-seconds with " << missing
              << " tilings not timed: the same command with --tune-out goes "
                 "on\n";
  label("") << llvm::format("best  %.4g ms  ", bestMs)
            << candidates.front().tiling << '\n';
  label("") << llvm::format("pick  %.4g ms  ", pickMs) << pick << '\n';
  label("") << llvm::format("the pick is %.1f %% above the best, the worst "
                            "%.1f times it; noise floor %.1f %%\n",
                            100 * loss(), worstMs / bestMs, 100 * noise);
  label("") << llvm::format("Spearman %.3f over the %zu of %zu pairs that "
                            "differ by more than %.0f %%\n",
                            spearman, countedPairs, pairs, 100 * margin);
}
