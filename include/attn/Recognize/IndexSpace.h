//===- IndexSpace.h - loops, their factors, and linear indices ---*- C++
//-*-===//
//
// Exporters reshape: heads are merged with the batch, split again, unit dims
// come and go. The analysis view follows an element through all that without
// ever writing floordiv or mod, by *splitting loops to a common factorisation*:
//
//   a tensor of 8 heads, read as (b, h) with 2 x 4, by a loop i of 8 steps
//     ->  the loop has the factors b (2) and h (4), and i = 4 b + h
//
// An atom is one factor of one loop. An index is a linear function of atoms. If
// a division needs a factor that is not there yet, the split is written down,
// the view is thrown away and read again with the finer atoms: splits are few,
// and nothing that was computed with the coarser atoms can survive by mistake.
// Loops and factors of one step have no atom: they are the constant 0.
//
// Where dims of unknown size are merged, i0 n + i1 is not linear in atoms. Such
// an index is an atom of its own that remembers its parts: splitting the dim
// the same way gives them back, nothing else can look inside. A loop whose dim
// is split into unknown sizes becomes such a merge.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RECOGNIZE_INDEXSPACE_H
#define ATTN_RECOGNIZE_INDEXSPACE_H

#include "attn/Recognize/Size.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::attn {

using Atom = unsigned;

/// A linear function of atoms: sum of coefficient * atom, plus a constant.
struct Linear {
  SmallVector<std::pair<Atom, int64_t>, 3> terms; // by atom, no zeros
  int64_t constant = 0;

  Linear() = default;
  explicit Linear(int64_t constant) : constant(constant) {}

  void add(const Linear &other, int64_t factor = 1);
  void addTerm(Atom atom, int64_t coefficient);
  bool isConstant() const { return terms.empty(); }
  bool operator==(const Linear &other) const {
    return constant == other.constant && terms == other.terms;
  }
};

/// The number of steps of a loop: a constant, or the size of a tensor's dim.
struct Extent {
  int64_t size;           // ShapedType::kDynamic if unknown
  Value source = nullptr; // a tensor whose dim `dim` has this size
  unsigned dim = 0;
};

/// The parts of the index of a merged dim, outermost first, and how long each
/// is. Neighbours of known size are one part.
struct Merge {
  SmallVector<Linear> parts;
  SmallVector<Size> sizes;
};

struct AtomInfo {
  const void *owner; // the op (or value) whose loop this is a factor of
  unsigned loop;
  unsigned position; // among the loop's factors, outermost first
  Extent extent;
  int64_t divisor = 1; // a dynamic extent is the loop's extent over this
  std::optional<unsigned> merge = std::nullopt; // which merge, if it is one
  bool whole = false;                           // may not be split further
};

class IndexSpace {
public:
  /// The index of a loop, as a function of its factors. The same owner and
  /// number give the same atoms until reset().
  Linear loop(const void *owner, unsigned number, Extent extent);

  const AtomInfo &info(Atom atom) const { return atoms[atom]; }
  int64_t size(Atom atom) const { return atoms[atom].extent.size; }
  unsigned numAtoms() const { return atoms.size(); }

  /// The index of a dim that merges dims of these indices and sizes.
  Linear merged(ArrayRef<Linear> indices, ArrayRef<Size> sizes);
  /// The opposite: an index for each of the dims; false if that is not linear.
  bool split(const Linear &index, ArrayRef<Size> sizes,
             MutableArrayRef<Linear> result);
  /// True if the index changes with the atom, perhaps inside a merge.
  bool uses(const Linear &index, Atom atom) const;

  /// index = quotient * divisor + remainder with 0 <= remainder < divisor.
  /// Nothing if that is not linear; then a split may have been requested.
  std::optional<std::pair<Linear, Linear>> divide(const Linear &index,
                                                  int64_t divisor);

  /// Smallest and largest value; nothing if an extent is unknown or zero.
  std::optional<std::pair<int64_t, int64_t>> range(const Linear &index) const;

  /// The atoms of an index that runs over 0 .. size-1 exactly once, outermost
  /// first; nothing for any other index.
  std::optional<SmallVector<Atom>> asMixedRadix(const Linear &index,
                                                int64_t size) const;

  /// True once a finer factorisation was requested: what was computed since the
  /// last reset() is to be thrown away.
  bool needsRestart() const { return restart; }
  /// Forgets the atoms, keeps the factorisations.
  void reset();

private:
  bool requestSplit(Atom atom, int64_t inner);
  void requestPartition(const Linear &index, ArrayRef<Size> sizes);
  /// The parts of an index that is a merge and nothing else, or null.
  const Merge *mergeOf(const Linear &index) const;
  bool splitKnown(Linear index, ArrayRef<Size> sizes,
                  MutableArrayRef<Linear> result);

  using Key = std::pair<const void *, unsigned>;
  DenseMap<Key, SmallVector<int64_t>> factors; // outermost first
  DenseMap<Key, SmallVector<Size>> partitions; // the same, of unknown sizes
  DenseMap<Key, Linear> loops;
  SmallVector<AtomInfo> atoms;
  SmallVector<std::pair<Merge, Atom>> merges;
  bool restart = false;
};

} // namespace mlir::attn

#endif // ATTN_RECOGNIZE_INDEXSPACE_H
