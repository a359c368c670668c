//===- Assembly.cpp - how attn ops are written and read -------------------===//
//
//   %o, %lse = attn.attention {scale = 0.125, hidden = skip, ...}
//       maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), ...]
//       ins(%q, %k, %v : ...) extras(...) sink(...) symbols(...) blocks(...)
//       origin = [...] extents = [...] outs(%o0, %l0 : ...)
//       score (%s : f32, %e : f16) { ... }
//
// All maps share their dims, so these are written once. Dims are printed by
// role (b batch, m row, n key, k depth, d value); any names can be read.
// Clauses that are empty and attributes that have their default are not
// printed.
//
//===----------------------------------------------------------------------===//
#include "AssemblyImpl.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Parses `{key = value, ...}`: hidden, empty_rows and scale in their short
/// forms, everything else as attributes.
static ParseResult parseAttributes(OpAsmParser &parser, NamedAttrList &attrs,
                                   bool withEmptyRows, bool withScale) {
  Builder b(parser.getContext());
  auto parseField = [&]() -> ParseResult {
    std::string key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&key) || parser.parseEqual())
      return failure();
    if (attrs.get(key))
      return parser.emitError(loc)
             << "attribute '" << key << "' is given twice";
    if (key == "hidden" && withScale) {
      HiddenAttr hidden = parseHiddenBody(parser);
      if (!hidden)
        return failure();
      attrs.append(key, hidden);
      return success();
    }
    if (key == "empty_rows" && withEmptyRows) {
      StringRef text;
      SMLoc at = parser.getCurrentLocation();
      if (parser.parseKeyword(&text))
        return failure();
      std::optional<EmptyRows> kind = symbolizeEmptyRows(text);
      if (!kind)
        return parser.emitError(at)
               << "expected empty_rows nan, zero or nan_select, got " << text;
      attrs.append(key, EmptyRowsAttr::get(parser.getContext(), *kind));
      return success();
    }
    Attribute value;
    if (parser.parseAttribute(value,
                              key == "scale" ? Type(b.getF64Type()) : Type()))
      return failure();
    attrs.append(key, value);
    return success();
  };
  if (succeeded(parser.parseOptionalLBrace())) {
    if (failed(parser.parseOptionalRBrace()) &&
        (parser.parseCommaSeparatedList(parseField) || parser.parseRBrace()))
      return failure();
  }
  if (withScale && !attrs.get("scale"))
    attrs.append("scale", b.getF64FloatAttr(1.0));
  if (withScale && !attrs.get("hidden"))
    attrs.append("hidden", HiddenAttr::getSkip(parser.getContext()));
  if (withEmptyRows && !attrs.get("empty_rows"))
    attrs.append("empty_rows",
                 EmptyRowsAttr::get(parser.getContext(), EmptyRows::NaN));
  return success();
}

static void printAttributes(OpAsmPrinter &printer, Operation *op) {
  SmallVector<std::function<void()>> fields;
  for (NamedAttribute attr : op->getAttrs()) {
    StringRef key = attr.getName();
    Attribute value = attr.getValue();
    if (key == "maps" || key == "operandSegmentSizes" ||
        key == "static_origin" || key == "static_extents")
      continue;
    if (auto list = dyn_cast<DenseI64ArrayAttr>(value);
        list && list.empty() && key == "differentiate")
      continue;
    if (auto hidden = dyn_cast<HiddenAttr>(value); hidden && key == "hidden") {
      if (hidden.isSkip())
        continue;
      fields.push_back([&printer, hidden] {
        printer << "hidden = ";
        printHiddenBody(printer, hidden);
      });
    } else if (auto rows = dyn_cast<EmptyRowsAttr>(value);
               rows && key == "empty_rows") {
      if (rows.getValue() != EmptyRows::NaN)
        fields.push_back([&printer, rows] {
          printer << "empty_rows = " << stringifyEmptyRows(rows.getValue());
        });
    } else if (auto number = dyn_cast<FloatAttr>(value);
               number && key == "scale" && number.getType().isF64()) {
      if (!number.getValue().isExactlyValue(1.0))
        fields.push_back([&printer, number] {
          printer << "scale = ";
          printer.printAttributeWithoutType(number);
        });
    } else {
      fields.push_back([&printer, key, value] {
        printer.printKeywordOrString(key);
        printer << " = " << value;
      });
    }
  }
  if (fields.empty())
    return;
  printer << " {";
  llvm::interleaveComma(fields, printer, [](auto &print) { print(); });
  printer << "}";
}

//===----------------------------------------------------------------------===//
// Operand clauses
//===----------------------------------------------------------------------===//

