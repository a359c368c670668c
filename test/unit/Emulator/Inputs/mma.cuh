// Tensor core instructions as PTX, for the kernels of the emulator's tests.
#pragma once
#include <cstdint>
#include <cuda_fp16.h>

__device__ inline uint32_t sharedAddress(const void *p) {
  return uint32_t(__cvta_generic_to_shared(p));
}
// 16 bytes, or zeros where `inside` is false.
__device__ inline void copyAsync(void *shared, const void *global, bool inside) {
  int bytes = inside ? 16 : 0;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(
                   sharedAddress(shared)),
               "l"(global), "r"(bytes)
               : "memory");
}
__device__ inline void commitAsync() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int N> __device__ inline void waitAsync() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
__device__ inline void ldmatrix(uint32_t (&r)[4], const void *p) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(sharedAddress(p))
      : "memory");
}
__device__ inline void ldmatrixTrans(uint32_t (&r)[4], const void *p) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(sharedAddress(p))
      : "memory");
}
__device__ inline void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0,
                           uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
