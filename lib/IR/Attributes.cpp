//===- Attributes.cpp - assembly and checks of the attributes -------------===//
#include "AssemblyImpl.h"
#include "attn/IR/AttnDialect.h"
#include "attn/Support/Nesting.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// #attn.hidden
//===----------------------------------------------------------------------===//

HiddenAttr HiddenAttr::getSkip(MLIRContext *context) {
  return HiddenAttr::get(context, FloatAttr());
}

HiddenAttr HiddenAttr::getReplace(MLIRContext *context, double value) {
  return HiddenAttr::get(context, Builder(context).getF64FloatAttr(value));
}

HiddenAttr mlir::attn::parseHiddenBody(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalKeyword("skip")))
    return HiddenAttr::getSkip(context);
  FloatAttr value;
  if (parser.parseKeyword("replace", " or 'skip'") || parser.parseLParen() ||
      parser.parseAttribute(value, Builder(context).getF64Type()) ||
      parser.parseRParen())
    return {};
  return HiddenAttr::get(context, value);
}

void mlir::attn::printHiddenBody(AsmPrinter &printer, HiddenAttr hidden) {
  if (hidden.isSkip()) {
    printer << "skip";
    return;
  }
  printer << "replace(";
  printer.printAttributeWithoutType(hidden.getValue());
  printer << ")";
}

Attribute HiddenAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  HiddenAttr hidden = parseHiddenBody(parser);
  if (!hidden || parser.parseGreater())
    return {};
  return hidden;
}

void HiddenAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printHiddenBody(printer, *this);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// #attn.cpu, #attn.gpu
//===----------------------------------------------------------------------===//

static LogicalResult
verifyPositive(function_ref<InFlightDiagnostic()> emitError, StringRef what,
               int64_t value) {
  if (value > 0)
    return success();
  return emitError() << "expected a positive " << what << ", got " << value;
}

LogicalResult
CPUKernelAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t mr,
                      int64_t nr) {
  return success(succeeded(verifyPositive(emitError, "mr", mr)) &&
                 succeeded(verifyPositive(emitError, "nr", nr)));
}

LogicalResult
GPUKernelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t warps, int64_t rowsPerWarp, int64_t stages,
                      bool atomics, bool apart) {
  return success(
      succeeded(verifyPositive(emitError, "number of warps", warps)) &&
      succeeded(verifyPositive(emitError, "rows_per_warp", rowsPerWarp)) &&
      succeeded(verifyPositive(emitError, "number of stages", stages)));
}

//===----------------------------------------------------------------------===//
// #attn.tiling
//===----------------------------------------------------------------------===//

/// A size or a bracketed list of sizes.
static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  auto one = [&]() -> ParseResult {
    return parser.parseInteger(sizes.emplace_back());
  };
  int64_t single;
  OptionalParseResult alone = parser.parseOptionalInteger(single);
  if (alone.has_value()) {
    sizes.push_back(single);
    return *alone;
  }
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one,
                                        " in a list of block sizes");
}

Attribute TilingAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> queryBlock, keyBlock;
  Order order = Order::QOuter;
  int64_t keySplits = 1;
  Attribute kernel;
  llvm::SmallDenseSet<StringRef> seen;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOrder = [&]() -> ParseResult {
    StringRef text;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&text))
      return failure();
    std::optional<Order> parsed = symbolizeOrder(text);
    if (!parsed)
      return parser.emitError(at)
             << "expected order q_outer or kv_outer, got " << text;
    order = *parsed;
    return success();
  };
  auto parseField = [&]() -> ParseResult {
    StringRef key;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (!seen.insert(key).second)
      return parser.emitError(at) << key << " is given twice";
    if (key == "query_block")
      return parseSizes(parser, queryBlock);
    if (key == "key_block")
      return parseSizes(parser, keyBlock);
    if (key == "order")
      return parseOrder();
    if (key == "key_splits")
      return parser.parseInteger(keySplits);
    if (key == "kernel")
      return parser.parseAttribute(kernel);
    return parser.emitError(at) << "expected query_block, key_block, order, "
                                   "key_splits or kernel, got "
                                << key;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  if (!seen.contains("query_block") || !seen.contains("key_block")) {
    parser.emitError(loc) << "expected both query_block and key_block";
    return {};
  }
  if (failed(TilingAttr::verify([&] { return parser.emitError(loc); },
                                queryBlock, keyBlock, order, keySplits,
                                kernel)))
    return {};
  return TilingAttr::get(parser.getContext(), queryBlock, keyBlock, order,
                         keySplits, kernel);
}

