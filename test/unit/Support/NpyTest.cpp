//===- NpyTest.cpp - .npy and .npz against numpy's files --------*- C++ -*-===//
//
// Inputs/make.py says what is in the files.
//
//===----------------------------------------------------------------------===//
#include "attn/Support/Npy.h"
#include "Zip.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace attn;

namespace {

std::string input(llvm::StringRef name) {
  return (llvm::Twine(ATTN_TEST_INPUTS) + "/" + name).str();
}

std::string contentsOf(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// A directory that goes away with the test.
class NpyTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("attn-npy", directory));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }
  std::string path(llvm::StringRef name) {
    return (directory + "/" + name).str();
  }
  std::string writeBytes(llvm::StringRef name, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream os(path(name), code);
    os << bytes;
    return path(name);
  }
  llvm::SmallString<64> directory;
};

template <typename T> std::string errorOf(llvm::Expected<T> result) {
  if (result)
    return "no error";
  return llvm::toString(result.takeError());
}

void expectRamp(const Array *array, DType type, llvm::ArrayRef<int64_t> shape) {
  ASSERT_NE(array, nullptr);
  EXPECT_EQ(array->type, type);
  EXPECT_EQ(llvm::ArrayRef<int64_t>(array->shape), shape);
  ASSERT_EQ(array->bytes.size(), array->numElements() * sizeOf(type));
  for (int64_t i = 0; i < array->numElements(); ++i) {
    double expected = double(i - 3);
    if (type == DType::Bool)
      expected = i % 2 ? 0 : 1;
    else if (!isFloat(type) && stringify(type).starts_with("u") && i < 3)
      expected += std::pow(2.0, 8 * sizeOf(type));
    EXPECT_EQ(array->get(i), expected) << stringify(type).str() << " " << i;
  }
}

void expectNumpysArrays(llvm::StringRef file) {
  auto arrays = readNpz(input(file));
  ASSERT_TRUE(bool(arrays)) << llvm::toString(arrays.takeError());
  const std::pair<const char *, DType> types[] = {
      {"f2", DType::F16}, {"f4", DType::F32}, {"f8", DType::F64},
      {"i1", DType::I8},  {"i2", DType::I16}, {"i4", DType::I32},
      {"i8", DType::I64}, {"u1", DType::U8},  {"u2", DType::U16},
      {"u4", DType::U32}, {"u8", DType::U64}};
  for (auto [code, type] : types)
    for (const char *order : {"little_", "big_"})
      expectRamp(arrays->find(std::string(order) + code), type, {2, 3});
  expectRamp(arrays->find("bool"), DType::Bool, {2, 3});
  expectRamp(arrays->find("fortran"), DType::I32, {2, 3, 4});
  expectRamp(arrays->find("fortran_big"), DType::F64, {3, 2});
  expectRamp(arrays->find("empty"), DType::F32, {0, 7});
  expectRamp(arrays->find("empty_fortran"), DType::F64, {3, 0, 2});
  const Array *scalar = arrays->find("scalar");
  ASSERT_TRUE(scalar && scalar->shape.empty());
  EXPECT_EQ(scalar->get(0), 2.5);
  using Strings = std::vector<std::string>;
  EXPECT_EQ(arrays->find("text")->strings,
            (Strings{"f32", "bf16", "", "\u03b1\U0001d70e"}));
  EXPECT_EQ(arrays->find("text_big")->strings, (Strings{"ab", "c"}));
  EXPECT_EQ(arrays->find("bytes")->strings, (Strings{"abc", "d"}));
  EXPECT_EQ(arrays->find("missing"), nullptr);
}

TEST_F(NpyTest, ReadsNumpysStoredArchive) { expectNumpysArrays("stored.npz"); }
TEST_F(NpyTest, ReadsNumpysDeflatedArchive) {
  expectNumpysArrays("deflated.npz");
}

TEST_F(NpyTest, ReadsEveryHeaderVersion) {
  for (const char *file : {"version1.npy", "version2.npy", "version3.npy"}) {
    auto array = readNpy(input(file));
    ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
    expectRamp(&*array, DType::F32, {2, 3});
  }
}

