//===- Case.cpp - one line of a speed table -------------------------------===//
#include "Case.h"
#include "attn/Support/Npy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::attn::bench;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

unsigned Case::elementBytes() const {
  return ::attn::sizeOf(*::attn::parseDType(dtype));
}

/// Row m stands at key m + keys - queries: a prefix of the keys is a cache.
double Case::visiblePairs() const {
  double pairs = 0;
  int64_t shift = keyCount() - queries;
  if (mask == Mask::None)
    return double(queries) * keyCount();
  for (int64_t m = 0; m < queries; ++m) {
    int64_t end = std::max<int64_t>(0, m + shift + 1), begin = 0;
    if (mask == Mask::Window)
      begin = std::max<int64_t>(0, end - window);
    pairs += end - begin;
  }
  return pairs;
}

double Case::flops() const {
  return (backward ? 10.0 : 4.0) * visiblePairs() * depth * batch * heads;
}

double Case::keyValueBytes() const {
  return 2.0 * batch * keyHeads() * keyCount() * depth * elementBytes();
}

std::string Case::name() const {
  std::string text =
      llvm::formatv("{0}x{1}x{2}x{3}", batch, heads, queries, depth);
  if (kvHeads)
    text += " kv-heads " + std::to_string(kvHeads);
  if (keys)
    text += " keys " + std::to_string(keys);
  text += " " + dtype;
  if (mask == Mask::Causal)
    text += " causal";
  if (mask == Mask::Window)
    text += " window " + std::to_string(window);
  if (score != Score::Plain)
    text += score == Score::Bias ? " bias" : " softcap";
  if (backward)
    text += " backward";
  if (!target.empty())
    text += " " + target;
  if (threads != 1)
    text += " " + std::to_string(threads) + " threads";
  return text;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
struct Argument {
  std::string name, type;
};

std::string tensorType(llvm::ArrayRef<int64_t> shape, StringRef element) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += std::to_string(extent) + "x";
  return type + element.str() + ">";
}

std::string joined(llvm::ArrayRef<Argument> arguments, bool types) {
  return llvm::join(llvm::map_range(arguments,
                                    [&](const Argument &a) {
                                      return types ? a.type : a.name;
                                    }),
                    ", ");
}
} // namespace

