//===- Arrays.h - Python's arrays as buffers of the C API -------*- C++ -*-===//
//
// numpy arrays come by the buffer protocol (which, unlike DLPack, shares
// read-only arrays too), everything else by DLPack. Nothing is copied here but
// arrays whose elements lie at odd addresses.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PYTHON_ARRAYS_H
#define ATTN_PYTHON_ARRAYS_H

#include "attn-c/Program.h"
#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace attn_python {

namespace nb = nanobind;

/// A tensor of a function as another array: an array of shape `shape` is passed
/// by the axes that it is seen with, each a part of a dim of it.
struct ArrayView {
  struct Axis {
    size_t dim;
    int64_t extent;
    int64_t step; ///< in steps of the dim
  };
  std::vector<int64_t> shape;
  std::vector<Axis> axes;
};

/// One argument or result of a call, held for as long as this lives.
class Array {
public:
  Array() = default;
  ~Array() { release(); }
  Array(const Array &) = delete;

  /// Takes `object`, which is to be of `type`; `writable`: to be written to.
  /// `what` and `index` ("argument 0") head errors, which are TypeErrors and
  /// ValueErrors.
  void take(nb::handle object, const AttnValueType &type, bool writable,
            const char *what, size_t index);

  /// Takes any array, whatever its type. `what` heads errors.
  void take(nb::handle object, const char *what);

  /// Sees the array with the axes of a view, whose shape it is to have.
  void apply(const ArrayView &view);

  const AttnBuffer &get() const { return buffer; }

private:
  static constexpr size_t kMaxRank = 32;
  void takeScalar(nb::handle object, const AttnValueType &type);
  bool takeBuffer(nb::handle object, bool writable);
  void takeDLPack(nb::handle object, bool writable);
  void setLayout(void *data, size_t rank);
  void release();
  [[noreturn]] void fail(PyObject *kind, const std::string &text) const;

  AttnBuffer buffer = {};
  int64_t shapes[2][kMaxRank], stridesOf[2][kMaxRank];
  int64_t *shape = shapes[0],
          *strides = stridesOf[0]; ///< then those of the view
  Py_buffer view = {};
  bool hasView = false;
  nb::object keeper; ///< a DLPack capsule, or another array with the memory
  union {
    int64_t integer;
    double f64;
    float f32;
    unsigned char byte;
  } scalar = {};
  const char *what = "";
  size_t index = kNoIndex;
  static constexpr size_t kNoIndex = static_cast<size_t>(-1);
};

} // namespace attn_python

#endif // ATTN_PYTHON_ARRAYS_H
