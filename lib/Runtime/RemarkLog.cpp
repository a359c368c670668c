//===- RemarkLog.cpp - remarks kept for a report --------------------------===//
#include "attn/Runtime/RemarkLog.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

StringRef RemarkRecord::lookup(StringRef key) const {
  for (const auto &[name, value] : arguments)
    if (name == key)
      return value;
  return "";
}

std::string mlir::attn::formatLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    os << location;
  return text;
}

namespace {
class RecordingStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RecordingStreamer(std::shared_ptr<RemarkLog> log)
      : log(std::move(log)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    RemarkRecord record;
    record.kind = remark.getRemarkTypeString().str();
    record.name = remark.getRemarkName().str();
    record.category = remark.getCombinedCategoryName().str();
    record.location = formatLocation(remark.getLocation());
    for (const auto &argument : remark.getArgs())
      record.arguments.emplace_back(argument.key, argument.val);
    llvm::raw_string_ostream os(record.text);
    os << record.location << ": remark: ";
    remark.print(os);
    log->push_back(std::move(record));
  }

private:
  std::shared_ptr<RemarkLog> log;
};
} // namespace

LogicalResult mlir::attn::recordRemarks(MLIRContext &context,
                                        std::shared_ptr<RemarkLog> log) {
  // A kind is on only if its own field is set; `all` alone enables nothing.
  remark::RemarkCategories everything{/*all=*/".*", /*passed=*/"",
                                      /*missed=*/"", /*analysis=*/"",
                                      /*failed=*/""};
  return remark::enableOptimizationRemarks(
      context, std::make_unique<RecordingStreamer>(std::move(log)),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), everything);
}
