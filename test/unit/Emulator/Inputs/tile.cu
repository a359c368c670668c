// tile.ptx is this file through: nvcc -ptx -arch=sm_80 tile.cu
#include "mma.cuh"

// C[m][n] = sum_k A[m][k] B[n][k] for 64x64 tiles, k in steps of 32, double
// buffered; sizes are multiples of the tiles.
extern "C" __global__ void __launch_bounds__(128)
    tileProduct(const half *a, const half *b, float *c, int n, int k) {
  constexpr int stride = 40; // halves: rows start 80 bytes apart
  __shared__ alignas(16) half ta[2][64][stride], tb[2][64][stride];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const half *rowsA = a + blockIdx.y * 64 * k, *rowsB = b + blockIdx.x * 64 * k;
  auto fetch = [&](int buffer, int k0) {
    for (int i = t; i < 64 * 4; i += 128) {
      int row = i / 4, part = i % 4 * 8;
      copyAsync(&ta[buffer][row][part], rowsA + row * k + k0 + part, true);
      copyAsync(&tb[buffer][row][part], rowsB + row * k + k0 + part, true);
    }
    commitAsync();
  };
  float acc[8][4] = {};
  fetch(0, 0);
  for (int k0 = 0, buffer = 0; k0 < k; k0 += 32, buffer ^= 1) {
    bool more = k0 + 32 < k;
    if (more)
      fetch(buffer ^ 1, k0 + 32);
    if (more)
      waitAsync<1>();
    else
      waitAsync<0>();
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      uint32_t fa[4];
      ldmatrix(fa, &ta[buffer][warp * 16 + lane % 16][kk + lane / 16 * 8]);
      for (int j = 0; j < 8; j += 2) {
        uint32_t fb[4];
        int row = j * 8 + lane / 16 * 8 + lane % 8;
        ldmatrix(fb, &tb[buffer][row][kk + lane / 8 % 2 * 8]);
        mma(acc[j], fa, fb[0], fb[1]);
        mma(acc[j + 1], fa, fb[2], fb[3]);
      }
    }
    __syncthreads();
  }
  float *out = c + (blockIdx.y * 64 + warp * 16 + lane / 4) * n +
               blockIdx.x * 64 + lane % 4 * 2;
  for (int j = 0; j < 8; ++j)
    for (int r = 0; r < 2; ++r)
      *reinterpret_cast<float2 *>(out + r * 8 * n + j * 8) =
          make_float2(acc[j][2 * r], acc[j][2 * r + 1]);
}
