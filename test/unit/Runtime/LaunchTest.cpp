//===- LaunchTest.cpp - compiled host code on launch devices --------------===//
//
// A module whose function launches two kernels, lowered by the compiler's own
// phases, runs on the emulator and on a driver that only takes notes.
//
//===----------------------------------------------------------------------===//
#include "attn/Pipelines/Pipelines.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/CudaDevice.h"
#include "attn/Runtime/EmulatorDevice.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/LaunchABI.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::DType;

/// Kernel: out[i] = factor * in[i] where i < bound. Host: in -> scratch -> out,
/// twice the factor 2, with a bound that may be wrong.
static constexpr const char *source = R"mlir(
module attributes {gpu.container_module, attn.target = #attn.target<"a100">} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80", O = 3>] {
    gpu.func @scale(%in: !llvm.ptr, %out: !llvm.ptr, %bound: i64, %factor: f32) kernel {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %size = gpu.block_dim x
      %first = arith.muli %block, %size : index
      %i = arith.addi %first, %thread : index
      %at = arith.index_cast %i : index to i64
      %exists = arith.cmpi slt, %at, %bound : i64
      cf.cond_br %exists, ^body, ^end
    ^body:
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = arith.mulf %x, %factor : f32
      %q = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %q : f32, !llvm.ptr
      cf.br ^end
    ^end:
      gpu.return
    }
  }
  func.func @main(%a: memref<?xf32>, %bound: i64) -> memref<?xf32>
      attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %two = arith.constant 2.0 : f32
    %n = memref.dim %a, %c0 : memref<?xf32>
    %blocks = arith.ceildivui %n, %c32 : index
    %scratch = memref.alloc(%n) : memref<?xf32>
    %out = memref.alloc(%n) : memref<?xf32>
    %p = attn_gpu.address read %a : memref<?xf32>
    %s = attn_gpu.address scratch %scratch : memref<?xf32>
    %q = attn_gpu.address write %out : memref<?xf32>
    gpu.launch_func @kernels::@scale
      blocks in (%blocks, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%p : !llvm.ptr, %s : !llvm.ptr, %bound : i64, %two : f32)
    gpu.launch_func @kernels::@scale
      blocks in (%blocks, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%s : !llvm.ptr, %q : !llvm.ptr, %bound : i64, %two : f32)
    memref.dealloc %scratch : memref<?xf32>
    return %out : memref<?xf32>
  }
}
)mlir";

namespace {
/// The module, compiled; runs on whatever device a LaunchScope names.
class HostProgram {
public:
  HostProgram() {
    DialectRegistry registry;
    registerEveryDialect(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module || failed(runCompilerPipeline(*module, Phase::Gpu, Phase::LLVM,
                                              PipelineOptions())))
      ADD_FAILURE() << "the module does not compile";
  }

  /// Loading the kernels is part of it. A failed launch is in `failure`.
  std::vector<float> run(LaunchDevice &device, ArrayRef<float> in,
                         int64_t bound, std::string &failure) {
    LaunchScope scope(device);
    llvm::StringMap<void *> symbols;
    addLaunchSymbols(symbols);
    auto compiled = llvm::cantFail(
        CompiledModule::create(*module, Unrolling::AsWritten, symbols));
    EntryPoint entry{
        "main",
        {{DType::F32, true, {ShapedType::kDynamic}}, {DType::I64, false, {}}},
        {{DType::F32, true, {ShapedType::kDynamic}}}};
    Array data(DType::F32, {static_cast<int64_t>(in.size())});
    std::copy(in.begin(), in.end(), data.data<float>());
    Array limit(DType::I64, {});
    limit.set(0, static_cast<double>(bound));
    PreparedCall call(entry, {data, limit});
    auto results =
        llvm::cantFail(call.run(llvm::cantFail(compiled->lookup("main"))));
    failure = llvm::toString(scope.takeError());
    const float *values = results[0].data<float>();
    return {values, values + results[0].numElements()};
  }

private:
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};
} // namespace

static std::vector<float> iota(size_t size) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = static_cast<float>(i);
  return values;
}

TEST(Launch, HostProgramRunsOnTheEmulator) {
  auto device = createEmulatorDevice();
  std::string failure;
  std::vector<float> in = iota(37);
  std::vector<float> out = HostProgram().run(*device, in, 37, failure);
  EXPECT_EQ(failure, "");
  ASSERT_EQ(out.size(), in.size());
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], 4 * in[i]);
  ASSERT_EQ(device->launches().size(), 2u);
  const LaunchRecord &second = device->launches()[1];
  EXPECT_EQ(second.kernel, "scale");
  EXPECT_EQ(second.shape.grid.x, 2u);
  ASSERT_TRUE(second.counts.has_value());
  EXPECT_EQ(second.counts->parameter(0)->bytesRead, 37u * 4);
  EXPECT_EQ(second.counts->parameter(1)->bytesWritten, 37u * 4);
}

TEST(Launch, TrueExtentsAreTheBuffersOwn) {
  auto device = createEmulatorDevice();
  std::string failure;
  HostProgram().run(*device, iota(37), 38, failure);
  EXPECT_NE(failure.find("kernel 'scale' failed on the emulator"),
            std::string::npos)
      << failure;
  EXPECT_NE(failure.find("outOfBounds"), std::string::npos);
  EXPECT_NE(failure.find("thread (5,0,0)"), std::string::npos);
}

