//===- Zip.cpp - As much of zip as .npz needs -------------------*- C++ -*-===//
#include "Zip.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <limits>
#include <zlib.h>

using namespace attn;

static constexpr uint32_t kLocalMagic = 0x04034b50;
static constexpr uint32_t kCentralMagic = 0x02014b50;
static constexpr uint32_t kEndMagic = 0x06054b50;
static constexpr uint32_t kEnd64Magic = 0x06064b50;
static constexpr uint32_t kEnd64LocatorMagic = 0x07064b50;
static constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22,
                        kEnd64Size = 56, kEnd64LocatorSize = 20;
static constexpr uint32_t kMax32 = 0xFFFFFFFF;
static constexpr uint16_t kStored = 0, kDeflated = 8, kZip64Extra = 1;

static uint16_t get16(llvm::StringRef bytes, size_t at) {
  return llvm::support::endian::read16le(bytes.data() + at);
}
static uint32_t get32(llvm::StringRef bytes, size_t at) {
  return llvm::support::endian::read32le(bytes.data() + at);
}
static uint64_t get64(llvm::StringRef bytes, size_t at) {
  return llvm::support::endian::read64le(bytes.data() + at);
}

/// zlib counts in 32 bits; larger data goes through in pieces.
static uint32_t crcOf(llvm::StringRef data) {
  uLong crc = crc32(0, nullptr, 0);
  while (!data.empty()) {
    llvm::StringRef piece = data.take_front(1 << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef *>(piece.data()),
                uInt(piece.size()));
    data = data.drop_front(piece.size());
  }
  return uint32_t(crc);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Entry {
  std::string name;
  uint16_t flags, method;
  uint32_t crc;
  uint64_t compressedSize, size, offset;
};

class Reader {
public:
  Reader(llvm::StringRef bytes, llvm::StringRef what)
      : bytes(bytes), what(what) {}

  llvm::Expected<std::vector<ZipMember>> read();

private:
  llvm::Error error(const llvm::Twine &message) const {
    return llvm::createStringError(what + ": " + message);
  }
  llvm::Error error(const Entry &entry, const llvm::Twine &message) const {
    return llvm::createStringError(what + ": member '" + entry.name +
                                   "': " + message);
  }
  bool fits(uint64_t at, uint64_t size) const {
    return at <= bytes.size() && size <= bytes.size() - at;
  }
  llvm::Error findDirectory();
  llvm::Expected<Entry> readEntry(uint64_t &at);
  llvm::Expected<std::string> readContents(const Entry &entry);

  llvm::StringRef bytes, what;
  uint64_t entryCount = 0, directoryOffset = 0;
};
} // namespace

llvm::Error Reader::findDirectory() {
  if (bytes.size() < 4 ||
      (get32(bytes, 0) != kLocalMagic && get32(bytes, 0) != kEndMagic))
    return error("not a zip archive: expected the magic 'PK\\3\\4'");
  if (bytes.size() < kEndSize)
    return error("truncated: no end of central directory");
  // The record is last, but for a comment of up to 65535 bytes.
  size_t lowest =
      bytes.size() - std::min<size_t>(bytes.size(), 0xFFFF + kEndSize);
  size_t at = bytes.size() - kEndSize;
  while (get32(bytes, at) != kEndMagic) {
    if (at == lowest)
      return error("truncated: no end of central directory");
    --at;
  }
  entryCount = get16(bytes, at + 10);
  directoryOffset = get32(bytes, at + 16);
  bool needs64 = entryCount == 0xFFFF || directoryOffset == kMax32;
  if (!needs64 || at < kEnd64LocatorSize ||
      get32(bytes, at - kEnd64LocatorSize) != kEnd64LocatorMagic)
    return llvm::Error::success();
  uint64_t end64 = get64(bytes, at - kEnd64LocatorSize + 8);
  if (!fits(end64, kEnd64Size) || get32(bytes, end64) != kEnd64Magic)
    return error("no zip64 end of central directory at offset " +
                 llvm::Twine(end64));
  entryCount = get64(bytes, end64 + 32);
  directoryOffset = get64(bytes, end64 + 48);
  return llvm::Error::success();
}