TEST_F(NpyTest, ReadsZip64) {
  auto arrays = readNpz(input("zip64.npz"));
  ASSERT_TRUE(bool(arrays)) << llvm::toString(arrays.takeError());
  expectRamp(arrays->find("a"), DType::F32, {2, 3});
}

TEST_F(NpyTest, WritesWhatNumpyWrites) {
  auto array = readNpy(input("version1.npy"));
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(formatNpy(*array), contentsOf(input("version1.npy")));
}

TEST_F(NpyTest, ReadsWhatItWrites) {
  auto arrays = readNpz(input("stored.npz"));
  ASSERT_TRUE(bool(arrays));
  arrays->set("big", Array(DType::U8, {300000}));
  for (bool compress : {false, true}) {
    std::string file = path(compress ? "c.npz" : "s.npz");
    ASSERT_FALSE(bool(writeNpz(file, *arrays, compress)));
    auto again = readNpz(file);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    ASSERT_EQ(again->size(), arrays->size());
    for (const auto &[name, array] : arrays->entries()) {
      const Array *other = again->find(name);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(other->type, array.type);
      EXPECT_EQ(other->shape, array.shape);
      EXPECT_EQ(other->bytes, array.bytes);
      EXPECT_EQ(other->strings, array.strings);
    }
  }
  EXPECT_LT(contentsOf(path("c.npz")).size() + 100000,
            contentsOf(path("s.npz")).size());
}

TEST_F(NpyTest, ArchivesOfNothingAndOfMany) {
  ArrayMap none;
  ASSERT_FALSE(bool(writeNpz(path("none.npz"), none)));
  auto again = readNpz(path("none.npz"));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->size(), 0u);
  // 65535 members and more need zip64's count.
  std::vector<ZipMember> members(70000,
                                 {"a.npy", formatNpy(Array(DType::U8, {}))});
  auto many = parseZip(formatZip(members, false), "many");
  ASSERT_TRUE(bool(many)) << llvm::toString(many.takeError());
  EXPECT_EQ(many->size(), members.size());
}

TEST_F(NpyTest, Bfloat16TravelsAsUnsigned) {
  Array array(DType::BF16, {2});
  array.set(0, 1.0);
  array.set(1, -2.5);
  ASSERT_FALSE(bool(writeNpy(path("b.npy"), array)));
  auto again = readNpy(path("b.npy"));
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->type, DType::U16);
  Array tagged = again->reinterpretAs(DType::BF16);
  EXPECT_EQ(tagged.get(0), 1.0);
  EXPECT_EQ(tagged.get(1), -2.5);
}

TEST_F(NpyTest, ConvertsTypes) {
  Array doubles(DType::F64, {4});
  const double values[] = {1.5, -2.0, 70000.0, 1e-9};
  for (int i = 0; i < 4; ++i)
    doubles.set(i, values[i]);
  Array half = doubles.convertTo(DType::F16);
  EXPECT_EQ(half.get(0), 1.5);
  EXPECT_TRUE(std::isinf(half.get(2)));
  Array bytes = doubles.convertTo(DType::I8);
  EXPECT_EQ(bytes.get(0), 1);
  EXPECT_EQ(bytes.get(1), -2);
  EXPECT_EQ(bytes.get(2), 127);
  Array big(DType::I64, {1});
  *big.data<int64_t>() = (int64_t(1) << 62) + 1; // not a double
  EXPECT_EQ(*big.convertTo(DType::U64).data<uint64_t>(),
            (uint64_t(1) << 62) + 1);
  EXPECT_EQ(Array(DType::BF16, {2, 3}).typeString(), "2x3xbf16");
}

TEST_F(NpyTest, NamesTypes) {
  EXPECT_EQ(parseDType("bf16"), DType::BF16);
  EXPECT_EQ(parseDType("si8"), DType::I8);
  EXPECT_EQ(parseDType("index"), DType::I64);
  EXPECT_EQ(parseDType("f128"), std::nullopt);
}

/// A .npy of this header and data.
std::string npyOf(std::string header, llvm::StringRef data) {
  header += '\n';
  return std::string("\x93NUMPY\1\0", 8) + char(header.size()) +
         char(header.size() >> 8) + header + data.str();
}