TEST(Launch, OnlyWhatIsTouchedIsCounted) {
  auto device = createEmulatorDevice();
  std::string failure;
  // Neither kernel does anything.
  HostProgram().run(*device, iota(4), 0, failure);
  EXPECT_EQ(failure, "");
  EXPECT_EQ(device->launches()[0].counts->parameter(1), nullptr);
}

TEST(Launch, NothingIsLaunchedForNothing) {
  auto device = createEmulatorDevice();
  std::string failure;
  EXPECT_TRUE(HostProgram().run(*device, {}, 0, failure).empty());
  EXPECT_EQ(failure, "");
  EXPECT_TRUE(device->launches().empty());
}

//===----------------------------------------------------------------------===//
// The ABI, call by call
//===----------------------------------------------------------------------===//

TEST(Launch, RegisteredHostMemoryIsReachable) {
  auto device = createEmulatorDevice();
  LaunchScope scope(*device);
  const char *ptx = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 at) {
  .reg .b64 %a; .reg .b32 %x;
  ld.param.u64 %a, [at];
  ld.global.u32 %x, [%a+4];
  add.u32 %x, %x, %x;
  st.global.u32 [%a+4], %x;
  ret;
})";
  void *module = mgpuModuleLoadJIT(const_cast<char *>(ptx), 2);
  void *kernel = mgpuModuleGetFunction(module, "twice");
  uint32_t host[] = {1, 2, 3, 4};
  mgpuMemHostRegister(host, sizeof(host));
  void *at = host + 1;
  void *params[] = {&at};
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr, 1);
  mgpuMemHostUnregister(host);
  EXPECT_EQ(llvm::toString(scope.takeError()), "");
  EXPECT_EQ(host[1], 2u);
  EXPECT_EQ(host[2], 6u);

  // Another number of parameters than the kernel has.
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr, 0);
  EXPECT_EQ(llvm::toString(scope.takeError()),
            "kernel 'twice': expected 1 parameters, got 0");
  EXPECT_EQ(mgpuModuleGetFunction(module, "thrice"), nullptr);
  EXPECT_NE(llvm::toString(scope.takeError()).find("no kernel 'thrice'"),
            std::string::npos);
  mgpuModuleUnload(module);
}

TEST(Launch, CopiesAndFills) {
  auto device = createEmulatorDevice();
  LaunchScope scope(*device);
  EXPECT_EQ(mgpuMemAlloc(0, nullptr, false), nullptr);
  void *memory = mgpuMemAlloc(8, nullptr, false);
  mgpuMemset16(memory, 0x1234, 2, nullptr);
  mgpuMemset32(static_cast<char *>(memory) + 4, 7, 1, nullptr);
  uint32_t words[2] = {};
  mgpuMemcpy(words, memory, 8, nullptr);
  EXPECT_EQ(words[0], 0x12341234u);
  EXPECT_EQ(words[1], 7u);
  EXPECT_EQ(llvm::toString(scope.takeError()), "");
  mgpuMemcpy(words, memory, 9, nullptr);
  EXPECT_NE(llvm::toString(scope.takeError()).find("expected a range within"),
            std::string::npos);
  mgpuMemFree(memory, nullptr);
  auto *shared = static_cast<uint32_t *>(mgpuMemAlloc(4, nullptr, true));
  ASSERT_NE(shared, nullptr);
  *shared = 1; // the host's too
  mgpuMemFree(shared, nullptr);
  EXPECT_EQ(llvm::toString(scope.takeError()), "");
}

//===----------------------------------------------------------------------===//
// CUDA
//===----------------------------------------------------------------------===//

TEST(Launch, NoGpuIsAClearError) {
  auto device = createCudaDevice("libnosuchcuda.so.1");
  ASSERT_FALSE(static_cast<bool>(device));
  std::string message = llvm::toString(device.takeError());
  EXPECT_NE(message.find("expected a GPU with NVIDIA's driver, found no "
                         "libnosuchcuda.so.1"),
            std::string::npos)
      << message;
}

TEST(Launch, HostProgramCallsTheDriver) {
  auto device = createCudaDevice(FAKE_CUDA_LIBRARY);
  ASSERT_TRUE(static_cast<bool>(device)) << llvm::toString(device.takeError());
  EXPECT_EQ((*device)->name(), "Fake (sm_80)");
  std::string failure;
  std::vector<float> in = iota(37);
  // The fake's kernels copy their first argument to their second.
  std::vector<float> out = HostProgram().run(**device, in, 37, failure);
  EXPECT_EQ(failure, "");
  EXPECT_EQ(out, in);
  void *library = dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW);
  auto *log = static_cast<const char *>(dlsym(library, "fakeCudaLog"));
  EXPECT_STREQ(log, "load launch:2x32 launch:2x32 unload ");
  ASSERT_EQ((*device)->launches().size(), 2u);

  // What the driver says reaches the caller.
  auto failing = (*device)->allocate(uint64_t(1) << 60, false, "");
  ASSERT_FALSE(static_cast<bool>(failing));
  EXPECT_EQ(llvm::toString(failing.takeError()),
            "1152921504606846976 bytes: cuMemAlloc: out of memory (2)");
}