/// Takes the 64-bit values of those fields that say 0xFFFFFFFF.
static void readZip64(llvm::StringRef extra, Entry &entry) {
  while (extra.size() >= 4) {
    uint16_t id = get16(extra, 0), size = get16(extra, 2);
    llvm::StringRef data = extra.drop_front(4).take_front(size);
    extra = extra.drop_front(std::min<size_t>(extra.size(), 4 + size));
    if (id != kZip64Extra)
      continue;
    for (uint64_t *field : {&entry.size, &entry.compressedSize, &entry.offset})
      if (*field == kMax32 && data.size() >= 8) {
        *field = get64(data, 0);
        data = data.drop_front(8);
      }
  }
}

llvm::Expected<Entry> Reader::readEntry(uint64_t &at) {
  if (!fits(at, kCentralSize) || get32(bytes, at) != kCentralMagic)
    return error("truncated or damaged central directory at offset " +
                 llvm::Twine(at));
  uint64_t nameSize = get16(bytes, at + 28), extraSize = get16(bytes, at + 30);
  uint64_t total = kCentralSize + nameSize + extraSize + get16(bytes, at + 32);
  if (!fits(at, total))
    return error("truncated central directory at offset " + llvm::Twine(at));
  Entry entry{bytes.substr(at + kCentralSize, nameSize).str(),
              get16(bytes, at + 8),
              get16(bytes, at + 10),
              get32(bytes, at + 16),
              get32(bytes, at + 20),
              get32(bytes, at + 24),
              get32(bytes, at + 42)};
  readZip64(bytes.substr(at + kCentralSize + nameSize, extraSize), entry);
  at += total;
  return entry;
}

/// Inflates raw deflate data that must come to exactly `size` bytes.
static bool inflateTo(llvm::StringRef data, uint64_t size, std::string &out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  int status = Z_OK;
  char piece[1 << 16];
  const char *input = data.data();
  uint64_t left = data.size();
  while (status == Z_OK && out.size() <= size) {
    if (stream.avail_in == 0) {
      uint64_t chunk = std::min<uint64_t>(left, 1 << 30);
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input));
      stream.avail_in = uInt(chunk);
      input += chunk;
      left -= chunk;
    }
    stream.next_out = reinterpret_cast<Bytef *>(piece);
    stream.avail_out = sizeof piece;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && out.size() == size;
}

llvm::Expected<std::string> Reader::readContents(const Entry &entry) {
  if (entry.flags & 1)
    return error(entry, "encrypted members are not supported");
  if (!fits(entry.offset, kLocalSize) ||
      get32(bytes, entry.offset) != kLocalMagic)
    return error(entry,
                 "no local header at offset " + llvm::Twine(entry.offset));
  uint64_t start = entry.offset + kLocalSize + get16(bytes, entry.offset + 26) +
                   get16(bytes, entry.offset + 28);
  if (!fits(start, entry.compressedSize))
    return error(entry, "truncated: expected " +
                            llvm::Twine(entry.compressedSize) +
                            " bytes at offset " + llvm::Twine(start) +
                            ", got a file of " + llvm::Twine(bytes.size()));
  llvm::StringRef data = bytes.substr(start, entry.compressedSize);
  std::string contents;
  if (entry.method == kStored) {
    if (entry.size != entry.compressedSize)
      return error(entry, "stored, but its two sizes differ");
    contents = data.str();
  } else if (entry.method == kDeflated) {
    if (!inflateTo(data, entry.size, contents))
      return error(entry, "damaged deflate data: expected " +
                              llvm::Twine(entry.size) + " bytes, got " +
                              llvm::Twine(contents.size()));
  } else {
    return error(entry, "expected compression method 0 (stored) or 8 "
                        "(deflated), got " +
                            llvm::Twine(entry.method));
  }
  uint32_t crc = crcOf(contents);
  if (crc != entry.crc)
    return error(entry, "CRC mismatch: expected " +
                            llvm::Twine::utohexstr(entry.crc) + ", got " +
                            llvm::Twine::utohexstr(crc));
  return contents;
}

llvm::Expected<std::vector<ZipMember>> Reader::read() {
  if (llvm::Error e = findDirectory())
    return e;
  std::vector<ZipMember> members;
  uint64_t at = directoryOffset;
  for (uint64_t i = 0; i < entryCount; ++i) {
    llvm::Expected<Entry> entry = readEntry(at);
    if (!entry)
      return entry.takeError();
    llvm::Expected<std::string> contents = readContents(*entry);
    if (!contents)
      return contents.takeError();
    members.push_back({std::move(entry->name), std::move(*contents)});
  }
  return members;
}

