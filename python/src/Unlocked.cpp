//===- Unlocked.cpp - without the interpreter's lock ----------------------===//
#include "Unlocked.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <pthread.h>
#include <thread>

namespace nb = nanobind;
using namespace attn_python;

namespace {
struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  unsigned inside = 0;
  bool closed = false;
  std::thread::id closer; ///< may come and go after it was closed

  bool isShutFor(std::thread::id thread) const {
    return closed && thread != closer;
  }
};
} // namespace

/// Lives as long as the process: threads sleep in it at the end.
static Gate &gate() {
  static Gate *theGate = new Gate;
  return *theGate;
}

[[noreturn]] static void sleepForever() {
  while (true)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

Unlocked::Unlocked() {
  state = PyEval_SaveThread();
  std::unique_lock<std::mutex> lock(gate().mutex);
  if (gate().isShutFor(std::this_thread::get_id())) {
    lock.unlock();
    sleepForever();
  }
  ++gate().inside;
}

Unlocked::~Unlocked() {
  std::unique_lock<std::mutex> lock(gate().mutex);
  if (gate().isShutFor(std::this_thread::get_id())) {
    --gate().inside;
    gate().left.notify_all();
    lock.unlock();
    sleepForever();
  }
  // Whoever closes the gate now waits for this thread to have the lock.
  lock.unlock();
  PyEval_RestoreThread(state);
  lock.lock();
  --gate().inside;
  gate().left.notify_all();
}

static void closeGate() {
  PyThreadState *state = PyEval_SaveThread();
  {
    std::unique_lock<std::mutex> lock(gate().mutex);
    gate().closed = true;
    gate().closer = std::this_thread::get_id();
    gate().left.wait(lock, [] { return gate().inside == 0; });
  }
  PyEval_RestoreThread(state);
}

void attn_python::registerAtExit() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&closeGate));
  // A forked child has none of the other threads.
  pthread_atfork(nullptr, nullptr, [] { new (&gate()) Gate; });
}
