//===- Module.cpp - A parsed PTX module -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "attn/Emulator/Module.h"
#include "Decoder.h"
#include "Parser.h"

#include "llvm/Support/MathExtras.h"

#include <atomic>

using namespace llvm;

namespace attn::emulator {

Module::Module() {
  static std::atomic<uint64_t> next{1};
  id = next++;
}
Module::~Module() = default;

Expected<std::unique_ptr<Module>> Module::parse(StringRef text,
                                                StringRef name) {
  auto parsed = parsePtx(text, name);
  if (!parsed)
    return parsed.takeError();
  std::unique_ptr<Module> m(new Module());
  m->module = std::move(*parsed);
  return m;
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const Function &f : module->functions)
    if (f.isEntry && f.hasBody)
      names.push_back(f.name);
  return names;
}

Expected<std::vector<Parameter>> Module::parameters(StringRef kernel) const {
  const Function *f = module->find(kernel);
  if (!f || !f->isEntry)
    return createStringError(Twine(module->name) + ": no kernel '" + kernel +
                             "'");
  std::vector<Parameter> result;
  uint64_t offset = 0;
  for (const Variable &v : f->params) {
    offset = alignTo(offset, v.align);
    result.push_back({v.name, v.bytes, v.align, offset});
    offset += v.bytes;
  }
  return result;
}

StringRef Module::target() const { return module->target; }

Expected<const Program *> Module::program(StringRef kernel) {
  for (const auto &p : programs)
    if (p->name == kernel)
      return p.get();
  auto p = decode(*module, kernel);
  if (!p)
    return p.takeError();
  programs.push_back(std::move(*p));
  return programs.back().get();
}

} // namespace attn::emulator
