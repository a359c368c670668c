//===- LaunchManifest.h - How to launch emitted kernels ---------*- C++ -*-===//
//
// PTX and cubin carry no shapes: a launch hands over bare pointers and bits.
// The manifest, written as OUT.json beside OUT, says the rest, so that anyone
// can run the kernels, and the emulator can check every access against the true
// extents:
//
//   {"kernels": [
//      {"name": "attention", "grid": [8, 4, 1], "block": [128, 1, 1],
//       "shared_bytes": 49152,
//       "params": [
//         {"kind": "pointer", "type": "f16", "extents": [2, 4, 64, 32],
//          "strides": [8192, 2048, 32, 1], "source": "arg0",
//          "offset": 0, "operand": "Q"},
//         {"kind": "pointer", "type": "f32", "extents": [512],
//          "strides": [1], "source": "scratch0"},
//         {"kind": "scalar", "type": "i32", "value": 64},
//         {"kind": "scalar", "type": "i64", "source": "arg3"},
//         {"kind": "pointer", "type": "f32", "extents": [2, 4, 64, 32],
//          "strides": [8192, 2048, 32, 1], "source": "out0"}]}],
//    "report": {...}}
//
// Kernels run in order on one stream. Extents, strides and offset (of the
// pointer from the first element of its source; 0 where left out) are in
// elements; `operand` is what reports call the parameter, and may be missing.
// `argK` and `outK` count the entry's arguments and results; scratch buffers
// are shared by the kernels that name the same number and hold nothing at
// first. A scalar has a value, or a source: a 0-d or one-element argument.
// `report` is whatever the compiler wants to tell (tiling, ledger, remarks).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_LAUNCHMANIFEST_H
#define ATTN_SUPPORT_LAUNCHMANIFEST_H

#include "attn/Support/Npy.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace attn {

/// Where a parameter's contents come from.
struct ParamSource {
  enum class Kind : uint8_t { Arg, Out, Scratch };
  Kind kind = Kind::Arg;
  unsigned index = 0;

  std::string str() const; // arg0, out1, scratch0
  friend bool operator==(ParamSource a, ParamSource b) {
    return a.kind == b.kind && a.index == b.index;
  }
};
/// `scratch` alone is scratch0. Nothing if it is not a source.
std::optional<ParamSource> parseParamSource(llvm::StringRef text);

struct KernelParam {
  enum class Kind : uint8_t { Pointer, Scalar };
  Kind kind = Kind::Pointer;
  DType type = DType::F32;
  // Pointers: one entry per dim. Scalars: empty.
  llvm::SmallVector<int64_t, 4> extents, strides;
  // Pointers have a source; scalars a source or a value (integer types: an
  // integer; float types: any number).
  std::optional<ParamSource> source;
  std::optional<llvm::json::Value> value;
  // Pointers: elements before the first one, and a name for reports.
  int64_t offset = 0;
  std::string operand;

  /// Elements from the pointer to the end of the last one; 0 if an extent is.
  int64_t spanElements() const;
  /// Bytes from the start of the source to there; at most 2^48 in a manifest
  /// that was read.
  int64_t reachBytes() const;
};

struct KernelLaunch {
  std::string name;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t sharedBytes = 0;
  std::vector<KernelParam> params;
};

struct LaunchManifest {
  std::vector<KernelLaunch> kernels;
  llvm::json::Value report = llvm::json::Object();
};

llvm::json::Value toJSON(const LaunchManifest &manifest);

/// Errors name the place (`kernels[0].params[2].type`), what was expected and
/// what was found; unknown keys are errors too. `what` names the text.
llvm::Expected<LaunchManifest> parseLaunchManifest(llvm::StringRef text,
                                                   llvm::StringRef what);
llvm::Expected<LaunchManifest> readLaunchManifest(llvm::StringRef path);
/// Whole or not at all, as in Npy.h.
llvm::Error writeLaunchManifest(llvm::StringRef path,
                                const LaunchManifest &manifest);

} // namespace attn

#endif // ATTN_SUPPORT_LAUNCHMANIFEST_H
