//===- RunKernels.cpp - run kernels that come as PTX ----------------------===//
#include "attn/Runtime/RunKernels.h"
#include "attn/Runtime/Inputs.h"
#include "attn/Runtime/LaunchSites.h"
#include "attn/Support/AtomicFile.h"
#include "attn/Support/Expr.h"
#include "attn/Support/LaunchManifest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <map>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::DType;
using ::attn::KernelLaunch;
using ::attn::KernelParam;
using ::attn::LaunchManifest;
using ::attn::ParamSource;
namespace emulator = ::attn::emulator;

namespace {
using SourceKey = std::pair<ParamSource::Kind, unsigned>;

/// Elements that lie side by side in memory.
struct Run {
  int64_t at;      ///< in elements from the start of the source
  uint64_t offset; ///< in bytes, in a row-major array
  size_t bytes;
};

/// Memory that parameters of one source share.
struct Buffer {
  const KernelParam *first; ///< type and shape
  uint64_t bytes = 0;       ///< what parameters reach
  bool spread = false;      ///< the array has no gaps, the memory has
  void *device = nullptr;

  void *locate(const Run &run) const {
    return static_cast<char *>(device) + run.at * ::attn::sizeOf(first->type);
  }
};

class KernelSession {
public:
  KernelSession(const KernelRequest &request, RunReport &report)
      : request(request), report(report) {}
  ~KernelSession();

  llvm::Error run();

private:
  llvm::Error load();
  llvm::Error checkKernel(emulator::Module &module, const KernelLaunch &kernel);
  llvm::Error collectBuffers();
  llvm::Error readInputs();
  llvm::Error upload();
  llvm::Error launchAll();
  llvm::Error time();
  llvm::Error download();
  llvm::Error checkScalar(const KernelParam &param, const std::string &place);
  std::vector<uint64_t> bind(const KernelLaunch &kernel);

  const KernelRequest &request;
  RunReport &report;
  std::string ptx;
  LaunchManifest manifest;
  std::map<SourceKey, Buffer> buffers;
  InputSet inputs;
  std::unique_ptr<LaunchDevice> device;
  void *loaded = nullptr;
  std::vector<Array> results;
};
} // namespace

static SourceKey keyOf(const ParamSource &source) {
  return {source.kind, source.index};
}

static bool isPointer(const KernelParam &param) {
  return param.kind == KernelParam::Kind::Pointer;
}

/// Calls `f` for each run of a parameter's elements.
static llvm::Error forEachRun(const KernelParam &param,
                              llvm::function_ref<llvm::Error(Run)> f) {
  size_t outer = param.extents.size();
  int64_t length = 1, count = 1;
  while (outer > 0 &&
         (param.strides[outer - 1] == length || param.extents[outer - 1] == 1))
    length *= param.extents[--outer];
  for (int64_t extent : ArrayRef(param.extents).take_front(outer))
    count *= extent;
  if (length == 0)
    return llvm::Error::success();
  size_t size = ::attn::sizeOf(param.type);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = param.offset, rest = i;
    for (size_t dim = outer; dim-- > 0; rest /= param.extents[dim])
      at += rest % param.extents[dim] * param.strides[dim];
    uint64_t bytes = size * static_cast<uint64_t>(length);
    if (llvm::Error error = f({at, static_cast<uint64_t>(i) * bytes, bytes}))
      return error;
  }
  return llvm::Error::success();
}

static int64_t countElements(const KernelParam &param) {
  int64_t count = 1;
  for (int64_t extent : param.extents)
    count = ::attn::mulSaturating(count, extent);
  return count;
}

static std::string placeOf(size_t kernel, size_t param) {
  return "kernels[" + std::to_string(kernel) + "].params[" +
         std::to_string(param) + "]";
}

//===----------------------------------------------------------------------===//
// The manifest and the PTX
//===----------------------------------------------------------------------===//

llvm::Error KernelSession::checkKernel(emulator::Module &module,
                                       const KernelLaunch &kernel) {
  auto declared = module.parameters(kernel.name);
  if (!declared)
    return llvm::createStringError(
        request.manifest + ": " + llvm::toString(declared.takeError()) +
        "; it has " +
        (module.kernels().empty() ? "none"
                                  : llvm::join(module.kernels(), ", ")));
  std::string where = request.manifest + ": kernel '" + kernel.name + "': ";
  if (declared->size() != kernel.params.size())
    return llvm::createStringError(
        where + "expected the " + Twine(declared->size()) +
        " parameters that " + request.ptx + " declares, got " +
        Twine(kernel.params.size()));
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip(*declared, kernel.params))) {
    const emulator::Parameter &want = std::get<0>(pair);
    const KernelParam &param = std::get<1>(pair);
    uint64_t bytes = isPointer(param) ? 8 : ::attn::sizeOf(param.type);
    if (want.bytes != bytes)
      return llvm::createStringError(
          where + "parameter " + Twine(index) + " ('" + want.name +
          "'): the PTX declares " + Twine(want.bytes) +
          " bytes, the manifest a " +
          (isPointer(param) ? "pointer" : "scalar") + " of " + Twine(bytes));
  }
  return llvm::Error::success();
}

