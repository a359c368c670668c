//===- Array.cpp - Dense arrays of any element type -------------*- C++ -*-===//
#include "attn/Support/Float16.h"
#include "attn/Support/Npy.h"
#include "llvm/ADT/Twine.h"
#include <cstring>
#include <limits>

using namespace attn;

namespace {
struct DTypeInfo {
  DType type;
  const char *name;
  unsigned size;
};
} // namespace

// By enumerator.
static constexpr DTypeInfo kTypes[] = {
    {DType::Bool, "i1", 1},   {DType::I8, "i8", 1},
    {DType::I16, "i16", 2},   {DType::I32, "i32", 4},
    {DType::I64, "i64", 8},   {DType::U8, "ui8", 1},
    {DType::U16, "ui16", 2},  {DType::U32, "ui32", 4},
    {DType::U64, "ui64", 8},  {DType::F16, "f16", 2},
    {DType::BF16, "bf16", 2}, {DType::F32, "f32", 4},
    {DType::F64, "f64", 8},   {DType::String, "string", 0}};

unsigned attn::sizeOf(DType type) { return kTypes[unsigned(type)].size; }

llvm::StringRef attn::stringify(DType type) {
  return kTypes[unsigned(type)].name;
}

std::optional<DType> attn::parseDType(llvm::StringRef name) {
  if (name == "index")
    return DType::I64;
  if (name.starts_with("si"))
    name = name.drop_front();
  for (const DTypeInfo &info : kTypes)
    if (name == info.name)
      return info.type;
  return std::nullopt;
}

bool attn::isFloat(DType type) {
  return type == DType::F16 || type == DType::BF16 || type == DType::F32 ||
         type == DType::F64;
}

Array::Array(DType type, llvm::ArrayRef<int64_t> shape)
    : type(type), shape(shape) {
  if (type == DType::String)
    strings.resize(size_t(numElements()));
  else
    bytes.resize(size_t(numElements()) * sizeOf(type));
}

Array Array::ofStrings(std::vector<std::string> values) {
  Array array(DType::String, {int64_t(values.size())});
  array.strings = std::move(values);
  return array;
}

Array Array::scalar(double value) {
  Array array(DType::F64, {});
  array.set(0, value);
  return array;
}

int64_t Array::numElements() const {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

/// Calls f with a value of the integer's C++ type; false for other types.
template <typename F> static bool dispatchInteger(DType type, F f) {
  switch (type) {
  case DType::Bool:
  case DType::U8:
    f(uint8_t());
    return true;
  case DType::I8:
    f(int8_t());
    return true;
  case DType::I16:
    f(int16_t());
    return true;
  case DType::I32:
    f(int32_t());
    return true;
  case DType::I64:
    f(int64_t());
    return true;
  case DType::U16:
    f(uint16_t());
    return true;
  case DType::U32:
    f(uint32_t());
    return true;
  case DType::U64:
    f(uint64_t());
    return true;
  default:
    return false;
  }
}

template <typename T> static T load(const uint8_t *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double Array::get(int64_t i) const {
  const uint8_t *at = bytes.data() + i * sizeOf(type);
  double value = 0;
  if (dispatchInteger(type,
                      [&](auto t) { value = double(load<decltype(t)>(at)); }))
    return value;
  switch (type) {
  case DType::F16:
    return float16ToFloat(load<uint16_t>(at));
  case DType::BF16:
    return bfloat16ToFloat(load<uint16_t>(at));
  case DType::F32:
    return load<float>(at);
  default:
    return load<double>(at);
  }
}

/// To an integer, towards zero, clamped to the type's range; NaN is 0.
template <typename T> static T truncateTo(double value) {
  if (!(value == value))
    return 0;
  double lo = double(std::numeric_limits<T>::min());
  double hi = double(std::numeric_limits<T>::max());
  if (value <= lo)
    return std::numeric_limits<T>::min();
  return value >= hi ? std::numeric_limits<T>::max() : T(value);
}

void Array::set(int64_t i, double value) {
  uint8_t *at = bytes.data() + i * sizeOf(type);
  auto store = [&](auto stored) { std::memcpy(at, &stored, sizeof stored); };
  if (type == DType::Bool)
    return store(uint8_t(value != 0));
  if (dispatchInteger(type,
                      [&](auto t) { store(truncateTo<decltype(t)>(value)); }))
    return;
  switch (type) {
  case DType::F16:
    return store(doubleToFloat16(value));
  case DType::BF16:
    return store(doubleToBfloat16(value));
  case DType::F32:
    return store(float(value));
  default:
    return store(value);
  }
}

Array Array::convertTo(DType to) const {
  if (to == type)
    return *this;
  Array out(to, shape);
  for (int64_t i = 0, n = numElements(); i < n; ++i) {
    if (isFloat(type) || isFloat(to) || to == DType::Bool) {
      out.set(i, get(i));
      continue;
    }
    dispatchInteger(type, [&](auto from) {
      auto value = load<decltype(from)>(bytes.data() + i * sizeof from);
      dispatchInteger(to, [&](auto target) {
        target = decltype(target)(value);
        std::memcpy(out.bytes.data() + i * sizeof target, &target,
                    sizeof target);
      });
    });
  }
  return out;
}

Array Array::reinterpretAs(DType to) const {
  Array out = *this;
  out.type = to;
  return out;
}

std::string Array::typeString() const {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + stringify(type).str();
}

const Array *ArrayMap::find(llvm::StringRef name) const {
  for (const Entry &entry : entryList)
    if (entry.first == name)
      return &entry.second;
  return nullptr;
}

void ArrayMap::set(llvm::StringRef name, Array array) {
  for (Entry &entry : entryList) {
    if (entry.first == name) {
      entry.second = std::move(array);
      return;
    }
  }
  entryList.emplace_back(name.str(), std::move(array));
}
