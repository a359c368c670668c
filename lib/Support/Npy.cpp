//===- Npy.cpp - numpy's .npy and .npz files --------------------*- C++ -*-===//
#include "attn/Support/Npy.h"
#include "Zip.h"
#include "attn/Support/AtomicFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SwapByteOrder.h"
#include <algorithm>
#include <limits>

using namespace attn;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

static llvm::Error error(llvm::StringRef what, const llvm::Twine &message) {
  return llvm::createStringError(what + ": " + message);
}

//===----------------------------------------------------------------------===//
// The header: a Python literal such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  std::string descr;
  bool isFortran = false;
  llvm::SmallVector<int64_t, 4> shape;
};

/// A cursor over the literal; each take... returns whether it was there.
class HeaderParser {
public:
  explicit HeaderParser(llvm::StringRef text) : rest(text) {}

  /// The reason why it is not a header, or an empty string.
  std::string parse(Header &header);

private:
  bool take(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool takeString(llvm::StringRef &value) {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == llvm::StringRef::npos)
      return false;
    value = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return true;
  }
  bool takeShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!take("("))
      return false;
    while (!take(")")) {
      int64_t extent;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, extent) || extent < 0)
        return false;
      take("L"); // Python 2 wrote longs so
      shape.push_back(extent);
      if (!take(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  llvm::StringRef rest;
};
} // namespace

std::string HeaderParser::parse(Header &header) {
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!take("{"))
    return "expected '{'";
  while (!take("}")) {
    llvm::StringRef key, value;
    if (!takeString(key) || !take(":"))
      return "expected 'key':";
    if (key == "descr") {
      if (!takeString(value))
        return "expected one element type, got a structured one; save its "
               "fields as separate arrays";
      header.descr = value.str();
      hasDescr = true;
    } else if (key == "fortran_order") {
      header.isFortran = take("True");
      if (!header.isFortran && !take("False"))
        return "expected True or False for fortran_order";
      hasOrder = true;
    } else if (key == "shape") {
      header.shape.clear();
      if (!takeShape(header.shape))
        return "expected a tuple of sizes for shape";
      hasShape = true;
    } else {
      return "unknown key '" + key.str() + "'";
    }
    if (!take(",") && !rest.ltrim().starts_with("}"))
      return "expected ',' or '}'";
  }
  return hasDescr && hasOrder && hasShape
             ? ""
             : "expected the keys descr, fortran_order and shape";
}

/// The header; `bytes` is then what follows it.
static llvm::Expected<Header> parseHeader(llvm::StringRef &bytes,
                                          llvm::StringRef what) {
  if (!bytes.starts_with(kMagic))
    return error(what, "not a .npy file: expected the magic '\\x93NUMPY'");
  if (bytes.size() < kMagic.size() + 4)
    return error(what, "truncated in the header");
  int version = uint8_t(bytes[kMagic.size()]);
  if (version < 1 || version > 3)
    return error(what, "expected .npy version 1, 2 or 3, got " +
                           llvm::Twine(version));
  size_t sizeBytes = version == 1 ? 2 : 4, at = kMagic.size() + 2;
  if (bytes.size() < at + sizeBytes)
    return error(what, "truncated in the header");
  uint64_t size = version == 1
                      ? llvm::support::endian::read16le(bytes.data() + at)
                      : llvm::support::endian::read32le(bytes.data() + at);
  at += sizeBytes;
  if (bytes.size() - at < size)
    return error(what, "truncated: expected a header of " + llvm::Twine(size) +
                           " bytes, got " + llvm::Twine(bytes.size() - at));
  Header header;
  std::string reason = HeaderParser(bytes.substr(at, size)).parse(header);
  if (!reason.empty())
    return error(what, "bad header: " + reason);
  bytes = bytes.drop_front(at + size);
  return header;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
struct ElementCode {
  const char *code;
  DType type;
};

/// What a descr says.
struct Element {
  DType type;
  uint64_t size; // bytes in the file
  bool isBigEndian;
  bool isUnicode; // else bytes, of a string
};
} // namespace

