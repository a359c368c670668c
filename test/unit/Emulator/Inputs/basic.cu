// Kernels of the emulator's tests; basic.ptx is this file through
//   nvcc -ptx -arch=sm_80 basic.cu
#include <cuda_fp16.h>

extern "C" __global__ void vectorAdd(const float *a, const float *b, float *c,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Sum of x: shuffles within warps, shared memory across, one atomic per block.
extern "C" __global__ void reduceSum(const float *x, float *sum, int n) {
  __shared__ float partial[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    v += x[i];
  for (int step = 16; step; step /= 2)
    v += __shfl_down_sync(~0u, v, step);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int step = 16; step; step /= 2)
      v += __shfl_down_sync(~0u, v, step);
    if (threadIdx.x == 0)
      atomicAdd(sum, v);
  }
}

// C = A B, 16x16 tiles in shared memory, any sizes.
extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int m, int n, int k) {
  __shared__ float ta[16][16], tb[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    ta[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
    tb[y][x] = col < n && k0 + y < k ? b[(k0 + y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}

struct Affine {
  int scale;
  long long offset;
  short step;
};
__device__ __noinline__ int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
// A struct by value, a function that diverges, 64-bit and 16-bit arithmetic.
extern "C" __global__ void mixed(Affine f, const int *x, long long *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long v = (long long)collatz(x[i]) * f.scale + f.offset;
  short s = short(x[i] * 1000) >> f.step;
  y[i] = v / 7 + s;
}
