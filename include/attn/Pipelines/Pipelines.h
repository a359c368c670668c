//===- Pipelines.h - named phases from exporter IR to LLVM ------*- C++ -*-===//
//
// The passes of the project and of upstream, strung together and nothing more.
// Two roads lead from a module to the LLVM dialect:
//
//   compiler:  input -> attn -> tiled -> vector ---------> llvm   for a CPU
//                             -> gpu -> kernels -> host -> llvm   for a GPU
//   oracle:    input --------------------------------> llvm  upstream only
//
// The compiler stops anywhere. Which of its two branches it takes is up to the
// target; phases of the other branch are passed by.
//
// The oracle is what a compiled module is compared with: the same input, left
// unfused, lowered to plain loops. Where the input already holds attn ops it
// gives them their executable meaning (attn-decompose) and nothing else of
// ours.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PIPELINES_PIPELINES_H
#define ATTN_PIPELINES_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>

namespace mlir::attn {

/// Where a pipeline stops. The order is the order of the flow.
enum class Phase {
  Input,   ///< inlined, TOSA lowered: what the recogniser reads
  Attn,    ///< attentions are attn ops that carry a tiling
  Tiled,   ///< loops over tiles, still tensors
  Vector,  ///< buffers, vectors and loops
  Gpu,     ///< buffers, kernels in gpu.module and their launches
  Kernels, ///< the kernels in the LLVM dialect
  Host,    ///< the kernels as PTX in gpu.binary
  LLVM,    ///< the LLVM dialect
};

/// What a user may ask of the compiler road.
struct PipelineOptions {
  /// Overrides of the chosen tiling, as --tiling spells them; empty = none.
  std::string tiling;
  /// File of tilings found by timing (attn/CostModel/TilingTable.h), taken
  /// where it has an attention's problem; empty = none.
  std::string tilingTable;
  /// The machine to compile for, by name; empty = the module's, else the host.
  std::string target;
  /// Cores of a CPU that the code will run on; 0 = all the target has.
  unsigned cores = 0;
  /// Instrument tiles to count the elements they move (attn-count-io).
  bool countIo = false;
  /// Gradients on a GPU may be added up by atomic additions.
  bool atomics = false;
  /// A candidate that is not fused is an error.
  bool mustFuse = false;
  /// A resource limit that is not met is an error.
  bool strict = false;
  /// NVIDIA's assembler; empty: looked for (attn/Runtime/Ptxas.h).
  std::string ptxas;
  /// Fusions that drop a rounding are declined.
  bool strictRounding = false;
  /// A function to differentiate once its attentions are found
  /// (attn-differentiate); empty = none. And whether its product takes
  /// gradients of their log-sum-exps.
  std::string differentiate;
  /// Its arguments whose gradients are asked for; empty = all arrays of floats.
  std::vector<int64_t> differentiateArguments;
  bool lseGradients = false;
  /// Query blocks may run on several threads (OpenMP).
  bool parallel = true;
  /// Functions write their results to buffers that follow the arguments,
  /// instead of allocating them.
  bool destinations = false;
};

/// Appends the passes that lead from phase `from` (exclusive; std::nullopt = an
/// input file) to `to` (inclusive), for a CPU or a GPU.
void buildCompilerPipeline(OpPassManager &pm, std::optional<Phase> from,
                           Phase to, bool gpu, const PipelineOptions &options);

/// Appends the oracle's passes, from an input file to the LLVM dialect.
void buildOraclePipeline(OpPassManager &pm);

/// Makes `name` the module's `attn.target`. An unknown name is an error that
/// lists the known ones; an empty one keeps the module's. `cores`, unless 0, is
/// how many of a CPU's cores may be planned with.
LogicalResult setTarget(ModuleOp module, StringRef name, unsigned cores = 0);

/// Runs the compiler road for the module's target from `from` to `to`. Errors
/// are reported as diagnostics.
LogicalResult runCompilerPipeline(ModuleOp module, std::optional<Phase> from,
                                  Phase to, const PipelineOptions &options);

/// Runs the oracle road on `module`. Errors are reported as diagnostics.
LogicalResult runOraclePipeline(ModuleOp module);

/// Registers `attn-oracle` as a textual pipeline.
void registerPipelines();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