TEST_F(NpyTest, RejectsBadNpy) {
  const std::string good = contentsOf(input("version1.npy"));
  auto reason = [](const std::string &bytes) {
    return errorOf(parseNpy(bytes, "x.npy"));
  };
  EXPECT_EQ(reason(""), "x.npy: not a .npy file: expected the magic "
                        "'\\x93NUMPY'");
  EXPECT_EQ(reason(good.substr(0, good.size() - 1)),
            "x.npy: truncated: shape (2, 3) of '<f4': expected 24 bytes of "
            "data, got 23");
  EXPECT_EQ(reason(good + "!"),
            "x.npy: too long: shape (2, 3) of '<f4': expected 24 bytes of "
            "data, got 25");
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(reason(good.substr(0, size)), "no error") << size;
  std::string version = good;
  version[6] = 9;
  EXPECT_EQ(reason(version), "x.npy: expected .npy version 1, 2 or 3, got 9");

  const char *order = "'fortran_order': False, ";
  auto header = [&](std::string descr, std::string shape) {
    return npyOf(
        "{'descr': " + descr + ", " + order + "'shape': " + shape + ", }", "");
  };
  EXPECT_NE(reason(header("'<c8'", "(0,)")).find("unsupported element type"),
            std::string::npos);
  EXPECT_NE(reason(header("'|O'", "(0,)")).find("unsupported element type"),
            std::string::npos);
  EXPECT_NE(reason(header("[('a', '<f4')]", "(0,)")).find("structured"),
            std::string::npos);
  EXPECT_NE(reason(header("'<f4'", "(-1,)")).find("tuple of sizes"),
            std::string::npos);
  EXPECT_NE(
      reason(header("'<f4'", "(4611686018427387904, 8)")).find("does not fit"),
      std::string::npos);
  EXPECT_NE(reason(header("'<U0'", "(4611686018427387904,)")), "no error");
  EXPECT_EQ(reason(header("'<f4'", "(4611686018427387904, 8, 0)")), "no error");
  EXPECT_NE(reason(npyOf("{'descr': '<f4'}", "")).find("expected the keys"),
            std::string::npos);
}

TEST_F(NpyTest, RejectsBadNpz) {
  const std::string good = contentsOf(input("zip64.npz"));
  auto reason = [&](const std::string &bytes) {
    std::string file = writeBytes("x.npz", bytes);
    return errorOf(readNpz(file));
  };
  EXPECT_EQ(reason(good), "no error");
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(reason(good.substr(0, size)), "no error") << size;
  std::string damaged = good;
  size_t data = damaged.find("NUMPY") + 100;
  damaged[data] ^= 1;
  EXPECT_NE(reason(damaged).find("x.npz: member 'a.npy': CRC mismatch"),
            std::string::npos);
  EXPECT_NE(reason("not a zip").find("not a zip archive"), std::string::npos);
}

TEST_F(NpyTest, SurvivesAnyDamagedByte) {
  for (const char *file : {"deflated.npz", "zip64.npz"}) {
    const std::string good = contentsOf(input(file));
    for (size_t at = 0; at < good.size(); ++at) {
      std::string bytes = good;
      bytes[at] = char(bytes[at] ^ 0xFF);
      errorOf(parseZip(bytes, file));
    }
  }
  // In a header no checksum stands in front.
  const std::string good = contentsOf(input("version1.npy"));
  for (size_t at = 0; at < good.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::string bytes = good;
      bytes[at] = char(value);
      errorOf(parseNpy(bytes, "x.npy"));
    }
}

TEST_F(NpyTest, FailedWritesLeaveNothing) {
  llvm::Error error = writeNpy(path("missing/a.npy"), Array(DType::F32, {2}));
  ASSERT_TRUE(bool(error));
  EXPECT_NE(llvm::toString(std::move(error)).find("missing/a.npy"),
            std::string::npos);
  ASSERT_FALSE(bool(writeNpy(path("a.npy"), Array(DType::F32, {2}))));
  std::error_code code;
  int files = 0;
  for (llvm::sys::fs::directory_iterator it(directory, code), end;
       it != end && !code; it.increment(code))
    ++files;
  EXPECT_EQ(files, 1); // a.npy alone, no temporary
  EXPECT_NE(errorOf(readNpy(path("none.npy"))).find("none.npy"),
            std::string::npos);
}

} // namespace
