//===- View.h - what a tensor's element is, as an expression -----*- C++
//-*-===//
//
// The analysis view answers one question: what is element (i0, i1, ...) of this
// tensor, as a function of elements of other tensors? It is pulled, not pushed:
// nothing is computed that nobody asked for, and nothing in the IR is changed.
//
//   Constant   a scalar constant
//   Index      a linear function of atoms (iotas and linalg.index end up here)
//   Scalar     an SSA value that is not a tensor
//   Table      an element of a constant tensor, read from its values
//   Access     an element of a tensor; expand() takes it one op further
//   Apply      a scalar op on other nodes
//   Reduce     a reduction (sum, max, ...) from its neutral element over all
//   the
//              reduction loops of an op; what it sums is asked for by body()
//
// Transposes, reshapes, slices, casts, copies, broadcasts and unit dims vanish:
// access() follows them to the tensor behind and only the indices change.
// Nodes are unique, so that two expressions are equal if their nodes are. A
// form of IR that the view cannot read stays an Access, a leaf: sound, never
// wrong.
//
// Reading a new form is an adapter: one case of follow() for what only moves
// elements (ViewMovement.cpp), of expand() for what computes them
// (ViewStructured.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RECOGNIZE_VIEW_H
#define ATTN_RECOGNIZE_VIEW_H

#include "attn/Recognize/IndexSpace.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APFloat.h"
#include <memory>
#include <unordered_map>

namespace mlir::attn {

enum class Combiner { Add, Mul, Max, Min, And, Or, Other };

/// A tensor read at some indices: one way to get at a node's value.
struct Reading {
  Value tensor;
  SmallVector<Linear> indices;
};

struct Node {
  enum Kind { Constant, Index, Scalar, Table, Access, Apply, Reduce };
  Kind kind;
  Type type; // the scalar's type
  unsigned id = 0;

  TypedAttr attr;              // Constant; Table: the tensor's elements
  Linear index;                // Index
  Value value;                 // Scalar; Access and gathers: the tensor
  SmallVector<Linear> indices; // Access, Table, Reduce
  Operation *op = nullptr;     // Reduce; Apply: an op like it, if there is one
  unsigned role = 0;           // Reduce: which result (or which part) of op
  Combiner combiner = Combiner::Other; // Reduce
  StringAttr name;                     // Apply: op name
  DictionaryAttr attributes;           // Apply
  SmallVector<Node *> operands;        // Apply

  // What the view remembers about the node; no part of its identity.
  SmallVector<Reading> readings; // tensors that hold this value
  Node *expansion = nullptr;
  Node *full = nullptr;
  bool expanded = false;

  bool is(StringRef opName) const {
    return kind == Apply && name.getValue() == opName;
  }
};

/// The float value of a constant node.
std::optional<llvm::APFloat> floatConstant(const Node *node);
/// The integer (or i1) value of a constant node.
std::optional<int64_t> intConstant(const Node *node);

class View {
public:
  explicit View(IndexSpace &space, MLIRContext *context)
      : space(space), context(context) {}

  IndexSpace &getSpace() { return space; }
  MLIRContext *getContext() const { return context; }

  /// The element of `tensor` at `indices`.
  Node *access(Value tensor, ArrayRef<Linear> indices);
  /// The node one op further: an Access becomes what its op computes. Null for
  /// leaves, reductions, and what the view cannot read.
  Node *expand(Node *node);
  /// The node expanded down to reductions and leaves.
  Node *full(Node *node);
  /// What a reduction combines, at an index for each of its reduction loops (in
  /// the order of reductionLoops()); null if the view cannot read it.
  Node *body(Node *reduce, ArrayRef<Linear> loops);
  /// The reduction loops of a reduction: number and extent.
  SmallVector<std::pair<unsigned, Extent>> reductionLoops(Node *reduce);

  Node *constant(TypedAttr value);
  Node *floatValue(Type type, double value);
  Node *index(Linear linear, Type type);
  Node *scalar(Value value);
  /// A scalar op on nodes, simplified where that is exact. `prototype` may be
  /// null. See ViewScalar.cpp.
  Node *apply(StringAttr name, DictionaryAttr attributes,
              ArrayRef<Node *> operands, Type type,
              Operation *prototype = nullptr);
  Node *apply(StringRef name, ArrayRef<Node *> operands, Type type);

  /// True if something was read through a test for dims of size 1, as if no
  /// such dim were broadcast and the whole dim were read.
  bool readsBroadcastTest() const { return broadcastTest; }
  void noteBroadcastTest() { broadcastTest = true; }
  /// True if something rests on sizes, or integers that are data, being so
  /// small that arithmetic on them does not wrap around.
  bool readsSmallIntegers() const { return smallIntegers; }
  void noteSmallIntegers() { smallIntegers = true; }

  /// True if the node's value may change with one of the atoms.
  bool dependsOn(Node *node, ArrayRef<Atom> atoms);
  /// True if some Apply with this name is in the node, reductions excluded.
  bool contains(Node *node, ArrayRef<StringRef> names);

private:
  friend class BodyReader;
  Node *unique(Node &&node);
  Node *fold(StringRef name, DictionaryAttr attributes,
             ArrayRef<Node *> operands, Type type, Operation *prototype);
  /// One step through an op that only moves elements.
  std::optional<Reading> follow(Value tensor, ArrayRef<Linear> indices);
  std::optional<Reading> followCopy(linalg::LinalgOp op, unsigned result,
                                    ArrayRef<Linear> indices);
  /// What a pad puts at these indices, all of which lie outside; or null.
  Value paddingAt(Value tensor, ArrayRef<Linear> indices);
  Node *leaf(Value tensor, ArrayRef<Linear> indices);
  Node *constantElement(DenseElementsAttr elements, ArrayRef<Linear> indices);
  Node *reduction(Value tensor, ArrayRef<Linear> indices);
  bool isRescaledZero(Node *init, Node *sum);
  Node *softmax(linalg::SoftmaxOp op, ArrayRef<Linear> indices);
  Node *structuredElement(linalg::LinalgOp op, Value yielded,
                          ArrayRef<Linear> loops);
  /// An index for every loop of a structured op from those of a result.
  std::optional<SmallVector<Linear>>
  loopsOfResult(linalg::LinalgOp op, unsigned result, ArrayRef<Linear> indices);
  std::optional<Linear> evaluate(AffineExpr expr, ArrayRef<Linear> dims);
  std::optional<SmallVector<Linear>> evaluate(AffineMap map,
                                              ArrayRef<Linear> dims);

  IndexSpace &space;
  MLIRContext *context;
  std::vector<std::unique_ptr<Node>> nodes;
  std::unordered_multimap<size_t, Node *> table;
  DenseMap<std::pair<Node *, unsigned>, bool> dependsMemo;
  unsigned depth = 0;
  bool broadcastTest = false;
  bool smallIntegers = false;
};

/// True for scalar ops applied to whole tensors (arith.addf on tensors).
bool isElementwise(Operation *op);

/// The extent of a loop of a structured op.
Extent loopExtent(linalg::LinalgOp op, unsigned loop);

/// The operation that combines elements into a result of a structured op with
/// reduction loops, and the element, a value of the op's body; nothing if the
/// body is not of the form combine(out, element).
struct Combining {
  Combiner combiner;
  Operation *op;
  Value element;
};
std::optional<Combining> matchCombining(linalg::LinalgOp op, unsigned result);

} // namespace mlir::attn

#endif // ATTN_RECOGNIZE_VIEW_H
