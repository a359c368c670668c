//===- Arrays.cpp - Python's arrays as buffers of the C API ---------------===//
#include "Arrays.h"
#include "DLPack.h"
#include <cstring>
#include <nanobind/stl/string.h>

using namespace attn_python;

static std::string typeName(nb::handle object) {
  return Py_TYPE(object.ptr())->tp_name;
}

void Array::fail(PyObject *kind, const std::string &text) const {
  if (index == kNoIndex)
    PyErr_Format(kind, "%s: %s", what, text.c_str());
  else
    PyErr_Format(kind, "%s %zu: %s", what, index, text.c_str());
  throw nb::python_error();
}

void Array::release() {
  if (hasView)
    PyBuffer_Release(&view);
  hasView = false;
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// MLIR's integers have no sign: both kinds of numpy's are taken.
static bool integerOfSize(size_t bytes, AttnDType &type) {
  switch (bytes) {
  case 1:
    type = ATTN_I8;
    return true;
  case 2:
    type = ATTN_I16;
    return true;
  case 4:
    type = ATTN_I32;
    return true;
  case 8:
    type = ATTN_I64;
    return true;
  default:
    return false;
  }
}

/// A format of the struct module: one code behind an optional byte order.
static bool fromFormat(const char *format, size_t bytes, AttnDType &type) {
  if (!format)
    format = "B";
  if (*format == '<' || *format == '=' || *format == '@')
    ++format;
  if (!*format || format[1])
    return false; // big-endian, or a structure
  switch (*format) {
  case 'f':
    type = ATTN_F32;
    return true;
  case 'd':
    type = ATTN_F64;
    return true;
  case 'e':
    type = ATTN_F16;
    return true;
  case '?':
    type = ATTN_BOOL;
    return true;
  default:
    return std::strchr("bBhHiIlLqQnN", *format) && integerOfSize(bytes, type);
  }
}

static bool fromDLPack(const dlpack::Tensor &tensor, AttnDType &type) {
  if (tensor.lanes != 1)
    return false;
  switch (tensor.typeCode) {
  case dlpack::kFloat:
    type = tensor.bits == 16   ? ATTN_F16
           : tensor.bits == 32 ? ATTN_F32
                               : ATTN_F64;
    return tensor.bits == 16 || tensor.bits == 32 || tensor.bits == 64;
  case dlpack::kBfloat:
    type = ATTN_BF16;
    return tensor.bits == 16;
  case dlpack::kBool:
    type = ATTN_BOOL;
    return tensor.bits == 8;
  case dlpack::kInt:
  case dlpack::kUInt:
    return tensor.bits % 8 == 0 && integerOfSize(tensor.bits / 8, type);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

void Array::takeScalar(nb::handle object, const AttnValueType &type) {
  PyObject *value = object.ptr();
  buffer = {&scalar, type.type, 0, shape, nullptr};
  switch (type.type) {
  case ATTN_F64:
    scalar.f64 = PyFloat_AsDouble(value);
    break;
  case ATTN_F32:
    scalar.f32 = static_cast<float>(PyFloat_AsDouble(value));
    break;
  case ATTN_BOOL:
    scalar.byte = PyObject_IsTrue(value) == 1;
    break;
  case ATTN_F16:
  case ATTN_BF16:
    fail(PyExc_TypeError, std::string("expected an array of rank 0 of ") +
                              attnDTypeGetName(type.type) +
                              ", got a Python number");
  default: {
    if (!PyIndex_Check(value))
      fail(PyExc_TypeError, std::string("expected an integer (") +
                                attnDTypeGetName(type.type) + "), got " +
                                typeName(object));
    int overflow = 0;
    nb::object index = nb::steal(PyNumber_Index(value));
    long long integer = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    size_t bits = 8 * attnDTypeGetSize(type.type);
    if (overflow ||
        (bits < 64 && (integer >> bits != 0) && (integer >> (bits - 1) != -1)))
      fail(PyExc_OverflowError, std::string("expected a value of ") +
                                    attnDTypeGetName(type.type) +
                                    ", got one that does not fit");
    scalar.integer = integer;
  }
  }
  if (PyErr_Occurred())
    throw nb::python_error();
}

/// False, without an error, if the object offers no buffer or one of elements
/// that this protocol cannot name.
bool Array::takeBuffer(nb::handle object, bool writable) {
  int flags = PyBUF_STRIDED_RO | PyBUF_FORMAT;
  if (PyObject_GetBuffer(object.ptr(), &view, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  hasView = true;
  if (writable && view.readonly)
    fail(PyExc_ValueError,
         "expected an array to write to, got a read-only one");
  auto bytes = static_cast<size_t>(view.itemsize);
  if (!fromFormat(view.format, bytes, buffer.type))
    fail(PyExc_TypeError,
         "expected elements of f16, bf16, f32, f64, bool or integers in this "
         "machine's byte order, got format '" +
             std::string(view.format ? view.format : "") + "'");
  auto rank = static_cast<size_t>(view.ndim);
  if (rank > kMaxRank)
    fail(PyExc_ValueError, "expected at most 32 dimensions");
  for (size_t dim = 0; dim < rank; ++dim) {
    shape[dim] = view.shape[dim];
    // An extent of one has whatever stride.
    int64_t stride = view.shape[dim] == 1 ? 0 : view.strides[dim];
    if (stride % static_cast<int64_t>(bytes) != 0) {
      // Fields of records: no whole number of elements apart.
      if (writable)
        fail(PyExc_ValueError, "expected strides of whole elements");
      release();
      keeper = nb::module_::import_("numpy").attr("ascontiguousarray")(object);
      return takeBuffer(keeper, false);
    }
    strides[dim] = stride / static_cast<int64_t>(bytes);
  }
  setLayout(view.buf, rank);
  return true;
}

void Array::setLayout(void *data, size_t rank) {
  buffer.data = data;
  buffer.rank = rank;
  buffer.shape = shape;
  buffer.strides = strides;
}

static nb::object callDLPack(nb::handle object, bool versioned) {
  nb::object method = object.attr("__dlpack__");
  if (!versioned)
    return method();
  try {
    return method(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError))
      throw;
  }
  return method(); // a producer that knows no versions
}

void Array::takeDLPack(nb::handle object, bool writable) {
  nb::tuple device = nb::tuple(object.attr("__dlpack_device__")());
  auto deviceType = nb::cast<int>(nb::object(device[0]));
  if (deviceType != dlpack::kCPU && deviceType != dlpack::kCUDAHost)
    fail(PyExc_ValueError,
         "expected memory of the CPU, got " + typeName(object) + " on device " +
             (deviceType == dlpack::kCUDA
                  ? "cuda"
                  : "type " + std::to_string(deviceType)) +
             ":" + std::to_string(nb::cast<int>(nb::object(device[1]))) +
             "; move it first");
  // Only the versioned form says that memory may not be written to.
  nb::object capsule = callDLPack(object, writable);
  const dlpack::Tensor *tensor = nullptr;
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    auto *managed = static_cast<dlpack::VersionedTensor *>(
        PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    tensor = &managed->tensor;
    if (writable && (managed->flags & dlpack::kReadOnly))
      fail(PyExc_ValueError,
           "expected an array to write to, got a read-only one");
  } else if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    tensor = &static_cast<dlpack::ManagedTensor *>(
                  PyCapsule_GetPointer(capsule.ptr(), "dltensor"))
                  ->tensor;
  } else {
    fail(PyExc_TypeError, "expected a DLPack capsule from " + typeName(object));
  }
  // The capsule is not consumed: it frees the tensor when it goes.
  keeper = std::move(capsule);
  if (!fromDLPack(*tensor, buffer.type))
    fail(PyExc_TypeError,
         "expected elements of f16, bf16, f32, f64, bool or integers, got "
         "DLPack type code " +
             std::to_string(tensor->typeCode) + " of " +
             std::to_string(tensor->bits) + " bits");
  auto rank = static_cast<size_t>(tensor->rank);
  if (rank > kMaxRank)
    fail(PyExc_ValueError, "expected at most 32 dimensions");
  int64_t dense = 1;
  for (size_t dim = rank; dim-- > 0; dense *= shape[dim]) {
    shape[dim] = tensor->shape[dim];
    strides[dim] = tensor->strides ? tensor->strides[dim] : dense;
  }
  setLayout(static_cast<char *>(tensor->data) + tensor->byteOffset, rank);
}

/// numpy arrays of ml_dtypes' bfloat16, which no protocol can name.
static bool isBFloat16(nb::handle object) {
  nb::object dtype = nb::getattr(object, "dtype", nb::none());
  nb::object name = nb::getattr(dtype, "name", nb::none());
  return nb::isinstance<nb::str>(name) &&
         nb::cast<std::string>(name) == "bfloat16";
}

static std::string spellShape(const int64_t *shape, size_t rank) {
  std::string text = "(";
  for (size_t dim = 0; dim < rank; ++dim)
    text += (dim ? ", " : "") + std::to_string(shape[dim]);
  return text + ")";
}

void Array::apply(const ArrayView &view) {
  bool fits = buffer.rank == view.shape.size();
  for (size_t dim = 0; fits && dim < buffer.rank; ++dim)
    fits = shape[dim] == view.shape[dim];
  if (!fits)
    fail(PyExc_ValueError,
         "expected shape " + spellShape(view.shape.data(), view.shape.size()) +
             ", got " + spellShape(shape, buffer.rank));
  int64_t *seenShape = shapes[1], *seenStrides = stridesOf[1];
  for (size_t i = 0; i < view.axes.size(); ++i) {
    const ArrayView::Axis &axis = view.axes[i];
    seenShape[i] = axis.extent;
    seenStrides[i] = strides[axis.dim] * axis.step;
  }
  shape = seenShape;
  strides = seenStrides;
  setLayout(buffer.data, view.axes.size());
}

void Array::take(nb::handle object, const char *whatIs) {
  AttnValueType any = {};
  any.isTensor = true;
  any.type = ATTN_F32;
  take(object, any, /*writable=*/false, whatIs, kNoIndex);
}

void Array::take(nb::handle object, const AttnValueType &type, bool writable,
                 const char *whatIs, size_t number) {
  what = whatIs;
  index = number;
  PyObject *value = object.ptr();
  if (!type.isTensor && !writable &&
      (PyFloat_Check(value) || PyLong_Check(value)))
    return takeScalar(object, type);
  if (takeBuffer(object, writable)) {
    // Where bfloat16 is expected, its bits may come as 16-bit integers.
    if (type.type == ATTN_BF16 && buffer.type == ATTN_I16)
      buffer.type = ATTN_BF16;
    return;
  }
  if (nb::hasattr(object, "view") && nb::hasattr(object, "ctypes") &&
      isBFloat16(object)) {
    keeper = object.attr("view")("uint16");
    if (!takeBuffer(keeper, writable))
      fail(PyExc_TypeError,
           "expected an array of bfloat16 to share its memory");
    buffer.type = ATTN_BF16;
    return;
  }
  if (nb::hasattr(object, "__dlpack__"))
    return takeDLPack(object, writable);
  fail(PyExc_TypeError,
       "expected an array (numpy, or anything with DLPack), got " +
           typeName(object));
}
