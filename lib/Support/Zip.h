//===- Zip.h - As much of zip as .npz needs ---------------------*- C++ -*-===//
//
// Reading goes by the central directory at the end of the file, the only place
// where sizes are certain. Members may be stored or deflated; fields that
// overflow 32 bits are in the zip64 extra field. Encryption, several disks and
// other methods are refused.
//
// Source: PKWARE APPNOTE 6.3, sections 4.3 and 4.5.3.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_SUPPORT_ZIP_H
#define ATTN_LIB_SUPPORT_ZIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace attn {

struct ZipMember {
  std::string name, contents;
};

/// All members, checked against their CRC. `what` names the archive in errors.
llvm::Expected<std::vector<ZipMember>> parseZip(llvm::StringRef bytes,
                                                llvm::StringRef what);

/// An archive of these members, deflated if `compress`; zip64 where a size or
/// an offset needs it.
std::string formatZip(llvm::ArrayRef<ZipMember> members, bool compress);

} // namespace attn

#endif // ATTN_LIB_SUPPORT_ZIP_H
