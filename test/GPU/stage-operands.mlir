// Buffers of the host get copies on the device around a launch; scratch never
// leaves the device.
// RUN: attn-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(attn-stage-operands))' -verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%a: !llvm.ptr, %b: !llvm.ptr, %n: i64) kernel {
      gpu.return
    }
  }

  // Read: copied in. Overwritten: copied out alone.
  // CHECK-LABEL: func @read_write
  // CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[OUT:.*]]: memref<8xf32>
  func.func @read_write(%a: memref<?xf32>, %out: memref<8xf32>, %n: i64) {
    %c1 = arith.constant 1 : index
    %p = attn_gpu.address read %a : memref<?xf32>
    %q = attn_gpu.address write %out : memref<8xf32>
    // CHECK: %[[T0:.*]] = gpu.wait async
    // CHECK: %[[SIZE:.*]] = memref.dim %[[A]]
    // CHECK: %[[DA:.*]], %[[T1:.*]] = gpu.alloc async [%[[T0]]] (%[[SIZE]])
    // CHECK: %[[T2:.*]] = gpu.memcpy async [%[[T1]]] %[[DA]], %[[A]]
    // CHECK: %[[DOUT:.*]], %[[T3:.*]] = gpu.alloc async [%[[T2]]] ()
    // CHECK: extract_aligned_pointer_as_index %[[DA]]
    // CHECK: extract_aligned_pointer_as_index %[[DOUT]]
    // CHECK: %[[T4:.*]] = gpu.launch_func async [%[[T3]]] @kernels::@f
    // CHECK: %[[T5:.*]] = gpu.dealloc async [%[[T4]]] %[[DA]]
    // CHECK: %[[T6:.*]] = gpu.memcpy async [%[[T5]]] %[[OUT]], %[[DOUT]]
    // CHECK: %[[T7:.*]] = gpu.dealloc async [%[[T6]]] %[[DOUT]]
    // CHECK: gpu.wait [%[[T7]]]
    // CHECK-NOT: attn_gpu.address
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%p : !llvm.ptr, %q : !llvm.ptr, %n : i64)
    return
  }

  // Two views of one buffer, one of them written: the buffer goes both ways.
  // CHECK-LABEL: func @views
  // CHECK-SAME: (%[[A:.*]]: memref<16xf32>
  func.func @views(%a: memref<16xf32>, %n: i64) {
    %c1 = arith.constant 1 : index
    %low = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    %high = memref.subview %a[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
    %p = attn_gpu.address read %low : memref<8xf32, strided<[1]>>
    %q = attn_gpu.address write %high : memref<8xf32, strided<[1], offset: 8>>
    // CHECK: %[[D:.*]], %{{.*}} = gpu.alloc
    // CHECK: gpu.memcpy async [{{.*}}] %[[D]], %[[A]]
    // CHECK-NOT: gpu.alloc
    // CHECK: memref.subview %[[D]][0]
    // CHECK: memref.subview %[[D]][8]
    // CHECK: gpu.launch_func async
    // CHECK: gpu.memcpy async [{{.*}}] %[[A]], %[[D]]
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%p : !llvm.ptr, %q : !llvm.ptr, %n : i64)
    return
  }

  // CHECK-LABEL: func @scratch
  func.func @scratch(%a: memref<8xf32>, %out: memref<8xf32>, %n: i64) {
    %c1 = arith.constant 1 : index
    // CHECK: %[[S:.*]], %[[T:.*]] = gpu.alloc async [{{.*}}] () : memref<8xf32>
    // CHECK-NEXT: gpu.wait [%[[T]]]
    %scratch = memref.alloc() : memref<8xf32>
    %p = attn_gpu.address read %a : memref<8xf32>
    %s = attn_gpu.address scratch %scratch : memref<8xf32>
    %q = attn_gpu.address write %out : memref<8xf32>
    // CHECK-NOT: gpu.memcpy {{.*}}%[[S]]{{[ ,]}}
    // CHECK: gpu.launch_func async
    // CHECK: gpu.launch_func async
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%p : !llvm.ptr, %s : !llvm.ptr, %n : i64)
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%s : !llvm.ptr, %q : !llvm.ptr, %n : i64)
    // CHECK: gpu.dealloc async [{{.*}}] %[[S]]
    memref.dealloc %scratch : memref<8xf32>
    return
  }

  // Nothing has written the result's part of the new buffer yet.
  // CHECK-LABEL: func @untouched
  func.func @untouched(%n: i64) -> memref<16xf32> {
    %c1 = arith.constant 1 : index
    %all = memref.alloc() : memref<16xf32>
    %part = memref.subview %all[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    %q = attn_gpu.address write %part : memref<8xf32, strided<[1]>>
    // CHECK: gpu.alloc
    // CHECK-NOT: gpu.memcpy
    // CHECK: gpu.launch_func
    // CHECK: gpu.memcpy
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%q : !llvm.ptr, %q : !llvm.ptr, %n : i64)
    return %all : memref<16xf32>
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%a: !llvm.ptr) kernel {
      gpu.return
    }
  }
  func.func @strided(%a: memref<8xf32, strided<[2]>>) {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{expected a view of a dense buffer, got one of 'memref<8xf32, strided<[2]>>'}}
    %p = attn_gpu.address read %a : memref<8xf32, strided<[2]>>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%p : !llvm.ptr)
    return
  }
}
