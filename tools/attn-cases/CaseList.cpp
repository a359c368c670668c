//===- CaseList.cpp - the cases of a folder -------------------------------===//
#include "CaseList.h"
#include "attn/Support/AtomicFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

static std::string pathIn(StringRef directory, const Twine &file) {
  SmallString<128> path(directory);
  sys::path::append(path, file);
  return path.str().str();
}

/// Fills verdicts in from index.tsv, where there is one.
static Error readIndex(StringRef path, std::vector<Case> &cases) {
  auto buffer = attn::readFile(path);
  if (!buffer)
    return buffer.takeError();
  SmallVector<StringRef> lines, header;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (!lines.empty())
    lines.front().split(header, '\t');
  auto column = [&](StringRef name) {
    return static_cast<size_t>(llvm::find(header, name) - header.begin());
  };
  size_t name = column("name"), verdict = column("verdict"),
         present = column("n_attention");
  if (name == header.size() || verdict == header.size())
    return createStringError(path + ": expected columns 'name' and 'verdict' "
                                    "in the first line");
  for (StringRef line : ArrayRef(lines).drop_front()) {
    SmallVector<StringRef> fields;
    line.split(fields, '\t');
    if (fields.size() <= std::max(name, verdict))
      continue;
    auto entry = llvm::find_if(
        cases, [&](const Case &c) { return c.name == fields[name]; });
    if (entry == cases.end())
      continue;
    entry->verdict = fields[verdict].str();
    unsigned count;
    if (present < fields.size() && !fields[present].getAsInteger(10, count))
      entry->present = count;
  }
  return Error::success();
}

Expected<std::vector<Case>> listCases(StringRef directory, StringRef filter) {
  if (!sys::fs::is_directory(directory))
    return createStringError(directory + ": expected a folder of cases");
  std::vector<Case> cases;
  std::error_code error;
  for (sys::fs::directory_iterator file(directory, error), end;
       file != end && !error; file.increment(error)) {
    StringRef path = file->path();
    StringRef name = sys::path::stem(path);
    if (sys::path::extension(path) != ".mlir" || !name.contains(filter))
      continue;
    Case entry;
    entry.name = name.str();
    entry.input = path.str();
    for (StringRef suffix : {".npz", ".alt.npz"}) {
      std::string arrays = pathIn(directory, name + suffix);
      if (sys::fs::exists(arrays))
        entry.arrays.push_back(arrays);
    }
    cases.push_back(std::move(entry));
  }
  if (error)
    return createStringError(directory + ": " + error.message());
  llvm::sort(cases,
             [](const Case &a, const Case &b) { return a.name < b.name; });
  std::string index = pathIn(directory, "index.tsv");
  if (sys::fs::exists(index))
    if (Error indexError = readIndex(index, cases))
      return std::move(indexError);
  return cases;
}
