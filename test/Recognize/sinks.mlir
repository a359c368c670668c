// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=beside --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=start --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=chosen --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=every_row_has_key --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=in_the_logarithm --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=gate --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=powers_of_two --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=by_row --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=softmax1 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=several --check | FileCheck %s --check-prefix=EXEC
// EXEC: {{^}}result     agrees

// A score without a value, given as a tensor or a number, in every spelling.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// exp(sink - m) is added to the sum; m takes the sink in.

// CHECK-LABEL: func @beside
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @beside(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi sle, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// The maximum starts with it, and the sum with its exponential.

// CHECK-LABEL: func @start
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @start(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%sb : tensor<2x5xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %td = arith.subf %sb, %m0 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%t : tensor<2x5xf32>) dimensions = [2]
  %lb = linalg.broadcast ins(%l0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// torch-mlir writes a maximum as a choice.

// CHECK-LABEL: func @chosen
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @chosen(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi slt, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %larger = arith.cmpf ugt, %m0, %sb : tensor<2x5xf32>
  %m1 = arith.select %larger, %m0, %sb : tensor<2x5xi1>, tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// The maximum is of the keys alone: every row has a key here.

// CHECK-LABEL: func @every_row_has_key
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @every_row_has_key(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi sle, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m0 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// CHECK-LABEL: func @in_the_logarithm
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @in_the_logarithm(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi slt, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %g = math.log %l : tensor<2x5xf32>
  %lse = arith.addf %g, %m1 : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%lse : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %wd = arith.subf %x, %lb : tensor<2x5x7xf32>
  %w = math.exp %wd : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// The result times sigmoid(log-sum-exp - sink).

// CHECK-LABEL: func @gate
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<2xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
// CHECK-NOT:     linalg.reduce
func.func @gate(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %lb = linalg.broadcast ins(%l0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %g = math.log %l0 : tensor<2x5xf32>
  %lse = arith.addf %g, %m0 : tensor<2x5xf32>
  %gd = arith.subf %sb, %lse : tensor<2x5xf32>
  %ge = math.exp %gd : tensor<2x5xf32>
  %one = arith.constant dense<1.0> : tensor<2x5xf32>
  %gl = arith.addf %ge, %one : tensor<2x5xf32>
  %gate = arith.divf %one, %gl : tensor<2x5xf32>
  %gb = linalg.broadcast ins(%gate : tensor<2x5xf32>) outs(%oe : tensor<2x5x6xf32>) dimensions = [2]
  %og = arith.mulf %o, %gb : tensor<2x5x6xf32>
  return %og : tensor<2x5x6xf32>
}

// In powers of 2 the sink is made natural.

// CHECK-LABEL: func @powers_of_two
// CHECK:         %[[SINK:.+]] = linalg.generic
// CHECK:           arith.mulf %{{.+}}, %cst
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
func.func @powers_of_two(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp2 %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp2 %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// One of each row, scaled and widened from bf16.

// CHECK-LABEL: func @by_row
// CHECK:         attn.attention
// CHECK-SAME:      sink(%{{.+}} : tensor<2x5xf32>)
// CHECK-NOT:     linalg.reduce
func.func @by_row(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<5xbf16>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %c = arith.constant 0.5 : f32
  %sb = linalg.generic {indexing_maps = [affine_map<(h, m) -> (m)>, affine_map<(h, m) -> (h, m)>], iterator_types = ["parallel", "parallel"]} ins(%sink : tensor<5xbf16>) outs(%r : tensor<2x5xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %w0 = arith.extf %a : bf16 to f32
    %y = arith.mulf %w0, %c : f32
    linalg.yield %y : f32
  } -> tensor<2x5xf32>
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// softmax1, shifted by max(m, 0).

// CHECK-LABEL: func @softmax1
// CHECK:         %[[SINK:.+]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<f32>)
func.func @softmax1(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi slt, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// Two are one: the logarithm of the sum of their exponentials.

// CHECK-LABEL: func @several
// CHECK:         %[[SINK:.+]] = linalg.generic
// CHECK:           arith.maximumf
// CHECK:           math.log
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<2xf32>)
func.func @several(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %l2 = arith.addf %l, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l2 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}
