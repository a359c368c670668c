//===- Decompose.cpp - attn-decompose -------------------------------------===//
#include "attn/IR/Passes.h"
