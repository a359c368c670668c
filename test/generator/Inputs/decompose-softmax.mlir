// linalg.softmax has no lowering to loops of its own; upstream takes it apart
// through this.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %module
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %softmax : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %parts = transform.structured.decompose_interface %one
          : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}
