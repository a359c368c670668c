//===- Npy.h - numpy's .npy and .npz files ----------------------*- C++ -*-===//
//
// Arrays as the tools read and write them, and numpy's two file formats: .npy
// (a short Python literal that gives dtype, order and shape, then the bytes)
// and .npz (a zip archive of such members, stored or deflated, zip64 where
// needed).
//
// Read are header versions 1 to 3, either byte order, Fortran order, 0-d and
// empty arrays, f2 f4 f8 i1..i8 u1..u8 bool, and strings (`<U7`, `|S3`), which
// arg_types arrays are made of. An Array in memory is always little-endian, row
// major and dense. numpy has no bfloat16: it travels as u2, and who knows
// better says so with `reinterpretAs(DType::BF16)`.
//
// Errors name the file, the member, what was expected and what was found. Files
// are written beside their destination and renamed, so that a reader sees the
// old file or the whole new one.
//
// Source: numpy.lib.format's documentation; PKWARE APPNOTE 6.3.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_NPY_H
#define ATTN_SUPPORT_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn {

enum class DType : uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  String, // elements are in Array::strings, as UTF-8
};

/// Bytes of an element; 0 for String.
unsigned sizeOf(DType type);
/// `f32`, `bf16`, `i1`, `ui8`, ... as MLIR spells it; `string`.
llvm::StringRef stringify(DType type);
/// The inverse; also takes `si32` for i32 and `index` for i64.
std::optional<DType> parseDType(llvm::StringRef name);
bool isFloat(DType type);

/// A dense array. `bytes` holds numElements() * sizeOf(type) bytes, except for
/// strings, which are in `strings`.
struct Array {
  DType type = DType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<uint8_t> bytes;
  std::vector<std::string> strings;

  Array() = default;
  /// Zeros.
  Array(DType type, llvm::ArrayRef<int64_t> shape);
  static Array ofStrings(std::vector<std::string> values);
  static Array scalar(double value); // 0-d, f64

  int64_t numElements() const;
  template <typename T> T *data() {
    return reinterpret_cast<T *>(bytes.data());
  }
  template <typename T> const T *data() const {
    return reinterpret_cast<const T *>(bytes.data());
  }

  /// One element by linear index, whatever the numeric type. `set` rounds to
  /// nearest even; integers truncate.
  double get(int64_t i) const;
  void set(int64_t i, double value);
  /// Converted to another numeric type, through double except between integers,
  /// which wrap.
  Array convertTo(DType type) const;
  /// The same bytes under a type of the same size. Requires equal sizes.
  Array reinterpretAs(DType type) const;

  /// `2x3xf32`.
  std::string typeString() const;
};

/// Named arrays in file order.
class ArrayMap {
public:
  using Entry = std::pair<std::string, Array>;

  /// Null if there is none of that name.
  const Array *find(llvm::StringRef name) const;
  /// Adds, or replaces the one of that name.
  void set(llvm::StringRef name, Array array);
  llvm::ArrayRef<Entry> entries() const { return entryList; }
  size_t size() const { return entryList.size(); }

private:
  std::vector<Entry> entryList;
};

llvm::Expected<Array> readNpy(llvm::StringRef path);
llvm::Expected<ArrayMap> readNpz(llvm::StringRef path);

/// BF16 is written as u2.
llvm::Error writeNpy(llvm::StringRef path, const Array &array);
/// Members are stored, or deflated if `compress`.
llvm::Error writeNpz(llvm::StringRef path, const ArrayMap &arrays,
                     bool compress = false);

/// The .npy format in memory. `what` names the bytes in errors.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes, llvm::StringRef what);
std::string formatNpy(const Array &array);

} // namespace attn

#endif // ATTN_SUPPORT_NPY_H
