// attention.ptx is this file through: nvcc -ptx -arch=sm_80 attention.cu
#include "mma.cuh"

// Forward attention of one head per blockIdx.y: 64 queries per CTA in 4 warps,
// 64 keys at a time, head dim 64, online softmax in base 2. Layout [head][row]
// [64]; lse is the natural logarithm. K(j + 1) is fetched while P V(j) runs.
constexpr int D = 64, stride = D + 8;

__device__ inline void fetchRows(half (*to)[stride], const half *from,
                                 int first, int rows) {
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    int row = i / 8, part = i % 8 * 8;
    bool inside = first + row < rows;
    copyAsync(&to[row][part], from + (inside ? first + row : 0) * D + part,
              inside);
  }
  commitAsync();
}

extern "C" __global__ void __launch_bounds__(128)
    attention(const half *q, const half *k, const half *v, half *o, float *lse,
              int queries, int keys, float scaleLog2, int causal) {
  extern __shared__ half dynamic[];
  auto *sq = reinterpret_cast<half(*)[stride]>(dynamic);
  auto *sk = sq + 64, *sv = sk + 64;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int first = blockIdx.x * 64, head = blockIdx.y;
  q += head * queries * D, o += head * queries * D, lse += head * queries;
  k += head * keys * D, v += head * keys * D;

  fetchRows(sq, q, first, queries);
  fetchRows(sk, k, 0, keys);
  float acc[8][4] = {}, top[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  uint32_t fq[4][4];
  int last = causal ? min(keys, first + 64 + keys - queries) : keys;
  for (int j = 0; j < last; j += 64) {
    fetchRows(sv, v, j, keys);
    waitAsync<1>(); // K, and Q at first
    __syncthreads();
    if (j == 0)
      for (int c = 0; c < 4; ++c)
        ldmatrix(fq[c], &sq[warp * 16 + lane % 16][c * 16 + lane / 16 * 8]);
    float s[8][4] = {};
    for (int c = 0; c < 4; ++c)
      for (int n = 0; n < 8; n += 2) {
        uint32_t fk[4];
        ldmatrix(fk, &sk[n * 8 + lane / 16 * 8 + lane % 8]
                        [c * 16 + lane / 8 % 2 * 8]);
        mma(s[n], fq[c], fk[0], fk[1]);
        mma(s[n + 1], fq[c], fk[2], fk[3]);
      }
    for (int r = 0; r < 2; ++r) {
      int row = first + warp * 16 + lane / 4 + 8 * r;
      float m = top[r];
      for (int n = 0; n < 8; ++n)
        for (int e = 0; e < 2; ++e) {
          int col = j + n * 8 + lane % 4 * 2 + e;
          float &x = s[n][2 * r + e];
          if (col >= keys || (causal && col > row + keys - queries))
            x = -INFINITY;
          m = fmaxf(m, x);
        }
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 1));
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 2));
      float shift = m == -INFINITY ? 0 : m * scaleLog2;
      float correction = exp2f(top[r] * scaleLog2 - shift);
      top[r] = m;
      sum[r] *= correction;
      for (int n = 0; n < 8; ++n)
        for (int e = 0; e < 2; ++e) {
          float &x = s[n][2 * r + e];
          x = exp2f(x * scaleLog2 - shift);
          sum[r] += x;
          acc[n][2 * r + e] *= correction;
        }
    }
    waitAsync<0>(); // V
    __syncthreads(); // and K is free
    if (j + 64 < last)
      fetchRows(sk, k, j + 64, keys);
    for (int c = 0; c < 4; ++c) {
      uint32_t fp[4];
      for (int e = 0; e < 4; ++e) {
        float *pair = &s[2 * c + e / 2][e % 2 * 2];
        half2 h = __floats2half2_rn(pair[0], pair[1]);
        fp[e] = *reinterpret_cast<uint32_t *>(&h);
      }
      for (int n = 0; n < 8; n += 2) {
        uint32_t fv[4];
        ldmatrixTrans(fv, &sv[c * 16 + lane % 16][n * 8 + lane / 16 * 8]);
        mma(acc[n], fp, fv[0], fv[1]);
        mma(acc[n + 1], fp, fv[2], fv[3]);
      }
    }
    __syncthreads(); // V is free
  }
  for (int r = 0; r < 2; ++r) {
    sum[r] += __shfl_xor_sync(~0u, sum[r], 1);
    sum[r] += __shfl_xor_sync(~0u, sum[r], 2);
    int row = first + warp * 16 + lane / 4 + 8 * r;
    if (row >= queries)
      continue;
    for (int n = 0; n < 8; ++n)
      *reinterpret_cast<half2 *>(o + row * D + n * 8 + lane % 4 * 2) =
          __floats2half2_rn(acc[n][2 * r] / sum[r], acc[n][2 * r + 1] / sum[r]);
    if (lane % 4 == 0)
      lse[row] = (top[r] * scaleLog2 + log2f(sum[r])) * 0.6931471805599453f;
  }
}