static constexpr ElementCode kCodes[] = {
    {"b1", DType::Bool}, {"i1", DType::I8},  {"i2", DType::I16},
    {"i4", DType::I32},  {"i8", DType::I64}, {"u1", DType::U8},
    {"u2", DType::U16},  {"u4", DType::U32}, {"u8", DType::U64},
    {"f2", DType::F16},  {"f4", DType::F32}, {"f8", DType::F64}};

static llvm::Expected<Element> parseDescr(llvm::StringRef descr,
                                          llvm::StringRef what) {
  llvm::StringRef code = descr;
  bool isBig = code.starts_with(">");
  if (!code.empty() && llvm::StringRef("<>|=").contains(code[0]))
    code = code.drop_front();
  for (const ElementCode &entry : kCodes)
    if (code == entry.code)
      return Element{entry.type, sizeOf(entry.type), isBig, false};
  uint64_t length;
  bool isUnicode = code.starts_with("U");
  if ((isUnicode || code.starts_with("S")) &&
      !code.drop_front().getAsInteger(10, length) && length < 1u << 30)
    return Element{DType::String, isUnicode ? 4 * length : length, isBig,
                   isUnicode};
  return error(what, "unsupported element type '" + descr +
                         "': expected bool, i1..i8, u1..u8, f2, f4, f8 or a "
                         "string");
}

/// One string of the file as UTF-8, without the zeros that pad it.
static bool decodeString(llvm::StringRef data, const Element &element,
                         std::string &text) {
  if (!element.isUnicode) {
    text = data.rtrim('\0').str();
    return true;
  }
  std::vector<llvm::UTF32> codes;
  for (size_t at = 0; at < data.size(); at += 4)
    codes.push_back(element.isBigEndian
                        ? llvm::support::endian::read32be(data.data() + at)
                        : llvm::support::endian::read32le(data.data() + at));
  while (!codes.empty() && codes.back() == 0)
    codes.pop_back();
  return codes.empty() || llvm::convertUTF32ToUTF8String(codes, text);
}

static void swapBytes(std::vector<uint8_t> &bytes, unsigned size) {
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    std::reverse(bytes.begin() + at, bytes.begin() + at + size);
}

/// For each element in row-major order, its linear index in column-major order.
static std::vector<int64_t> columnMajorIndices(llvm::ArrayRef<int64_t> shape,
                                               int64_t count) {
  std::vector<int64_t> indices(size_t(count), 0);
  int64_t inner =
      count;          // row-major steps of one index of the dim, times extent
  int64_t stride = 1; // column-major step of the dim
  for (int64_t extent : shape) {
    inner /= std::max<int64_t>(extent, 1);
    for (int64_t i = 0; i < count; ++i)
      indices[size_t(i)] += i / inner % extent * stride;
    stride *= extent;
  }
  return indices;
}

/// The number of elements, or -1 if they would not fit an address space.
static int64_t countElements(llvm::ArrayRef<int64_t> shape,
                             uint64_t elementSize) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1, bytes;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return -1;
  if (__builtin_mul_overflow(count, std::max<int64_t>(elementSize, 1), &bytes))
    return -1;
  return count;
}

