// RUN: attn-opt %s --attn-differentiate -split-input-file -verify-diagnostics
// RUN: not attn-opt %s --attn-differentiate='arguments=1' -split-input-file 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not attn-opt %s --attn-differentiate='functions=other' -split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not attn-opt %s --attn-differentiate='arguments=7' -split-input-file 2>&1 | FileCheck %s --check-prefix=SEVEN

// ONE: argument 1 has type 'tensor<4xi32>'; expected an array of floats to be differentiated
// NAME: expected functions to name functions with a body, got 'other'
// SEVEN: expected argument numbers below 2, got 7

// An op without a derivative in a body.
func.func @main(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @below {{expected an op with a derivative between the arguments and the results, got 'math.tan'}}
  %y = math.tan %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A reduction that is no sum and no extremum.
func.func @main(%x: tensor<4x5xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{got 'linalg.reduce': it reduces by something other than a sum, a maximum or a minimum}}
  %y = linalg.reduce { arith.mulf } ins(%x : tensor<4x5xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  return %y : tensor<4xf32>
}

// -----

// A maximum that starts at data.
func.func @main(%x: tensor<4x5xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{got 'linalg.reduce': the extremum starts at a value that depends on the arguments}}
  %y = linalg.reduce { arith.maximumf } ins(%x : tensor<4x5xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  return %y : tensor<4xf32>
}

// -----

// Control flow.
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // expected-error @below {{got 'scf.for'}}
  %y = scf.for %i = %0 to %n step %1 iter_args(%a = %x) -> tensor<4xf32> {
    %s = arith.addf %a, %a : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Calls that cannot be inlined.
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{got 'func.call': @f has no body}}
  %y = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{got 'func.call': @g calls itself}}
  %y = func.call @g(%x, %n) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %last = arith.cmpi eq, %n, %0 : index
  %y = scf.if %last -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %z = func.call @g(%x, %0) : (tensor<4xf32>, index) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %y = func.call @f(%x, %n) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{got 'func.call': @f has several blocks}}
  %y = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A gather.
func.func @main(%x: tensor<4xf32>, %n: tensor<3xindex>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%n : tensor<3xindex>) outs(%e : tensor<3xf32>) {
  ^bb0(%i: index, %o: f32):
    // expected-error @below {{got 'tensor.extract': it reads a tensor past the operands of 'linalg.generic'}}
    %v = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// The score region: cosh has no derivative.
func.func @main(%q: tensor<8x4xf32>, %v: tensor<16x6xf32>) -> tensor<8x6xf32> {
  %k = arith.constant dense<1.0> : tensor<16x4xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  // expected-error @below {{B4: expected ops with a derivative in the score region, got math.cosh}}
  %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) outs(%e : tensor<8x6xf32>)
      score (%s: f32) {
        %x = math.cosh %s : f32
        attn.yield %x : f32
      }
  return %o : tensor<8x6xf32>
}

// -----

// No array of floats at all.
// expected-error @below {{expected a function with an argument that is an array of floats}}
func.func @main(%x: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

// Which function?
// expected-error @below {{expected a function main or one public function, got 2; name one with functions=}}
module {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// A result that is no array.
func.func @main(%x: tensor<4xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  // expected-error @below {{expected results that are tensors, got 'f32'; return it in a tensor of rank 0}}
  return %y : f32
}

// -----

// Rows may be replaced as a whole, in a part of a larger problem.
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %o: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expected a mask that shows each row a key, or one that can move into the score function: a row whose scores are all replaced by -1.000000e+09 has a log-sum-exp near it}}
  %y = attn.attention {hidden = replace(-1.0e9), visible = [affine_set<(m, n)[M, N] : (m - n - 1 >= 0)>]}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
    ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) origin = [8, 0, 0, 0] extents = [16, 8, 4, 6] outs(%o : tensor<8x6xf32>)
  return %y : tensor<8x6xf32>
}

// -----

// Scores of any size beside replaced ones, in a part of a larger problem.
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %e: tensor<8x8xf32>, %o: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expected a mask that can move into the score function, which adds data: replaced scores are recomputed with the others, from a reference of their row}}
  %y = attn.attention {hidden = replace(-2.0), visible = [affine_set<(m, n)[M, N] : (m - n - 1 >= 0)>]}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (m, d)]
    ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) extras(%e : tensor<8x8xf32>) origin = [8, 0, 0, 0] extents = [16, 8, 4, 6] outs(%o : tensor<8x6xf32>)
    score (%s: f32, %b: f32) {
    %x = arith.addf %s, %b : f32
    attn.yield %x : f32
  }
  return %y : tensor<8x6xf32>
}
