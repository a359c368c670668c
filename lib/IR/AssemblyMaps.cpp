//===- AssemblyMaps.cpp - indexing maps, their dims written once ----------===//
//
//   maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), ...]
//
//===----------------------------------------------------------------------===//
#include "AssemblyImpl.h"
#include "attn/IR/Roles.h"

using namespace mlir;
using namespace mlir::attn;

ParseResult mlir::attn::parseMaps(OpAsmParser &parser, ArrayAttr &maps) {
  MLIRContext *context = parser.getContext();
  SmallVector<std::pair<StringRef, AffineExpr>> names;
  auto parseDim = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    names.push_back({name, getAffineDimExpr(names.size(), context)});
    return success();
  };
  SmallVector<AffineExpr> results;
  auto parseResult = [&]() {
    return parser.parseAffineExpr(names, results.emplace_back());
  };
  SmallVector<Attribute> parsed;
  auto parseMap = [&]() -> ParseResult {
    results.clear();
    if (parser.parseArrow() || parser.parseCommaSeparatedList(
                                   AsmParser::Delimiter::Paren, parseResult))
      return failure();
    parsed.push_back(
        AffineMapAttr::get(AffineMap::get(names.size(), 0, results, context)));
    return success();
  };
  if (parser.parseKeyword("maps") || parser.parseEqual() ||
      parser.parseLSquare() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseDim) ||
      parser.parseCommaSeparatedList(parseMap) || parser.parseRSquare())
    return failure();
  maps = ArrayAttr::get(context, parsed);
  return success();
}

static void printExpr(raw_ostream &os, AffineExpr expr,
                      ArrayRef<std::string> names) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    os << names[dim.getPosition()];
    return;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    os << constant.getValue();
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    os << "s" << symbol.getPosition();
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto operand = [&](AffineExpr e) {
    bool nested = isa<AffineBinaryOpExpr>(e);
    os << (nested ? "(" : "");
    printExpr(os, e, names);
    os << (nested ? ")" : "");
  };
  operand(binary.getLHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    os << " + ";
    break;
  case AffineExprKind::Mul:
    os << " * ";
    break;
  case AffineExprKind::FloorDiv:
    os << " floordiv ";
    break;
  case AffineExprKind::CeilDiv:
    os << " ceildiv ";
    break;
  default:
    os << " mod ";
    break;
  }
  operand(binary.getRHS());
}

void mlir::attn::printMaps(OpAsmPrinter &printer, ArrayRef<AffineMap> maps,
                           ArrayRef<std::string> names) {
  raw_ostream &os = printer.getStream();
  os << " maps = [(";
  llvm::interleaveComma(names, os);
  os << ") ";
  llvm::interleaveComma(maps, os, [&](AffineMap map) {
    os << "-> (";
    llvm::interleaveComma(map.getResults(), os,
                          [&](AffineExpr e) { printExpr(os, e, names); });
    os << ")";
  });
  os << "]";
}

/// `stem` for a dim that is alone of its kind, stem0, stem1, ... otherwise.
static void nameDims(ArrayRef<unsigned> dims, StringRef stem,
                     SmallVectorImpl<std::string> &names) {
  for (auto [i, dim] : llvm::enumerate(dims))
    names[dim] = dims.size() == 1 ? stem.str() : (stem + Twine(i)).str();
}

SmallVector<std::string> mlir::attn::dimNames(ScoreOpInterface op) {
  Roles roles = inferRoles(op);
  SmallVector<std::string> names(op.getNumLoops());
  nameDims(roles.batch, "b", names);
  nameDims(roles.row, "m", names);
  nameDims(roles.key, "n", names);
  nameDims(roles.depth, "k", names);
  nameDims(roles.value, "d", names);
  for (auto [i, name] : llvm::enumerate(names))
    if (name.empty())
      name = ("x" + Twine(i)).str();
  return names;
}

SmallVector<std::string> mlir::attn::dimNames(AffineMap state,
                                              unsigned numDims) {
  SmallVector<unsigned> rows, values;
  for (unsigned dim = 0; dim < numDims; ++dim)
    (state.isFunctionOfDim(dim) ? rows : values).push_back(dim);
  SmallVector<std::string> names(numDims);
  nameDims(rows, "m", names);
  nameDims(values, "d", names);
  return names;
}