static llvm::Error sizeError(const Header &header, int64_t count,
                             uint64_t elementSize, uint64_t got,
                             llvm::StringRef what) {
  std::string shape;
  for (int64_t extent : header.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
  std::string type = "shape (" + shape + ") of '" + header.descr + "'";
  if (count < 0)
    return error(what, type + " does not fit into memory");
  uint64_t expected = uint64_t(count) * elementSize;
  return error(what, (got < expected ? "truncated: " : "too long: ") + type +
                         ": expected " + llvm::Twine(expected) +
                         " bytes of data, got " + llvm::Twine(got));
}

llvm::Expected<Array> attn::parseNpy(llvm::StringRef bytes,
                                     llvm::StringRef what) {
  llvm::Expected<Header> header = parseHeader(bytes, what);
  if (!header)
    return header.takeError();
  llvm::Expected<Element> element = parseDescr(header->descr, what);
  if (!element)
    return element.takeError();
  int64_t count = countElements(header->shape, element->size);
  if (count < 0 || bytes.size() != uint64_t(count) * element->size)
    return sizeError(*header, count, element->size, bytes.size(), what);
  // Zero-length strings are the one type whose count no data backs.
  if (element->size == 0 && count > 1 << 20)
    return error(what, "too many empty strings");

  Array array;
  array.type = element->type;
  array.shape = header->shape;
  std::vector<int64_t> from;
  if (header->isFortran && header->shape.size() > 1)
    from = columnMajorIndices(header->shape, count);
  if (element->type == DType::String) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t source = from.empty() ? i : from[size_t(i)];
      std::string text;
      if (!decodeString(bytes.substr(source * element->size, element->size),
                        *element, text))
        return error(what,
                     "string " + llvm::Twine(source) + " is not valid Unicode");
      array.strings.push_back(std::move(text));
    }
    return array;
  }
  array.bytes.resize(bytes.size());
  if (from.empty())
    std::copy(bytes.begin(), bytes.end(), array.bytes.begin());
  else
    for (int64_t i = 0; i < count; ++i)
      std::copy_n(bytes.begin() + from[size_t(i)] * element->size,
                  element->size, array.bytes.begin() + i * element->size);
  if (element->isBigEndian)
    swapBytes(array.bytes, unsigned(element->size));
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// UTF-32 codes; what is not valid UTF-8 becomes the replacement character.
static std::vector<llvm::UTF32> toUTF32(llvm::StringRef text) {
  std::vector<llvm::UTF32> codes(text.size());
  auto *source = reinterpret_cast<const llvm::UTF8 *>(text.data());
  llvm::UTF32 *target = codes.data();
  llvm::ConvertUTF8toUTF32(&source, source + text.size(), &target,
                           target + codes.size(), llvm::lenientConversion);
  codes.resize(size_t(target - codes.data()));
  return codes;
}

static std::string descrOf(const Array &array, size_t stringLength) {
  if (array.type == DType::String)
    return "<U" + std::to_string(stringLength);
  // numpy has no bfloat16.
  DType type = array.type == DType::BF16 ? DType::U16 : array.type;
  for (const ElementCode &entry : kCodes)
    if (entry.type == type)
      return (sizeOf(type) == 1 ? "|" : "<") + std::string(entry.code);
  llvm_unreachable("every other type has a code");
}

std::string attn::formatNpy(const Array &array) {
  std::vector<std::vector<llvm::UTF32>> strings;
  size_t stringLength = 1; // numpy's own least
  for (const std::string &text : array.strings) {
    strings.push_back(toUTF32(text));
    stringLength = std::max(stringLength, strings.back().size());
  }
  std::string header = "{'descr': '" + descrOf(array, stringLength) +
                       "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(array.shape[i]);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // The data starts on a multiple of 64.
  size_t prefix = kMagic.size() + 4;
  bool isLong = header.size() + 64 > 0xFFFF;
  prefix += isLong ? 2 : 0;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  std::string out = kMagic.str();
  out += isLong ? '\2' : '\1';
  out += '\0';
  for (int i = 0; i < (isLong ? 4 : 2); ++i)
    out += char(header.size() >> (8 * i));
  out += header;
  out.append(array.bytes.begin(), array.bytes.end());
  for (const auto &codes : strings)
    for (size_t i = 0; i < stringLength; ++i)
      for (int byte = 0; byte < 4; ++byte)
        out += char((i < codes.size() ? codes[i] : 0) >> (8 * byte));
  return out;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Expected<Array> attn::readNpy(llvm::StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseNpy((*buffer)->getBuffer(), path);
}

llvm::Expected<ArrayMap> attn::readNpz(llvm::StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  auto members = parseZip((*buffer)->getBuffer(), path);
  if (!members)
    return members.takeError();
  ArrayMap arrays;
  for (const ZipMember &member : *members) {
    llvm::StringRef name = member.name;
    auto array =
        parseNpy(member.contents, (path + ": member '" + name + "'").str());
    if (!array)
      return array.takeError();
    name.consume_back(".npy");
    arrays.set(name, std::move(*array));
  }
  return arrays;
}

llvm::Error attn::writeNpy(llvm::StringRef path, const Array &array) {
  return writeFileAtomically(path, formatNpy(array));
}

llvm::Error attn::writeNpz(llvm::StringRef path, const ArrayMap &arrays,
                           bool compress) {
  std::vector<ZipMember> members;
  for (const auto &[name, array] : arrays.entries())
    members.push_back({name + ".npy", formatNpy(array)});
  return writeFileAtomically(path, formatZip(members, compress));
}
