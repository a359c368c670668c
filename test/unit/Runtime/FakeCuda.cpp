//===- FakeCuda.cpp - a CUDA driver without a GPU -------------------------===//
//
// Enough of libcuda for the launch ABI: device memory is host memory, and a
// kernel (pointer, pointer, count, anything) copies f32s from its first
// argument to its second. `fakeCudaLog` tells modules and launches.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {

char fakeCudaLog[4096];

static void note(const char *text) {
  std::strncat(fakeCudaLog, text,
               sizeof(fakeCudaLog) - std::strlen(fakeCudaLog) - 1);
}

static int handle; // of whatever: its address is all that matters

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorString(int error, const char **text) {
  *text = error == 2 ? "out of memory" : "an error";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int number) { return *device = number, 0; }
int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, static_cast<size_t>(length), "Fake");
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  return *value = attribute == 75 ? 8 : 0, 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  return *context = &handle, 0;
}
int cuCtxSetCurrent(void *) { return 0; }

int cuModuleLoadDataEx(void **module, const void *image, unsigned, int *,
                       void **) {
  // PTX begins with a comment or a directive.
  if (!std::strstr(static_cast<const char *>(image), ".entry scale"))
    return 1;
  note("load ");
  return *module = &handle, 0;
}
int cuModuleUnload(void *) { return note("unload "), 0; }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = &handle;
  return std::strcmp(name, "scale") != 0;
}
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuLaunchKernel(void *, unsigned gridX, unsigned, unsigned, unsigned blockX,
                   unsigned, unsigned, unsigned, void *, void **params,
                   void **) {
  char text[64];
  std::snprintf(text, sizeof(text), "launch:%ux%u ", gridX, blockX);
  note(text);
  std::memcpy(*static_cast<void **>(params[1]),
              *static_cast<void **>(params[0]),
              *static_cast<uint64_t *>(params[2]) * 4);
  return 0;
}

int cuStreamCreate(void **stream, unsigned) { return *stream = &handle, 0; }
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamSynchronize(void *) { return 0; }
int cuStreamWaitEvent(void *, void *, unsigned) { return 0; }
int cuEventCreate(void **event, unsigned) { return *event = &handle, 0; }
int cuEventDestroy_v2(void *) { return 0; }
int cuEventRecord(void *, void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  return *milliseconds = 1, 0;
}

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  if (bytes > size_t(1) << 40)
    return 2;
  *pointer = reinterpret_cast<uint64_t>(std::malloc(bytes));
  return 0;
}
int cuMemAllocManaged(uint64_t *pointer, size_t bytes, unsigned) {
  return cuMemAlloc_v2(pointer, bytes);
}
int cuMemFree_v2(uint64_t pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return 0;
}
int cuMemcpyAsync(uint64_t destination, uint64_t source, size_t bytes, void *) {
  std::memcpy(reinterpret_cast<void *>(destination),
              reinterpret_cast<void *>(source), bytes);
  return 0;
}
int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *) { return 0; }
int cuMemsetD16Async(uint64_t, unsigned short, size_t, void *) { return 0; }
int cuMemsetD32Async(uint64_t, unsigned, size_t, void *) { return 0; }
int cuMemHostRegister_v2(void *, size_t, unsigned) { return 0; }
int cuMemHostUnregister(void *) { return 0; }

} // extern "C"