llvm::Error KernelSession::load() {
  auto text = ::attn::readFile(request.ptx);
  if (!text)
    return text.takeError();
  ptx = (*text)->getBuffer().str();
  auto read = ::attn::readLaunchManifest(request.manifest);
  if (!read)
    return read.takeError();
  manifest = std::move(*read);
  auto module = emulator::Module::parse(ptx, request.ptx);
  if (!module)
    return module.takeError();
  for (const KernelLaunch &kernel : manifest.kernels) {
    if (llvm::Error error = checkKernel(**module, kernel))
      return error;
    // What the emulator does not know, with the file's name. A device may.
    if (request.executor != "emulator")
      continue;
    auto program = (*module)->program(kernel.name);
    if (!program)
      return program.takeError();
  }
  return llvm::Error::success();
}

llvm::Error KernelSession::collectBuffers() {
  for (auto [k, kernel] : llvm::enumerate(manifest.kernels))
    for (auto [p, param] : llvm::enumerate(kernel.params)) {
      if (!param.source ||
          (!isPointer(param) && param.source->kind == ParamSource::Kind::Arg))
        continue;
      if (!isPointer(param))
        return llvm::createStringError(
            request.manifest + ": " + placeOf(k, p) +
            ": expected a scalar's source to be an argument, got " +
            param.source->str());
      Buffer &buffer = buffers.try_emplace(keyOf(*param.source), Buffer{&param})
                           .first->second;
      if (param.source->kind != ParamSource::Kind::Scratch &&
          param.type != buffer.first->type)
        return llvm::createStringError(
            request.manifest + ": " + placeOf(k, p) + ": expected " +
            param.source->str() + " to be " +
            ::attn::stringify(buffer.first->type) + " as elsewhere, got " +
            ::attn::stringify(param.type));
      if (param.source->kind == ParamSource::Kind::Out &&
          countElements(param) > param.spanElements())
        return llvm::createStringError(
            request.manifest + ": " + placeOf(k, p) +
            ": expected strides that "
            "keep the elements of " +
            param.source->str() + " apart, got " + Twine(countElements(param)) +
            " elements in " + Twine(param.spanElements()));
      buffer.bytes =
          std::max(buffer.bytes, static_cast<uint64_t>(param.reachBytes()));
    }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

llvm::Error KernelSession::checkScalar(const KernelParam &param,
                                       const std::string &place) {
  if (param.source->index >= inputs.arguments.size())
    return llvm::createStringError(place + ": expected an array " +
                                   param.source->str() + ", got " +
                                   Twine(inputs.arguments.size()) + " arrays");
  const Array &array = inputs.arguments[param.source->index];
  if (array.numElements() != 1)
    return llvm::createStringError(place + ": expected one number in " +
                                   param.source->str() + ", got " +
                                   array.typeString());
  return llvm::Error::success();
}

llvm::Error KernelSession::readInputs() {
  EntryPoint entry;
  entry.name = "kernels";
  for (auto &[key, buffer] : buffers) {
    if (key.first != ParamSource::Kind::Arg)
      continue;
    if (entry.arguments.size() <= key.second)
      entry.arguments.resize(key.second + 1, EntryType{DType::F32, true, {0}});
    // Memory as it is, or an array whose elements lie apart in memory.
    int64_t reached =
        static_cast<int64_t>(buffer.bytes / ::attn::sizeOf(buffer.first->type));
    EntryType type{buffer.first->type, true, {reached}};
    if (countElements(*buffer.first) < reached)
      type.shape.assign(buffer.first->extents.begin(),
                        buffer.first->extents.end());
    entry.arguments[key.second] = type;
  }
  SmallVector<DType> types;
  for (const EntryType &argument : entry.arguments)
    types.push_back(argument.type);
  auto read = request.args.empty() ? makeInputs("", entry)
                                   : loadArrays(request.args, types);
  if (!read)
    return read.takeError();
  inputs = std::move(*read);

  for (auto &[key, buffer] : buffers) {
    if (key.first != ParamSource::Kind::Arg)
      continue;
    std::string name = buffer.first->source->str();
    if (key.second >= inputs.arguments.size())
      return llvm::createStringError(
          request.args + ": expected " + name + ", which " + request.manifest +
          " names; got " + Twine(inputs.arguments.size()) + " arrays");
    const Array &array = inputs.arguments[key.second];
    buffer.spread = array.type == buffer.first->type &&
                    array.bytes.size() < buffer.bytes &&
                    llvm::equal(array.shape, buffer.first->extents);
    if (buffer.spread)
      continue;
    if (array.type != buffer.first->type || array.bytes.size() < buffer.bytes)
      return llvm::createStringError(
          name + ": the manifest reaches " +
          Twine(buffer.bytes / ::attn::sizeOf(buffer.first->type)) +
          " elements of " + ::attn::stringify(buffer.first->type) +
          ", the array is " + array.typeString());
    // The true extent is the array's own.
    buffer.bytes = array.bytes.size();
  }
  for (auto [k, kernel] : llvm::enumerate(manifest.kernels))
    for (auto [p, param] : llvm::enumerate(kernel.params))
      if (!isPointer(param) && param.source)
        if (llvm::Error error =
                checkScalar(param, request.manifest + ": " + placeOf(k, p)))
          return error;
  return llvm::Error::success();
}

llvm::Error KernelSession::upload() {
  for (auto &[key, shared] : buffers) {
    Buffer &buffer = shared; // for the lambda
    auto memory = device->allocate(buffer.bytes, /*hostShared=*/false,
                                   buffer.first->source->str());
    if (!memory)
      return memory.takeError();
    buffer.device = *memory;
    if (key.first != ParamSource::Kind::Arg || buffer.bytes == 0)
      continue;
    const Array &array = inputs.arguments[key.second];
    auto copy = [&](Run run) {
      return device->copy(buffer.locate(run), array.bytes.data() + run.offset,
                          run.bytes, nullptr);
    };
    Run whole{0, 0, static_cast<size_t>(buffer.bytes)};
    if (llvm::Error error =
            buffer.spread ? forEachRun(*buffer.first, copy) : copy(whole))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error KernelSession::download() {
  for (auto &[key, shared] : buffers) {
    const Buffer &buffer = shared; // for the lambda
    if (key.first != ParamSource::Kind::Out)
      continue;
    if (key.second != results.size())
      return llvm::createStringError(request.manifest + ": expected out" +
                                     Twine(results.size()) + " before " +
                                     buffer.first->source->str());
    Array array(buffer.first->type, buffer.first->extents);
    if (llvm::Error error = forEachRun(*buffer.first, [&](Run run) {
          return device->copy(array.bytes.data() + run.offset,
                              buffer.locate(run), run.bytes, nullptr);
        }))
      return error;
    results.push_back(std::move(array));
  }
  return device->synchronize(nullptr);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The bits of a number of the manifest.
static uint64_t toBits(const KernelParam &param) {
  Array number(param.type, {});
  if (std::optional<int64_t> integer = param.value->getAsInteger()) {
    // Exact where a double is not.
    if (!::attn::isFloat(param.type))
      return static_cast<uint64_t>(*integer);
  }
  if (std::optional<uint64_t> large = param.value->getAsUINT64())
    if (!::attn::isFloat(param.type))
      return *large;
  if (std::optional<bool> truth = param.value->getAsBoolean())
    number.set(0, *truth);
  else
    number.set(0, param.value->getAsNumber().value_or(0));
  uint64_t bits = 0;
  std::memcpy(&bits, number.bytes.data(), number.bytes.size());
  return bits;
}

std::vector<uint64_t> KernelSession::bind(const KernelLaunch &kernel) {
  std::vector<uint64_t> words;
  for (const KernelParam &param : kernel.params) {
    uint64_t word = 0;
    if (isPointer(param)) {
      word =
          reinterpret_cast<uint64_t>(buffers.at(keyOf(*param.source)).device) +
          static_cast<uint64_t>(param.offset) * ::attn::sizeOf(param.type);
    } else if (param.value) {
      word = toBits(param);
    } else {
      Array value = inputs.arguments[param.source->index].convertTo(param.type);
      std::memcpy(&word, value.bytes.data(), value.bytes.size());
    }
    words.push_back(word);
  }
  return words;
}

llvm::Error KernelSession::launchAll() {
  for (const KernelLaunch &kernel : manifest.kernels) {
    LaunchShape shape;
    shape.grid = {kernel.grid[0], kernel.grid[1], kernel.grid[2]};
    shape.block = {kernel.block[0], kernel.block[1], kernel.block[2]};
    shape.sharedBytes = kernel.sharedBytes;
    if (shape.grid.count() == 0)
      continue;
    auto function = device->getFunction(loaded, kernel.name);
    if (!function)
      return function.takeError();
    std::vector<uint64_t> words = bind(kernel);
    std::vector<void *> params;
    for (uint64_t &word : words)
      params.push_back(&word);
    if (llvm::Error error = device->launch(*function, shape, nullptr,
                                           params.data(), params.size()))
      return error;
  }
  return device->synchronize(nullptr);
}

llvm::Error KernelSession::time() {
  auto start = device->createEvent();
  if (!start)
    return start.takeError();
  auto end = device->createEvent();
  if (!end)
    return end.takeError();
  std::vector<double> times;
  for (unsigned i = 0; i < std::max(request.timedRuns, 1u); ++i) {
    if (llvm::Error error = device->recordEvent(*start, nullptr))
      return error;
    if (llvm::Error error = launchAll())
      return error;
    if (llvm::Error error = device->recordEvent(*end, nullptr))
      return error;
    if (llvm::Error error = device->synchronizeEvent(*end))
      return error;
    auto elapsed = device->elapsed(*start, *end);
    if (!elapsed)
      return elapsed.takeError();
    times.push_back(*elapsed);
  }
  llvm::sort(times);
  report.time = TimingRecord{times.front(), times[times.size() / 2],
                             static_cast<unsigned>(times.size())};
  if (llvm::Error error = device->destroyEvent(*start))
    return error;
  return device->destroyEvent(*end);
}

/// Elements by operand, or by source where a parameter has no name.
static KernelOperands nameOperands(const LaunchManifest &manifest) {
  KernelOperands operands;
  for (const KernelLaunch &kernel : manifest.kernels) {
    std::vector<KernelOperand> &list = operands[kernel.name];
    list.clear();
    for (const KernelParam &param : kernel.params)
      list.push_back(isPointer(param)
                         ? KernelOperand{param.operand.empty()
                                             ? param.source->str()
                                             : param.operand,
                                         ::attn::sizeOf(param.type)}
                         : KernelOperand());
  }
  return operands;
}

KernelSession::~KernelSession() {
  // What a faulty kernel left behind goes with the device.
  if (loaded)
    llvm::consumeError(device->unloadModule(loaded));
  for (auto &[key, buffer] : buffers)
    if (buffer.device)
      llvm::consumeError(device->free(buffer.device));
}

llvm::Error KernelSession::run() {
  report.compiled = false;
  report.executor = request.executor;
  report.entry = llvm::sys::path::filename(request.ptx).str();
  if (llvm::Error error = checkSavePath(request.save))
    return error;
  if (llvm::Error error = load())
    return error;
  if (llvm::Error error = collectBuffers())
    return error;
  if (llvm::Error error = readInputs())
    return error;
  emulator::LaunchOptions options;
  options.threads = request.threads;
  auto created = createExecutor(request.executor, options);
  if (!created)
    return created.takeError();
  device = std::move(*created);
  if (!device)
    return llvm::createStringError("--executor: expected emulator or cuda to "
                                   "run PTX, got cpu");
  report.target = device->name();
  auto module = device->loadModule(ptx.c_str(), std::nullopt);
  if (!module)
    return module.takeError();
  loaded = *module;
  if (llvm::Error error = upload())
    return error;
  if (llvm::Error error = launchAll())
    return error;
  KernelOperands operands = nameOperands(manifest);
  report.kernels = device->launches();
  report.io = countIo(report.kernels, operands);
  nameBuffers(report.kernels, operands);
  if (llvm::Error error = download())
    return error;
  if (!inputs.expected.empty() && inputs.expected.size() != results.size())
    return llvm::createStringError(
        request.args + ": the kernels have " + Twine(results.size()) +
        " results, the file has " + Twine(inputs.expected.size()) +
        " arrays out0, out1, ...");
  if (!inputs.expected.empty())
    report.checks.push_back(
        compareResults("file", results, inputs.expected, inputs.tolerances));
  if (request.timed)
    if (llvm::Error error = time())
      return error;
  return saveResults(request.save, results);
}

RunStatus mlir::attn::runKernels(const KernelRequest &request,
                                 RunReport &report) {
  llvm::Error error = KernelSession(request, report).run();
  if (!error)
    return report.ok() ? RunStatus::Agrees : RunStatus::Disagrees;
  // A kernel that does wrong is a wrong result, found early.
  RunStatus status = error.isA<emulator::LaunchError>() ? RunStatus::Disagrees
                                                        : RunStatus::Error;
  llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
  return status;
}
