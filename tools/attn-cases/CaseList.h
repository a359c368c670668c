//===- CaseList.h - the cases of a folder -----------------------*- C++ -*-===//
//
// A case is NAME.mlir with NAME.npz (arguments and expected results), perhaps
// NAME.alt.npz (a second set of other extents), and a line of index.tsv, whose
// columns are named in its first line: `verdict` says whether the file should
// be recognised, `n_attention` how many attentions it holds.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_CASES_CASELIST_H
#define ATTN_CASES_CASELIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

struct Case {
  std::string name, input;
  std::vector<std::string> arrays; ///< NAME.npz, NAME.alt.npz
  std::string verdict = "unlisted";
  std::optional<unsigned> present; ///< attentions in the file
};

/// The cases of `directory` by name, those whose name contains `filter`.
llvm::Expected<std::vector<Case>> listCases(llvm::StringRef directory,
                                            llvm::StringRef filter);

#endif // ATTN_CASES_CASELIST_H