/// Parses `keyword(%a, %b : type, type)`; returns the number of operands.
static ParseResult parseClause(OpAsmParser &parser, StringRef keyword,
                               bool required, OperationState &state,
                               int32_t &count,
                               SmallVectorImpl<Type> *types = nullptr) {
  count = 0;
  if (required ? parser.parseKeyword(keyword)
               : parser.parseOptionalKeyword(keyword))
    return failure(required);
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(operands) ||
      parser.parseColonTypeList(operandTypes) || parser.parseRParen() ||
      parser.resolveOperands(operands, operandTypes, loc, state.operands))
    return failure();
  count = operands.size();
  if (types)
    llvm::append_range(*types, operandTypes);
  return success();
}

static void printClause(OpAsmPrinter &printer, StringRef keyword,
                        ValueRange values) {
  if (!values.empty())
    printer << " " << keyword << "(" << values << " : " << values.getTypes()
            << ")";
}

/// Parses `keyword = [4, %x, ...]`.
static ParseResult parseIndices(OpAsmParser &parser, StringRef keyword,
                                OperationState &state, StringRef attribute,
                                int32_t &count) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  DenseI64ArrayAttr integers = parser.getBuilder().getDenseI64ArrayAttr({});
  count = 0;
  if (succeeded(parser.parseOptionalKeyword(keyword))) {
    if (parser.parseEqual() ||
        parseDynamicIndexList(parser, operands, integers) ||
        parser.resolveOperands(operands, parser.getBuilder().getIndexType(),
                               state.operands))
      return failure();
    count = operands.size();
  }
  state.addAttribute(attribute, integers);
  return success();
}

static void printIndices(OpAsmPrinter &printer, Operation *op,
                         StringRef keyword, OperandRange values,
                         ArrayRef<int64_t> integers) {
  if (integers.empty())
    return;
  printer << " " << keyword << " = ";
  printDynamicIndexList(printer, op, values, integers);
}

static void addTensorResults(OperationState &state, ArrayRef<Type> outs) {
  for (Type type : outs)
    if (isa<RankedTensorType>(type))
      state.addTypes(type);
}

//===----------------------------------------------------------------------===//
// attention, online_attention
//===----------------------------------------------------------------------===//

/// Parses `score (%s : f32, ...) {...}`, or makes the identity region.
static ParseResult parseScore(OpAsmParser &parser, OperationState &state,
                              ValueRange qkv, ValueRange extras) {
  Region *region = state.addRegion();
  if (succeeded(parser.parseOptionalKeyword("score"))) {
    SmallVector<OpAsmParser::Argument> arguments;
    return failure(parser.parseArgumentList(arguments,
                                            OpAsmParser::Delimiter::Paren,
                                            /*allowType=*/true) ||
                   parser.parseRegion(*region, arguments));
  }
  bool isDouble = llvm::any_of(
      qkv, [](Value v) { return getElementTypeOrSelf(v).isF64(); });
  OpBuilder b(parser.getContext());
  Block *block = b.createBlock(region);
  block->addArgument(isDouble ? Type(b.getF64Type()) : Type(b.getF32Type()),
                     state.location);
  for (Value extra : extras)
    block->addArgument(getElementTypeOrSelf(extra), state.location);
  YieldOp::create(b, state.location, block->getArgument(0), Value());
  return success();
}

static void printScore(OpAsmPrinter &printer, ScoreOpInterface op) {
  if (hasIdentityScore(op))
    return;
  printer << " score (";
  llvm::interleaveComma(
      op.getScoreRegion().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(op.getScoreRegion(), /*printEntryBlockArgs=*/false);
}

/// Parses everything between the maps and `outs`. `counts` are the segment
/// sizes in operand order.
static ParseResult parseScoreInputs(OpAsmParser &parser, OperationState &state,
                                    bool withSink,
                                    SmallVectorImpl<int32_t> &counts) {
  int32_t count;
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "ins", true, state, count))
    return failure();
  if (count != 3)
    return parser.emitError(loc) << "expected query, key and value in ins, got "
                                 << count << " operands";
  counts.assign({1, 1, 1});
  auto optional = [&](StringRef keyword) -> ParseResult {
    return parseClause(parser, keyword, false, state, counts.emplace_back());
  };
  if (optional("extras") || (withSink && optional("sink")) ||
      optional("symbols") || optional("blocks") ||
      parseIndices(parser, "origin", state, "static_origin",
                   counts.emplace_back()) ||
      parseIndices(parser, "extents", state, "static_extents",
                   counts.emplace_back()))
    return failure();
  // Sink and blocks hold at most one operand.
  SmallVector<std::pair<unsigned, StringRef>> single;
  if (withSink)
    single.push_back({4, "sink"});
  single.push_back({withSink ? 6 : 5, "blocks"});
  for (auto [index, keyword] : single)
    if (counts[index] > 1)
      return parser.emitError(loc) << "expected one operand in " << keyword
                                   << ", got " << counts[index];
  return success();
}

