//===- AttnGPU.cpp - types and ops of the attn_gpu dialect ----------------===//
#include "attn/GPU/AttnGPU.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_gpu;

#include "attn/GPU/AttnGPUDialect.cpp.inc"
#include "attn/GPU/AttnGPUEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "attn/GPU/AttnGPUAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "attn/GPU/AttnGPUTypes.cpp.inc"
#define GET_OP_CLASSES
#include "attn/GPU/AttnGPUOps.cpp.inc"

void AttnGPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/GPU/AttnGPUAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/GPU/AttnGPUTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/GPU/AttnGPUOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// !attn_gpu.fragment
//===----------------------------------------------------------------------===//

/// `<32x64xf32` of both types.
static ParseResult parseShaped(AsmParser &parser, SmallVector<int64_t> &shape,
                               Type &element) {
  return failure(parser.parseLess() ||
                 parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(element));
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape,
                        Type element) {
  printer << "<";
  for (int64_t size : shape)
    printer << size << "x";
  printer << element;
}

Type FragmentType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  StringRef keyword;
  if (parseShaped(parser, shape, element) || parser.parseComma())
    return {};
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  std::optional<Layout> layout = symbolizeLayout(keyword);
  if (!layout) {
    parser.emitError(at, "expected a layout: acc, lhs, row or col");
    return {};
  }
  return parser.getChecked<FragmentType>(at, parser.getContext(), shape,
                                         element, *layout);
}

void FragmentType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
  printer << ", " << stringifyLayout(getLayout()) << ">";
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, Type element,
                                   Layout layout) {
  size_t rank = layout == Layout::Row || layout == Layout::Col ? 1 : 2;
  if (shape.size() != rank)
    return emitError() << "expected " << rank << " dims in layout "
                       << stringifyLayout(layout) << ", got " << shape.size();
  if (layout != Layout::Col && (shape[0] < 16 || shape[0] % 16))
    return emitError() << "expected rows to be a multiple of 16, got "
                       << shape[0];
  int64_t columns = layout == Layout::Lhs ? 16 : 8;
  if (layout != Layout::Row &&
      (shape.back() < columns || shape.back() % columns))
    return emitError() << "expected columns to be a multiple of " << columns
                       << " in layout " << stringifyLayout(layout) << ", got "
                       << shape.back();
  if (!element.isIntOrIndexOrFloat())
    return emitError() << "expected scalar elements, got " << element;
  return success();
}

int64_t FragmentType::getLaneValues() const {
  if (isRow())
    return getRows() / 8;
  if (isCol())
    return getColumns() / 4;
  int64_t elements = getRows() * getColumns() / kWarpSize;
  bool packed = getLayout() == Layout::Lhs &&
                getElementType().getIntOrFloatBitWidth() == 16;
  return packed ? elements / 2 : elements;
}

Type FragmentType::getLaneType() const {
  if (getLayout() == Layout::Lhs)
    return IntegerType::get(getContext(), 32);
  return getElementType();
}

FragmentType FragmentType::with(Type element) const {
  return get(getContext(), getShape(), element, getLayout());
}
FragmentType FragmentType::getRow(int64_t rows, Type element) {
  return get(element.getContext(), {rows}, element, Layout::Row);
}
FragmentType FragmentType::getCol(int64_t columns, Type element) {
  return get(element.getContext(), {columns}, element, Layout::Col);
}
FragmentType FragmentType::getAcc(int64_t rows, int64_t columns, Type element) {
  return get(element.getContext(), {rows, columns}, element, Layout::Acc);
}

//===----------------------------------------------------------------------===//
// !attn_gpu.shared
//===----------------------------------------------------------------------===//

Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SMLoc at = parser.getCurrentLocation();
  if (parseShaped(parser, shape, element) || parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(at, parser.getContext(), shape, element);
}

void SharedType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
  printer << ">";
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element) {
  if (shape.size() != 2)
    return emitError() << "expected rows and columns, got " << shape.size()
                       << " dims";
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return emitError() << "expected elements of type f16, bf16 or f32, got "
                       << element;
  if (shape[0] < 8 || shape[0] % 8 || shape[1] < 16 || shape[1] % 16)
    return emitError()
           << "expected rows to be a multiple of 8 and columns of 16, got "
           << shape[0] << "x" << shape[1];
  return success();
}