llvm::Expected<std::vector<ZipMember>> attn::parseZip(llvm::StringRef bytes,
                                                      llvm::StringRef what) {
  return Reader(bytes, what).read();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void put(std::string &out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out.push_back(char(value >> (8 * i)));
}

static std::string deflateAll(llvm::StringRef data) {
  z_stream stream = {};
  // Raw deflate, as zip wants it; the default memory level.
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
               Z_DEFAULT_STRATEGY);
  std::string out;
  char piece[1 << 16];
  int status = Z_OK;
  do {
    llvm::StringRef chunk = data.take_front(1 << 30);
    data = data.drop_front(chunk.size());
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(chunk.data()));
    stream.avail_in = uInt(chunk.size());
    do {
      stream.next_out = reinterpret_cast<Bytef *>(piece);
      stream.avail_out = sizeof piece;
      status = deflate(&stream, data.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.append(piece, sizeof piece - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (status != Z_STREAM_END);
  deflateEnd(&stream);
  return out;
}

/// The fields that local and central header share, from `version needed` on.
static void putCommon(std::string &out, const Entry &entry, bool is64,
                      size_t extraSize) {
  put(out, is64 ? 45 : 20, 2);
  put(out, 1 << 11, 2); // names are UTF-8
  put(out, entry.method, 2);
  put(out, 0, 2); // time 00:00
  put(out, (1 << 5) | 1,
      2); // 1980-01-01, so that equal arrays give equal files
  put(out, entry.crc, 4);
  put(out, std::min<uint64_t>(entry.compressedSize, kMax32), 4);
  put(out, std::min<uint64_t>(entry.size, kMax32), 4);
  put(out, entry.name.size(), 2);
  put(out, extraSize, 2);
}

static void putEnd(std::string &out, uint64_t count, uint64_t start) {
  uint64_t size = out.size() - start, end64 = out.size();
  if (count >= 0xFFFF || start >= kMax32 || size >= kMax32) {
    put(out, kEnd64Magic, 4);
    put(out, kEnd64Size - 12, 8);
    put(out, 45, 2);
    put(out, 45, 2);
    put(out, 0, 8); // disks
    put(out, count, 8);
    put(out, count, 8);
    put(out, size, 8);
    put(out, start, 8);
    put(out, kEnd64LocatorMagic, 4);
    put(out, 0, 4);
    put(out, end64, 8);
    put(out, 1, 4);
  }
  put(out, kEndMagic, 4);
  put(out, 0, 4); // disks
  put(out, std::min<uint64_t>(count, 0xFFFF), 2);
  put(out, std::min<uint64_t>(count, 0xFFFF), 2);
  put(out, std::min<uint64_t>(size, kMax32), 4);
  put(out, std::min<uint64_t>(start, kMax32), 4);
  put(out, 0, 2);
}

std::string attn::formatZip(llvm::ArrayRef<ZipMember> members, bool compress) {
  std::string out, directory;
  for (const ZipMember &member : members) {
    std::string deflated;
    if (compress)
      deflated = deflateAll(member.contents);
    llvm::StringRef data = compress ? deflated : member.contents;
    Entry entry{member.name,
                0,
                compress ? kDeflated : kStored,
                crcOf(member.contents),
                data.size(),
                member.contents.size(),
                out.size()};
    // All three 64-bit fields or none: both headers then look alike.
    bool is64 = entry.size >= kMax32 || entry.compressedSize >= kMax32 ||
                entry.offset >= kMax32;
    Entry shown = entry;
    std::string extra;
    if (is64) {
      shown.size = shown.compressedSize = shown.offset = kMax32;
      put(extra, kZip64Extra, 2);
      put(extra, 24, 2);
      put(extra, entry.size, 8);
      put(extra, entry.compressedSize, 8);
      put(extra, entry.offset, 8);
    }
    put(out, kLocalMagic, 4);
    putCommon(out, shown, is64, extra.size());
    out += member.name + extra;
    out.append(data.data(), data.size());

    put(directory, kCentralMagic, 4);
    put(directory, 45, 2); // made by: MS-DOS, version 4.5
    putCommon(directory, shown, is64, extra.size());
    put(directory, 0, 8); // comment, disk, attributes
    put(directory, 0, 2);
    put(directory, shown.offset, 4);
    directory += member.name + extra;
  }
  uint64_t start = out.size();
  out += directory;
  putEnd(out, members.size(), start);
  return out;
}
