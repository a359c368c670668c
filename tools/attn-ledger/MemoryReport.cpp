//===- MemoryReport.cpp - attn-ledger memory ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

using namespace attn;
using namespace attn::ledger;

namespace {
struct MemoryStep {
  int64_t length;
  Count layerUnfused, layerFused;
  Count probabilities, statistics; ///< of one layer's attention alone
};
} // namespace

static std::string inGiB(Count bytes) {
  return significant(toDouble(bytes) / (1024.0 * 1024 * 1024), 4);
}

static void writeJson(const Options &options, llvm::ArrayRef<MemoryStep> steps,
                      double budget, llvm::raw_ostream &os) {
  const ModelShape &model = options.model;
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeObject("model", [&] {
      json.attribute("batch", model.batch);
      json.attribute("model_dim", model.modelDim);
      json.attribute("heads", model.heads);
      json.attribute("layers", model.layers);
      json.attribute("linear_tensors", model.linearTensors);
      json.attribute("quadratic_tensors", model.quadraticTensors);
      json.attribute("element_bytes", model.elementBytes);
    });
    json.attribute("budget_bytes", budget);
    json.attributeArray("rows", [&] {
      for (const MemoryStep &step : steps)
        json.object([&] {
          json.attribute("n", step.length);
          writeCount(json, "layer_unfused_bytes", step.layerUnfused);
          writeCount(json, "layer_fused_bytes", step.layerFused);
          writeCount(json, "model_unfused_bytes",
                     step.layerUnfused * model.layers);
          writeCount(json, "model_fused_bytes", step.layerFused * model.layers);
          writeCount(json, "probability_bytes", step.probabilities);
          writeCount(json, "statistics_bytes", step.statistics);
          json.attribute("probabilities_fit",
                         toDouble(step.probabilities) <= budget);
        });
    });
  });
  os << "\n";
}

/// Counts are 128 bits wide; a model beyond that is refused.
static llvm::Error checkModel(const ModelShape &model, int64_t length) {
  Problem shape;
  shape.batch = {model.batch, model.heads, model.layers,
                 std::max(model.linearTensors, model.quadraticTensors)};
  shape.rows = {length};
  shape.keys = {length};
  shape.depth = shape.value = model.modelDim;
  return shape.check();
}

llvm::Error attn::ledger::reportMemory(const Options &options,
                                       llvm::raw_ostream &os) {
  const ModelShape &model = options.model;
  double budget = options.budgetGiB * 1024 * 1024 * 1024;
  int64_t heads = mulSaturating(model.batch, model.heads);
  std::vector<MemoryStep> steps;
  for (int64_t length : options.lengths) {
    if (llvm::Error error = checkModel(model, length))
      return error;
    steps.push_back(
        {length, layerBytesUnfused(model, length),
         layerBytesFused(model, length),
         probabilityBytes(heads, length, length, model.elementBytes),
         statisticsBytes(heads, length)});
  }
  if (options.json) {
    writeJson(options, steps, budget, os);
    return llvm::Error::success();
  }
  os << "Activations kept for the backward, GiB: model dim " << model.modelDim
     << ", " << model.heads << " heads, " << model.linearTensors << " linear + "
     << model.quadraticTensors << " quadratic tensors, " << model.elementBytes
     << " bytes, batch " << model.batch << ", " << model.layers
     << " layers\n\n";
  Table table({"N", "layer unfused", "fused", "model unfused", "fused",
               "P alone", "m and l",
               "<P fits " + fixed(options.budgetGiB, 0) + " GiB"});
  for (const MemoryStep &step : steps)
    table.add({std::to_string(step.length), inGiB(step.layerUnfused),
               inGiB(step.layerFused), inGiB(step.layerUnfused * model.layers),
               inGiB(step.layerFused * model.layers), inGiB(step.probabilities),
               inBytes(step.statistics),
               toDouble(step.probabilities) <= budget ? "yes" : "no"});
  table.print(os);
  return llvm::Error::success();
}