unsigned SharedType::getSwizzleBits() const {
  int64_t pieces = getRowBytes() / 16;
  return std::min(3u, unsigned(llvm::countr_zero(uint64_t(pieces))));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void AddressOp::build(OpBuilder &b, OperationState &state, Access access,
                      Value buffer) {
  state.addOperands(buffer);
  state.addAttribute("access", AccessAttr::get(b.getContext(), access));
  state.addTypes(LLVM::LLVMPointerType::get(b.getContext()));
}

LogicalResult SharedTileOp::verify() {
  int64_t offset = getOffset();
  if (offset < 0 || offset % 128)
    return emitOpError("expected offset to be a multiple of 128, got ")
           << offset;
  return success();
}

LogicalResult RowsOp::verify() {
  SharedType from = getSource().getType(), to = getType();
  if (from.getElementType() != to.getElementType() ||
      from.getColumns() != to.getColumns() || from.getRows() < to.getRows())
    return emitOpError("expected some rows of ") << from << ", got " << to;
  return success();
}

/// A region with arguments (index, index) that yields an index and an i1.
static LogicalResult verifyPlaces(Operation *op, Block &block) {
  auto yield = dyn_cast<YieldOp>(block.back());
  if (block.getNumArguments() != 2 ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }) ||
      !yield || yield.getNumOperands() != 2 ||
      !yield.getOperand(0).getType().isIndex() ||
      !yield.getOperand(1).getType().isInteger(1))
    return op->emitOpError(
        "expected a region from (row, column), both index, to an offset of "
        "type index and an i1");
  return success();
}

LogicalResult CopyOp::verify() {
  int64_t vector = getVector(), piece = getTile().getType().getPiece();
  if (vector < 1 || piece % vector)
    return emitOpError("expected vector to divide the ")
           << piece << " elements of 16 bytes, got " << vector;
  return verifyPlaces(*this, getBody().front());
}

LogicalResult StoreOp::verify() {
  if (getVector() != 1 && getVector() != 2)
    return emitOpError("expected vector to be 1 or 2, got ") << getVector();
  Layout layout = getSource().getType().getLayout();
  if (layout == Layout::Lhs || layout == Layout::Col)
    return emitOpError("expected a source of layout acc or row");
  if (!isa<FloatType>(getElementType()))
    return emitOpError("expected a float type to store, got ")
           << getElementType();
  return verifyPlaces(*this, getBody().front());
}

LogicalResult LoadOp::verify() {
  SharedType tile = getTile().getType();
  FragmentType result = getType();
  if (tile.getElementBytes() != 2)
    return emitOpError("expected 16-bit elements, got ") << tile;
  if (result.getLayout() != Layout::Lhs ||
      result.getShape() != tile.getShape() ||
      result.getElementType() != tile.getElementType())
    return emitOpError("expected the result to be ")
           << tile << " in layout lhs, got " << result;
  return success();
}

void MmaOp::build(OpBuilder &b, OperationState &state, Value lhs, Value rhs,
                  Value acc, bool transposed) {
  state.addOperands({lhs, rhs, acc});
  if (transposed)
    state.addAttribute("transposed", b.getUnitAttr());
  state.addAttribute(getOperandSegmentSizeAttr(),
                     b.getDenseI32ArrayAttr({1, 1, 1, 0, 0}));
  state.addTypes(acc.getType());
}

/// Are `wanted` of `there`, from somewhere on if `moved`?
static bool takesPart(int64_t wanted, int64_t there, bool moved) {
  return moved ? wanted <= there && llvm::isPowerOf2_64(wanted)
               : wanted == there;
}

LogicalResult MmaOp::verify() {
  ArrayRef<int64_t> lhs;
  Type element;
  if (auto tile = dyn_cast<SharedType>(getLhs().getType())) {
    lhs = tile.getShape();
    element = tile.getElementType();
  } else if (auto fragment = dyn_cast<FragmentType>(getLhs().getType());
             fragment && fragment.getLayout() == Layout::Lhs) {
    lhs = fragment.getShape();
    element = fragment.getElementType();
  } else {
    return emitOpError("expected lhs to be a shared tile or a fragment of "
                       "layout lhs, got ")
           << getLhs().getType();
  }
  int64_t m = lhs[0], depth = lhs[1];
  if (getLhsTransposed()) {
    if (!isa<SharedType>(getLhs().getType()) ||
        element.getIntOrFloatBitWidth() != 16)
      return emitOpError("expected a transposed lhs to be a shared tile of "
                         "16-bit elements, got ")
             << getLhs().getType();
    std::swap(m, depth);
  }
  if ((getFirstRow() && !getLhsTransposed()) ||
      (getFirstColumn() && getTransposed()))
    return emitOpError("expected rows from a transposed lhs only, and columns "
                       "from a rhs that is not");
  SharedType rhs = getRhs().getType();
  FragmentType acc = getAcc().getType();
  int64_t k = getTransposed() ? rhs.getColumns() : rhs.getRows();
  int64_t n = getTransposed() ? rhs.getRows() : rhs.getColumns();
  if (acc.getLayout() != Layout::Acc || !acc.getElementType().isF32())
    return emitOpError("expected acc to be f32 in layout acc, got ") << acc;
  bool movedRows = static_cast<bool>(getFirstRow());
  bool movedColumns = static_cast<bool>(getFirstColumn());
  if (element != rhs.getElementType() || depth != k ||
      !takesPart(acc.getRows(), m, movedRows) ||
      !takesPart(acc.getColumns(), n, movedColumns))
    return emitOpError("expected M x K, K x N and M x N of one type, got ")
           << m << " x " << depth << ", " << k << " x " << n << " and "
           << acc.getRows() << " x " << acc.getColumns();
  return success();
}

