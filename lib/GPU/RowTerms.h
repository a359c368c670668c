//===- RowTerms.h - what the backward needs of a row --------------*- C++
//-*-===//
//
// Two numbers per row (attn/Support/Algebra.h), computed once by a kernel of
// their own and kept in a scratch buffer for those that follow:
//
//     shift   what P's exponent is moved by:
//               raw scores      P = exp2(s' scale log2(e) + shift),
//                               shift = -lse log2(e)
//               natural scores  P = exp(x - shift),  shift = lse
//             In a row without a key P is what the empty row means: 0 (`zero`),
//             or NaN.
//     delta   D = rowsum(dO . O) - dlse
//
// Where dO has another type than V, with which it is multiplied, the same
// kernel leaves a copy of it in V's type.
//
// The buffer is [batch element][shift, delta][row], rows by their row-major
// number and padded to whole blocks, so that a block of them is read without
// asking which exist.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_ROWTERMS_H
#define ATTN_LIB_GPU_ROWTERMS_H

#include "Geometry.h"

namespace mlir::attn {

struct RowTerms {
  Value buffer;          ///< on the host
  Value padded;          ///< on the host: rows of a batch element, with padding
  Value outputGrad;      ///< on the host: dO in V's type
  bool copied = false;   ///< `outputGrad` is scratch
  Value pointer, stride; ///< in a kernel, after `enter`

  enum Term { Shift, Delta };

  /// Adds the buffer to a kernel's parameters; `padded` follows with `import`.
  void addPointer(Kernel &kernel, attn_gpu::Access access);
  void importStride(Kernel &kernel) { stride = kernel.import(padded); }
  /// The place of a term of row `row` of batch element `batch`.
  Value offset(KernelEmit &b, Value batch, Term term, Value row) const {
    return b.add(b.mul(b.add(b.mul(batch, 2), term), stride), row);
  }
  Value load(KernelEmit &b, Value batch, Term term, Value row) const {
    return b.load(pointer, offset(b, batch, term, row), b.getF32Type());
  }
};

/// Frees what `computeRowTerms` allocated.
void freeRowTerms(KernelEmit &host, const RowTerms &terms);

/// Allocates the buffer and launches the kernel that fills it. `raw`: for raw
/// scores; `block`: rows that the kernels read at once, a multiple of 4.
RowTerms computeRowTerms(AttentionBackwardOp op, const ::attn::Target &target,
                         StringRef name, bool raw, int64_t block);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_ROWTERMS_H
