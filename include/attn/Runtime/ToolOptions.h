//===- ToolOptions.h - options that the tools share -------------*- C++ -*-===//
#ifndef ATTN_RUNTIME_TOOLOPTIONS_H
#define ATTN_RUNTIME_TOOLOPTIONS_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/CommandLine.h"
#include "attn/Runtime/RemarkLog.h"

namespace mlir::attn {

/// --target, --tiling, --atomics, --must-fuse, --strict, --strict-rounding.
void addPipelineOptions(CommandLine &line, PipelineOptions &options);

/// --remarks=REGEX, which printRemarks takes.
void addRemarksOption(CommandLine &line, std::string &pattern);

/// An error if `pattern` is no regular expression.
llvm::Error checkRemarksPattern(StringRef pattern);

/// Prints the remarks whose whole category matches; none if it is empty.
void printRemarks(const RemarkLog &log, StringRef pattern,
                  llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_TOOLOPTIONS_H