std::string Case::moduleText() const {
  // A group of query heads that shares its keys is a dim of the rows.
  bool grouped = kvHeads && kvHeads != heads;
  StringRef wide = dtype == "f64" ? "f64" : "f32";
  llvm::SmallVector<int64_t> head{batch, keyHeads()};
  llvm::SmallVector<int64_t> query(head), keyValue(head), row(head);
  if (grouped)
    query.push_back(heads / kvHeads);
  query.append({queries, depth});
  row = query;
  row.pop_back();
  keyValue.append({keyCount(), depth});
  StringRef g = grouped ? "g, " : "";
  std::string dims = ("b, h, " + g + "m, n").str();

  std::string inputType = tensorType(query, dtype);
  std::string keyType = tensorType(keyValue, dtype);
  std::string rowType = tensorType(row, wide);
  llvm::SmallVector<Argument> inputs{
      {"%q", inputType}, {"%k", keyType}, {"%v", keyType}};
  llvm::SmallVector<Argument> all(inputs), outs;
  std::string maps = llvm::formatv(
      "({0}, k, d) -> (b, h, {1}m, k), -> (b, h, n, k), -> (b, h, n, d)", dims,
      g);
  std::string attributes =
      llvm::formatv("scale = {0:e}", 1.0 / std::sqrt(double(depth)));
  if (mask != Mask::None) {
    std::string set = llvm::formatv("m + {0} - n >= 0", keyCount() - queries);
    if (mask == Mask::Window)
      set += llvm::formatv(", n - m - {0} >= 0",
                           keyCount() - queries - window + 1);
    attributes +=
        llvm::formatv(", visible = [affine_set<({0})[{1}] : ({2})>]", dims,
                      grouped ? "B, H, G, M, N" : "B, H, M, N", set);
  }
  std::string extras, region;
  if (score == Score::Bias) {
    llvm::SmallVector<int64_t> shape(llvm::ArrayRef(row).drop_front());
    shape.push_back(keyCount());
    all.push_back({"%bias", tensorType(shape, wide)});
    extras = llvm::formatv("extras(%bias : {0})", all.back().type);
    maps += llvm::formatv(", -> (h, {0}m, n)", g);
    region = llvm::formatv("score (%s : {0}, %e : {0}) {{ %x = arith.addf %s, "
                           "%e : {0} attn.yield %x : {0} }",
                           wide);
  }
  if (score == Score::SoftCap)
    region = llvm::formatv(
        "score (%s : {0}) {{ %c = arith.constant 3.0e+01 : {0} "
        "%i = arith.constant 3.3333333e-02 : {0} %y = arith.mulf %s, %i : {0} "
        "%t = math.tanh %y : {0} %x = arith.mulf %t, %c : {0} "
        "attn.yield %x : {0} }",
        wide);
  maps += llvm::formatv(", -> (b, h, {0}m, d)", g);
  std::string forward;
  if (backward) {
    maps += llvm::formatv(", -> (b, h, {0}m)", g);
    all.append({{"%o", inputType}, {"%lse", rowType}, {"%do", inputType}});
    forward = llvm::formatv("forward(%o, %lse : {0}, {1}) grad(%do : {0})",
                            inputType, rowType);
    outs = {{"%dq", inputType}, {"%dk", keyType}, {"%dv", keyType}};
  } else {
    outs = {{"%out", inputType}};
  }
  std::string text = "func.func @main(";
  for (auto [i, argument] : llvm::enumerate(all))
    text += (i ? ", " : "") + argument.name + ": " + argument.type;
  std::string results = "(" + joined(outs, true) + ")";
  text += ") -> " + results + " {\n";
  for (const Argument &out : outs)
    text += "  " + out.name + " = tensor.empty() : " + out.type + "\n";
  text += llvm::formatv(
      "  %r:{0} = attn.attention{1} {{{2}}\n    maps = [{3}]\n    ins({4} : "
      "{5}) {6} {7}\n    outs({8} : {9})\n    {10}\n",
      outs.size(), backward ? "_backward" : "", attributes, maps,
      joined(inputs, false), joined(inputs, true), extras, forward,
      joined(outs, false), joined(outs, true), region);
  text += "  return ";
  for (size_t i = 0; i < outs.size(); ++i)
    text += (i ? ", %r#" : "%r#") + std::to_string(i);
  return text + " : " + joined(outs, true) + "\n}\n";
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

llvm::Error mlir::attn::bench::parseShape(StringRef text, Case &result) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  int64_t *fields[] = {&result.batch, &result.heads, &result.queries,
                       &result.depth};
  bool valid = parts.size() == 4;
  for (size_t i = 0; valid && i < 4; ++i)
    valid = !parts[i].trim().getAsInteger(10, *fields[i]) && *fields[i] > 0;
  if (valid)
    return llvm::Error::success();
  return llvm::createStringError(
      "--shape: expected B,H,N,D, four numbers above 0, got '" + text + "'");
}

llvm::Error mlir::attn::bench::parseType(StringRef text, Case &result) {
  for (StringRef known : {"f32", "f64", "f16", "bf16"})
    if (text == known) {
      result.dtype = text.str();
      return llvm::Error::success();
    }
  return llvm::createStringError(
      "--dtype: expected f32, f64, f16 or bf16, got '" + text + "'");
}

llvm::Error mlir::attn::bench::parseMask(StringRef text, Case &result) {
  StringRef rest = text;
  if (text == "none")
    result.mask = Mask::None;
  else if (text == "causal")
    result.mask = Mask::Causal;
  else if (rest.consume_front("window=") &&
           !rest.getAsInteger(10, result.window) && result.window > 0)
    result.mask = Mask::Window;
  else
    return llvm::createStringError(
        "--mask: expected none, causal or window=W with W above 0, got '" +
        text + "'");
  return llvm::Error::success();
}

llvm::Error mlir::attn::bench::parseScore(StringRef text, Case &result) {
  if (text == "none")
    result.score = Score::Plain;
  else if (text == "bias")
    result.score = Score::Bias;
  else if (text == "softcap")
    result.score = Score::SoftCap;
  else
    return llvm::createStringError(
        "--score: expected none, bias or softcap, got '" + text + "'");
  return llvm::Error::success();
}