/// Prints everything between the op's name and its destinations.
template <typename OpTy>
static void printInputs(OpAsmPrinter &printer, OpTy op, Value sink) {
  printAttributes(printer, op);
  printMaps(printer, op.getMapArray(), dimNames(op));
  printClause(printer, "ins", {op.getQuery(), op.getKey(), op.getValue()});
  printClause(printer, "extras", op.getExtras());
  if (sink)
    printClause(printer, "sink", sink);
  printClause(printer, "symbols", op.getSymbols());
  if (op.getBlocks())
    printClause(printer, "blocks", op.getBlocks());
  printIndices(printer, op, "origin", op.getOrigin(), op.getStaticOrigin());
  printIndices(printer, op, "extents", op.getExtents(), op.getStaticExtents());
}

/// Parses what follows the destinations, once `counts` holds all segment sizes.
template <typename Properties>
static ParseResult parseEnd(OpAsmParser &parser, OperationState &state,
                            ArrayRef<int32_t> counts, ArrayRef<Type> outTypes) {
  llvm::copy(
      counts,
      state.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  addTensorResults(state, outTypes);
  ArrayRef<Value> operands = state.operands;
  return parseScore(parser, state, operands.take_front(3),
                    operands.slice(3, counts[3]));
}

ParseResult AttentionOp::parse(OpAsmParser &parser, OperationState &state) {
  ArrayAttr maps;
  SmallVector<int32_t> counts;
  int32_t outs;
  SmallVector<Type> outTypes;
  if (parseAttributes(parser, state.attributes, true, true) ||
      parseMaps(parser, maps) || parseScoreInputs(parser, state, true, counts))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "outs", true, state, outs, &outTypes))
    return failure();
  if (outs != 1 && outs != 2)
    return parser.emitError(loc)
           << "expected the output and optionally the log-sum-exp in outs, got "
           << outs << " operands";
  counts.append({1, outs - 1});
  state.addAttribute("maps", maps);
  return parseEnd<Properties>(parser, state, counts, outTypes);
}

void AttentionOp::print(OpAsmPrinter &printer) {
  printInputs(printer, *this, getSink());
  printClause(printer, "outs", getDpsInits());
  printScore(printer, *this);
}

ParseResult OnlineAttentionOp::parse(OpAsmParser &parser,
                                     OperationState &state) {
  ArrayAttr maps;
  SmallVector<int32_t> counts;
  int32_t outs;
  SmallVector<Type> outTypes;
  if (parseAttributes(parser, state.attributes, false, true) ||
      parseMaps(parser, maps) || parseScoreInputs(parser, state, false, counts))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "outs", true, state, outs, &outTypes))
    return failure();
  if (outs != 3)
    return parser.emitError(loc)
           << "expected acc, max and sum in outs, got " << outs << " operands";
  counts.append({1, 1, 1});
  state.addAttribute("maps", maps);
  return parseEnd<Properties>(parser, state, counts, outTypes);
}

void OnlineAttentionOp::print(OpAsmPrinter &printer) {
  printInputs(printer, *this, Value());
  printClause(printer, "outs", getDpsInits());
  printScore(printer, *this);
}

//===----------------------------------------------------------------------===//
// attention_backward
//===----------------------------------------------------------------------===//

ParseResult AttentionBackwardOp::parse(OpAsmParser &parser,
                                       OperationState &state) {
  ArrayAttr maps;
  SmallVector<int32_t> counts;
  int32_t forward, grad, outs;
  SmallVector<Type> outTypes;
  if (parseAttributes(parser, state.attributes, true, true) ||
      parseMaps(parser, maps) || parseScoreInputs(parser, state, true, counts))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "forward", true, state, forward))
    return failure();
  if (forward != 2)
    return parser.emitError(loc)
           << "expected the output and the log-sum-exp in "
              "forward, got "
           << forward << " operands";
  loc = parser.getCurrentLocation();
  if (parseClause(parser, "grad", true, state, grad) ||
      parseClause(parser, "outs", true, state, outs, &outTypes))
    return failure();
  if (grad != 1 && grad != 2)
    return parser.emitError(loc)
           << "expected the gradients of the output and optionally of the "
              "log-sum-exp in grad, got "
           << grad << " operands";
  counts.append({1, 1, 1, grad - 1, outs});
  state.addAttribute("maps", maps);
  if (!state.attributes.get("differentiate"))
    state.addAttribute("differentiate",
                       parser.getBuilder().getDenseI64ArrayAttr({}));
  return parseEnd<Properties>(parser, state, counts, outTypes);
}

