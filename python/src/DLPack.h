//===- DLPack.h - the exchange format's structures --------------*- C++ -*-===//
//
// The parts of DLPack's C header (https://dmlc.github.io/dlpack, version 1.0)
// that an importer of CPU arrays reads.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PYTHON_DLPACK_H
#define ATTN_PYTHON_DLPACK_H

#include <cstdint>

namespace attn_python::dlpack {

enum DeviceType : int32_t { kCPU = 1, kCUDA = 2, kCUDAHost = 3 };
enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kBool = 6
};

struct Tensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  uint8_t typeCode, bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides; ///< in elements; null: dense
  uint64_t byteOffset;
};

/// A capsule "dltensor" holds one.
struct ManagedTensor {
  Tensor tensor;
  void *context;
  void (*deleter)(ManagedTensor *);
};

/// A capsule "dltensor_versioned" holds one.
struct VersionedTensor {
  uint32_t major, minor;
  void *context;
  void (*deleter)(VersionedTensor *);
  uint64_t flags;
  Tensor tensor;
};
constexpr uint64_t kReadOnly = 1;

} // namespace attn_python::dlpack

#endif // ATTN_PYTHON_DLPACK_H
