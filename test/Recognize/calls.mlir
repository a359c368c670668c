// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics -o /dev/null
// RUN: attn-opt %s --pass-pipeline='builtin.module(inline,attn-recognize)' -split-input-file | FileCheck %s
// RUN: not attn-opt %s -attn-recognize=must-fuse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=MUST

// A function is read alone: what it calls is inlined before. Where a call that may
// part an attention is still there, a remark says so, and why.

// CHECK-LABEL: func.func @main
// CHECK:       attn.attention
// MUST:        error: must-fuse: expected a product of a softmax, found none; calls are not read: run inline first
func.func private @softmax(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="calls are not read", Suggestion="run inline first"}}
  %p = func.call @softmax(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Others call it too: it stays, and its caller holds a copy.
// CHECK-LABEL: func.func @softmax
// CHECK-LABEL: func.func @main
// CHECK:       attn.attention
func.func @softmax(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{calls are not read}}
  %p = func.call @softmax(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// It has no body.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   attn.attention
// MUST:        error: must-fuse: expected a product of a softmax, found none; a call is not read, which cannot be inlined: @softmax has no body
func.func private @softmax(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{a call is not read, which cannot be inlined: @softmax has no body}}
  %p = func.call @softmax(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// It calls itself, by way of another.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   attn.attention
func.func private @other(%s: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  // expected-remark @below {{cannot be inlined: @softmax calls itself}}
  %p = func.call @softmax(%s, %n) : (tensor<8x8xf32>, index) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func private @softmax(%s: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %zero : index
  %p = scf.if %last -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %x = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %x : tensor<8x8xf32>
  } else {
    %m = arith.subi %n, %one : index
    // expected-remark @below {{cannot be inlined: @other calls itself}}
    %x = func.call @other(%s, %m) : (tensor<8x8xf32>, index) -> tensor<8x8xf32>
    scf.yield %x : tensor<8x8xf32>
  }
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>, %n: index) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{cannot be inlined: @softmax calls itself}}
  %p = func.call @softmax(%s, %n) : (tensor<8x8xf32>, index) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// It asks not to be inlined.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   attn.attention
func.func private @softmax(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{a call is not read, which is not to be inlined", Suggestion="leave out no_inline"}}
  %p = func.call @softmax(%s) {no_inline} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Of several blocks, called where one block must stay one.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   attn.attention
func.func private @softmax(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  cf.br ^bb1
^bb1:
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>, %n: index) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %zeroth = arith.constant 0 : index
  %first = arith.constant 1 : index
  %p = scf.for %i = %zeroth to %n step %first iter_args(%a = %s) -> tensor<8x8xf32> {
    // expected-remark @below {{cannot be inlined: @softmax has several blocks}}
    %x = func.call @softmax(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %x : tensor<8x8xf32>
  }
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// An activation of its own parts nothing that has an exponential.
// CHECK-LABEL: func.func @main
func.func private @relu(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %p = arith.maximumf %s, %zero : tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = func.call @relu(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x6xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%h : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// An attention is inlined as any op, by upstream's inliner.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   call
// CHECK:       attn.attention
func.func private @attend(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %b: tensor<8xf32>) -> tensor<8x6xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d)]
      ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) extras(%b : tensor<8xf32>) outs(%e : tensor<8x6xf32>)
      score (%s: f32, %c: f32) {
        %x = arith.addf %s, %c : f32
        %i = attn.index 0 : index
        attn.yield %x : f32
      }
  return %o : tensor<8x6xf32>
}
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %b: tensor<8xf32>) -> tensor<8x6xf32> {
  %o = func.call @attend(%q, %k, %v, %b) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
