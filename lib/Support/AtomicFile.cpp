//===- AtomicFile.cpp - Whole files in and out ------------------*- C++ -*-===//
#include "attn/Support/AtomicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace attn;

static llvm::Error fileError(llvm::StringRef verb, llvm::StringRef path,
                             std::error_code code) {
  return llvm::createStringError(code, "cannot " + verb + " '" + path +
                                           "': " + code.message());
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
attn::readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError("read", path, buffer.getError());
  return std::move(*buffer);
}

llvm::Error attn::writeFileAtomically(llvm::StringRef path,
                                      llvm::StringRef contents) {
  // What is not a regular file, such as /dev/stdout, cannot be renamed over.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != llvm::sys::fs::file_type::regular_file) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    if (code)
      return fileError("write", path, code);
    os << contents;
    os.close();
    if (os.has_error()) {
      code = os.error();
      os.clear_error();
      return fileError("write", path, code);
    }
    return llvm::Error::success();
  }
  auto temp = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%",
                                              llvm::sys::fs::all_read |
                                                  llvm::sys::fs::owner_write);
  if (!temp)
    return fileError("write", path, llvm::errorToErrorCode(temp.takeError()));
  llvm::raw_fd_ostream os(temp->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    code = llvm::errorToErrorCode(temp->keep(path));
  if (!code)
    return llvm::Error::success();
  llvm::consumeError(temp->discard());
  return fileError("write", path, code);
}