void TilingAttr::print(AsmPrinter &printer) const {
  auto list = [&](ArrayRef<int64_t> sizes) {
    printer << "[";
    llvm::interleaveComma(sizes, printer);
    printer << "]";
  };
  printer << "<query_block = ";
  list(getQueryBlock());
  printer << ", key_block = ";
  list(getKeyBlock());
  printer << ", order = " << stringifyOrder(getOrder())
          << ", key_splits = " << getKeySplits();
  if (getKernel())
    printer << ", kernel = " << getKernel();
  printer << ">";
}

LogicalResult TilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> queryBlock,
                                 ArrayRef<int64_t> keyBlock, Order order,
                                 int64_t keySplits, Attribute kernel) {
  for (int64_t size : queryBlock)
    if (failed(verifyPositive(emitError, "query_block", size)))
      return failure();
  for (int64_t size : keyBlock)
    if (failed(verifyPositive(emitError, "key_block", size)))
      return failure();
  if (failed(verifyPositive(emitError, "number of key_splits", keySplits)))
    return failure();
  if (kernel && !isa<CPUKernelAttr, GPUKernelAttr>(kernel))
    return emitError() << "expected kernel to be #attn.cpu or #attn.gpu, got "
                       << kernel;
  auto gpu = dyn_cast_if_present<GPUKernelAttr>(kernel);
  int64_t rows = 1, keys = 1;
  for (int64_t size : queryBlock)
    rows *= size;
  for (int64_t size : keyBlock)
    keys *= size;
  // A backward's warps have keys to themselves.
  if (gpu && order == Order::KVOuter &&
      keys == gpu.getWarps() * gpu.getRowsPerWarp())
    return success();
  if (gpu && rows != gpu.getWarps() * gpu.getRowsPerWarp())
    return emitError()
           << "expected query_block to hold warps * rows_per_warp = "
           << gpu.getWarps() * gpu.getRowsPerWarp() << " rows, got " << rows;
  return success();
}

FailureOr<TilingAttr> mlir::attn::parseTiling(StringRef text,
                                              MLIRContext *context,
                                              std::string &error) {
  context->getOrLoadDialect<AttnDialect>();
  // The parser's diagnostic is the message; its location means nothing here.
  ScopedDiagnosticHandler capture(context, [&](Diagnostic &diagnostic) {
    if (error.empty())
      error = diagnostic.str();
    return success();
  });
  if (::attn::findDeepNesting(text, ::attn::Syntax::MLIR)) {
    error = ::attn::deepNestingMessage();
    return failure();
  }
  Attribute parsed =
      parseAttribute(("#attn.tiling<" + text + ">").str(), context);
  if (auto tiling = dyn_cast_if_present<TilingAttr>(parsed))
    return tiling;
  if (error.empty())
    error = "expected a tiling such as 'query_block=64,key_block=64'";
  return failure();
}

//===----------------------------------------------------------------------===//
// attn.target
//===----------------------------------------------------------------------===//

LogicalResult AttnDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != "attn.target")
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitError("expected attn.target on a module, got it on ")
           << op->getName();
  if (!isa<TargetAttr>(attr.getValue()))
    return op->emitError("expected attn.target to be a #attn.target, got ")
           << attr.getValue();
  return success();
}
