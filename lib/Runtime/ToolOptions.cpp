//===- ToolOptions.cpp - options that the tools share ---------------------===//
#include "attn/Runtime/ToolOptions.h"
#include "attn/Support/Nesting.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

void mlir::attn::addPipelineOptions(CommandLine &line,
                                    PipelineOptions &options) {
  line.text("target", options.target, "T",
            "machine to compile for (default: this one)");
  line.text("tiling", options.tiling, "query_block=16,key_block=16,...",
            "tile as told instead of as chosen");
  line.text("tiling-table", options.tilingTable, "F",
            "tilings found by attn-run --tune --tune-out=F, where it has them");
  line.flag("atomics", options.atomics,
            "dQ by atomic additions, in any order: faster (GPU targets only)");
  line.flag("must-fuse", options.mustFuse,
            "an attention that is not fused is an error");
  line.flag("strict", options.strict,
            "a resource limit that is not met is an error");
  line.text("ptxas", options.ptxas, "F|none",
            "NVIDIA's assembler (default: looked for)");
  line.flag("strict-rounding", options.strictRounding,
            "decline fusions that drop a rounding");
}

void mlir::attn::addRemarksOption(CommandLine &line, std::string &pattern) {
  line.text("remarks", pattern, "REGEX",
            "print remarks of categories that match, e.g. 'attn-.*'");
}

/// The whole category must match, as with mlir-opt's filters.
static llvm::Regex wholeMatch(StringRef pattern) {
  return llvm::Regex(("^(" + pattern + ")$").str());
}

llvm::Error mlir::attn::checkRemarksPattern(StringRef pattern) {
  std::string error;
  if (::attn::findDeepNesting(pattern, ::attn::Syntax::JSON))
    return llvm::createStringError("--remarks: " +
                                   ::attn::deepNestingMessage());
  if (pattern.empty() || wholeMatch(pattern).isValid(error))
    return llvm::Error::success();
  return llvm::createStringError("--remarks: '" + pattern +
                                 "' is no regular expression: " + error);
}

void mlir::attn::printRemarks(const RemarkLog &log, StringRef pattern,
                              raw_ostream &os) {
  if (pattern.empty())
    return;
  llvm::Regex filter = wholeMatch(pattern);
  for (const RemarkRecord &remark : log)
    if (filter.match(remark.category))
      os << remark.text << '\n';
}