void AttentionBackwardOp::print(OpAsmPrinter &printer) {
  printInputs(printer, *this, getSink());
  printClause(printer, "forward", {getOutput(), getLse()});
  SmallVector<Value> grad = {getOutputGrad()};
  if (getLseGrad())
    grad.push_back(getLseGrad());
  printClause(printer, "grad", grad);
  printClause(printer, "outs", getGrads());
  printScore(printer, *this);
}

ParseResult OnlineBackwardOp::parse(OpAsmParser &parser,
                                    OperationState &state) {
  ArrayAttr maps;
  SmallVector<int32_t> counts;
  int32_t grad, rows, outs;
  SmallVector<Type> outTypes;
  if (parseAttributes(parser, state.attributes, true, true) ||
      parseMaps(parser, maps) || parseScoreInputs(parser, state, false, counts))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "grad", true, state, grad))
    return failure();
  if (grad != 1)
    return parser.emitError(loc)
           << "expected the gradient of the output in grad, got " << grad
           << " operands";
  loc = parser.getCurrentLocation();
  if (parseClause(parser, "rows", true, state, rows))
    return failure();
  if (rows != 2)
    return parser.emitError(loc)
           << "expected the log-sum-exp and delta in rows, got " << rows
           << " operands";
  if (parseClause(parser, "outs", true, state, outs, &outTypes))
    return failure();
  counts.append({1, 1, 1, outs});
  state.addAttribute("maps", maps);
  if (!state.attributes.get("differentiate"))
    state.addAttribute("differentiate",
                       parser.getBuilder().getDenseI64ArrayAttr({}));
  return parseEnd<Properties>(parser, state, counts, outTypes);
}

void OnlineBackwardOp::print(OpAsmPrinter &printer) {
  printInputs(printer, *this, Value());
  printClause(printer, "grad", getOutputGrad());
  printClause(printer, "rows", {getLse(), getDelta()});
  printClause(printer, "outs", getGrads());
  printScore(printer, *this);
}

//===----------------------------------------------------------------------===//
// merge, finish
//===----------------------------------------------------------------------===//

/// Parses `{...} maps = [...] ins(acc, max, sum) outs(...)`.
static ParseResult parseStateOp(OpAsmParser &parser, OperationState &state,
                                bool withEmptyRows, int32_t &outs) {
  ArrayAttr maps;
  int32_t ins;
  SmallVector<Type> outTypes;
  if (parseAttributes(parser, state.attributes, withEmptyRows, false) ||
      parseMaps(parser, maps))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseClause(parser, "ins", true, state, ins) ||
      parseClause(parser, "outs", true, state, outs, &outTypes))
    return failure();
  if (ins != 3)
    return parser.emitError(loc)
           << "expected acc, max and sum in ins, got " << ins << " operands";
  state.addAttribute("maps", maps);
  addTensorResults(state, outTypes);
  return success();
}

static void printStateOp(OpAsmPrinter &printer,
                         DestinationStyleOpInterface op) {
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  SmallVector<AffineMap> maps = indexed.getMapArray();
  printAttributes(printer, op);
  printMaps(printer, maps, dimNames(maps[1], indexed.getNumLoops()));
  printClause(printer, "ins", op->getOperands().take_front(3));
  printClause(printer, "outs", op.getDpsInits());
}

ParseResult MergeOp::parse(OpAsmParser &parser, OperationState &state) {
  int32_t outs;
  SMLoc loc = parser.getCurrentLocation();
  if (parseStateOp(parser, state, false, outs))
    return failure();
  if (outs != 3)
    return parser.emitError(loc)
           << "expected acc, max and sum in outs, got " << outs << " operands";
  return success();
}
void MergeOp::print(OpAsmPrinter &printer) {
  printStateOp(printer, cast<DestinationStyleOpInterface>(getOperation()));
}

ParseResult FinishOp::parse(OpAsmParser &parser, OperationState &state) {
  int32_t outs;
  SMLoc loc = parser.getCurrentLocation();
  if (parseStateOp(parser, state, true, outs))
    return failure();
  if (outs != 1 && outs != 2)
    return parser.emitError(loc)
           << "expected the output and optionally the log-sum-exp in outs, got "
           << outs << " operands";
  return success();
}
void FinishOp::print(OpAsmPrinter &printer) {
  printStateOp(printer, cast<DestinationStyleOpInterface>(getOperation()));
}
