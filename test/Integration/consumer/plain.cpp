// Cost model and emulator without MLIR.
#include "attn/CostModel/Target.h"
#include "attn/Emulator/Module.h"
#include "attn/Support/Philox.h"
#include <cstdio>

int main() {
  auto target = attn::findTarget("a100");
  if (!target)
    return 1;
  auto module = attn::emulator::Module::parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k() { ret; }\n");
  if (!module) {
    std::fputs(llvm::toString(module.takeError()).c_str(), stderr);
    return 1;
  }
  std::printf("%s %s\n", target->name.c_str(),
              (*module)->kernels().front().c_str());
  return (*module)->kernels().size() != 1;
}
