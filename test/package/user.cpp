// Parses an attn op with nothing but the installed package.
#include "attn/IR/AttnDialect.h"
#include "mlir/IR/MLIRContext.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::attn::AttnDialect>();
  return context.getLoadedDialect("attn") ? 0 : 1;
}
