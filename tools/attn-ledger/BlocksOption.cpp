//===- BlocksOption.cpp - attn-ledger --blocks ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "attn/Support/Npy.h"
#include "llvm/ADT/StringExtras.h"

using namespace attn;
using namespace attn::ledger;
using llvm::StringRef;

/// Where kv heads, queries and keys are among the dims of the problem.
static constexpr unsigned batchDim = 0, headDim = 1, rowDim = 3, keyDim = 4;

/// 0110/1011: a row of blocks after the other.
static llvm::Expected<BlockOption> parseRows(StringRef text,
                                             BlockOption option) {
  llvm::SmallVector<StringRef> rows;
  text.split(rows, '/');
  for (StringRef row : rows) {
    if (row.empty() || row.size() != rows.front().size() ||
        row.find_first_not_of("01") != StringRef::npos)
      return llvm::createStringError(
          "expected rows of 0 and 1 of one length, with / between them, or the "
          "name of a .npy file, got '%s'",
          text.str().c_str());
    for (char digit : row)
      option.pattern.seen.push_back(digit == '1');
  }
  option.shape = {static_cast<int64_t>(rows.size()),
                  static_cast<int64_t>(rows.front().size())};
  return option;
}

/// An array of bool: rows and keys, and before them kv heads, and batches.
static llvm::Expected<BlockOption> readFile(StringRef path,
                                            BlockOption option) {
  llvm::Expected<Array> array = readNpy(path);
  if (!array)
    return array.takeError();
  size_t rank = array->shape.size();
  if (array->type != DType::Bool || rank < 2 || rank > 4)
    return llvm::createStringError(
        "%s: expected an array of bool of rows x keys, with kv heads and "
        "batches before them if it has them, got %s of rank %zu",
        path.str().c_str(), stringify(array->type).str().c_str(), rank);
  if (rank > 2)
    option.pattern.terms.insert(option.pattern.terms.begin(), {headDim, 1});
  if (rank > 3)
    option.pattern.terms.insert(option.pattern.terms.begin(), {batchDim, 1});
  option.shape.assign(array->shape.begin(), array->shape.end());
  for (int64_t i = 0; i < array->numElements(); ++i)
    option.pattern.seen.push_back(array->get(i) != 0);
  return option;
}

llvm::Expected<BlockOption> attn::ledger::parseBlocks(StringRef text) {
  auto [size, elements] = text.split(':');
  auto [rows, keys] = size.split('x');
  int64_t br = 0, bc = 0;
  if (rows.getAsInteger(10, br) || keys.getAsInteger(10, bc) || br < 1 ||
      bc < 1)
    return llvm::createStringError(
        "expected the size of a block, ROWSxKEYS of at least 1, got '%s'",
        size.str().c_str());
  BlockOption option;
  option.pattern.terms = {{rowDim, br}, {keyDim, bc}};
  if (!text.contains(':'))
    return option;
  if (elements.ends_with(".npy"))
    return readFile(elements, std::move(option));
  return parseRows(elements, std::move(option));
}

llvm::Error attn::ledger::checkShape(const BlockOption &option,
                                     const Problem &problem) {
  if (option.shape.empty())
    return llvm::Error::success();
  llvm::SmallVector<int64_t, 4> expected;
  for (const BlockPattern::Term &term : option.pattern.terms)
    expected.push_back(problem.blocksAlong(term));
  if (option.shape == expected)
    return llvm::Error::success();
  auto spelled = [](llvm::ArrayRef<int64_t> shape) {
    return llvm::join(
        llvm::map_range(shape,
                        [](int64_t extent) { return std::to_string(extent); }),
        " x ");
  };
  return llvm::createStringError(
      "--blocks: expected %s elements for this problem, got %s",
      spelled(expected).c_str(), spelled(option.shape).c_str());
}
