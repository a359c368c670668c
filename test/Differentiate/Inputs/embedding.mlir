// Rows looked up in a table, a norm with integer powers, an attention.
func.func @main(%table: tensor<9x4xf64>, %ids: tensor<6xi64>, %g: tensor<4xf64>, %k: tensor<7x4xf64>) -> tensor<6x4xf64> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2 : i64
  %e = tensor.empty() : tensor<6x4xf64>
  %r = tensor.empty() : tensor<6xf64>
  %r0 = linalg.fill ins(%zero : f64) outs(%r : tensor<6xf64>) -> tensor<6xf64>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<6xi64>) outs(%e : tensor<6x4xf64>) {
  ^bb0(%id: i64, %o: f64):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<9x4xf64>
    linalg.yield %v : f64
  } -> tensor<6x4xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %g : tensor<6x4xf64>, tensor<4xf64>) outs(%e : tensor<6x4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %m = arith.mulf %a, %b : f64
    linalg.yield %m : f64
  } -> tensor<6x4xf64>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<6x4xf64>) outs(%r0 : tensor<6xf64>) {
  ^bb0(%a: f64, %o: f64):
    %p = math.fpowi %a, %two : f64, i64
    %t = arith.addf %o, %p : f64
    linalg.yield %t : f64
  } -> tensor<6xf64>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<6x4xf64>, tensor<6xf64>) outs(%e : tensor<6x4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %d = math.sqrt %b : f64
    %u = arith.divf %a, %d : f64
    linalg.yield %u : f64
  } -> tensor<6x4xf64>
  %o = attn.attention {scale = 0.7} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
     ins(%q, %k, %k : tensor<6x4xf64>, tensor<7x4xf64>, tensor<7x4xf64>) outs(%e : tensor<6x4xf64>)
  return %o : tensor<6x4xf64>
}