LogicalResult PutOp::verify() {
  FragmentType source = getSource().getType();
  SharedType tile = getTile().getType();
  bool across = tile.getElementBytes() == 4;
  int64_t m = across ? tile.getColumns() : tile.getRows();
  int64_t n = across ? tile.getRows() : tile.getColumns();
  if (source.getLayout() != Layout::Acc || !source.getElementType().isF32())
    return emitOpError("expected a source of f32 in layout acc, got ")
           << source;
  if (!isa<FloatType>(tile.getElementType()))
    return emitOpError("expected a tile of floats, got ") << tile;
  if (getFirst() && !across)
    return emitOpError("expected a place among the columns of a tile of 32-bit "
                       "elements only, got ")
           << tile;
  if (!takesPart(source.getRows(), m, static_cast<bool>(getFirst())) ||
      source.getColumns() != n)
    return emitOpError("expected the tile to hold ")
           << source << (across ? ", transposed" : "") << ", got " << tile;
  return success();
}

/// A fragment of f32 in layout acc, part of rows of so many blocks.
static LogicalResult verifySums(Operation *op, FragmentType type,
                                int64_t blockColumns) {
  if (type.getLayout() != Layout::Acc || !type.getElementType().isF32())
    return op->emitOpError("expected f32 in layout acc, got ") << type;
  if (type.getColumns() / 8 > blockColumns)
    return op->emitOpError("expected block_columns of at least ")
           << type.getColumns() / 8 << ", got " << blockColumns;
  return success();
}

LogicalResult AddSumsOp::verify() {
  return verifySums(*this, getSource().getType(), getBlockColumns());
}

LogicalResult StoreSumsOp::verify() {
  return verifySums(*this, getSource().getType(), getBlockColumns());
}

LogicalResult LoadSumsOp::verify() {
  return verifySums(*this, getType(), getBlockColumns());
}

void ReduceOp::build(OpBuilder &b, OperationState &state, Reduction kind,
                     Value source, Value init) {
  state.addOperands({source, init});
  state.addAttribute("kind", ReductionAttr::get(b.getContext(), kind));
  state.addTypes(init.getType());
}

void AcrossOp::build(OpBuilder &b, OperationState &state, Reduction kind,
                     Value source) {
  state.addOperands(source);
  state.addAttribute("kind", ReductionAttr::get(b.getContext(), kind));
  state.addTypes(source.getType());
}

LogicalResult MapOp::verify() {
  Block &block = getBody().front();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (block.getNumArguments() != getNumOperands() + 2)
    return emitOpError("expected a region argument per input, then row and "
                       "column");
  bool matrix = false;
  int64_t rows = 0, columns = 0;
  auto differs = [](int64_t &all, int64_t own) {
    bool other = all && all != own;
    all = own;
    return other;
  };
  for (auto [input, argument] : llvm::zip(getInputs(), block.getArguments())) {
    auto type = cast<FragmentType>(input.getType());
    if (type.getLayout() == Layout::Lhs)
      return emitOpError("expected inputs of layout acc, row or col");
    if (argument.getType() != type.getElementType())
      return emitOpError("expected region argument ")
             << argument.getArgNumber() << " to be " << type.getElementType();
    matrix |= type.isMatrix();
    if (!type.isCol() && differs(rows, type.getRows()))
      return emitOpError("expected inputs with equally many rows");
    if (!type.isRow() && differs(columns, type.getColumns()))
      return emitOpError("expected inputs with equally many columns");
  }
  if (!yield || yield.getNumOperands() != getNumResults())
    return emitOpError("expected the region to yield a value per result");
  for (auto [result, value] : llvm::zip(getResults(), yield.getOperands())) {
    auto type = cast<FragmentType>(result.getType());
    if (type.getElementType() != value.getType())
      return emitOpError("expected to yield ") << type.getElementType();
    if (matrix && !type.isMatrix())
      return emitOpError("expected results of layout acc, as an input is");
  }
  return success();
}
