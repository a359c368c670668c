//===- Unlocked.h - without the interpreter's lock --------------*- C++ -*-===//
//
// The compiler and compiled code run while other threads of Python go on.
//
// A daemon thread may be inside when the interpreter ends. Taking the lock back
// would then end that thread by unwinding it, through frames that cannot be
// unwound: an abort. So at exit the interpreter waits until nobody is inside,
// and daemon threads that come back later, or again, sleep until the process is
// gone, as Python itself has it since 3.14.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PYTHON_UNLOCKED_H
#define ATTN_PYTHON_UNLOCKED_H

#include <nanobind/nanobind.h>

namespace attn_python {

class Unlocked {
public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked &) = delete;

private:
  PyThreadState *state;
};

/// Registers what the end of the interpreter waits for.
void registerAtExit();

} // namespace attn_python

#endif // ATTN_PYTHON_UNLOCKED_H
