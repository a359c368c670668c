//===- CommandLine.h - options of the project's tools -----------*- C++ -*-===//
//
// A table of options and one parser for it. The tools link LLVM as a library,
// whose own global options (some with the same names) would show through
// llvm::cl; here a tool has the options it lists and no others.
//
// Spelling: --name, --name=VALUE or --name VALUE; one dash works as well. What
// is no option is positional. An unknown option is an error that names the
// nearest known one.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_COMMANDLINE_H
#define ATTN_RUNTIME_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace mlir::attn {

class CommandLine {
public:
  /// `usage` and `overview` head the help text.
  CommandLine(std::string usage, std::string overview);

  void flag(llvm::StringRef name, bool &target, llvm::StringRef help);
  void text(llvm::StringRef name, std::string &target,
            llvm::StringRef placeholder, llvm::StringRef help);
  void number(llvm::StringRef name, unsigned &target,
              llvm::StringRef placeholder, llvm::StringRef help);
  /// An option that may stand alone, with a value, or not at all.
  void optionalNumber(llvm::StringRef name, bool &present, unsigned &target,
                      llvm::StringRef placeholder, llvm::StringRef help);

  /// Fills the targets. `positional` receives the other arguments.
  llvm::Error parse(int argc, char **argv,
                    std::vector<std::string> &positional);
  bool helpRequested() const { return help; }
  /// The options that were given, by name, in order.
  llvm::ArrayRef<std::string> given() const { return seen; }
  void printHelp(llvm::raw_ostream &os) const;

private:
  enum class ValueMode { None, Optional, Required };
  struct Option {
    std::string name, placeholder, help;
    ValueMode mode;
    /// Takes the value ("" if none was given); returns what was expected if it
    /// does not fit, "" otherwise.
    std::function<std::string(llvm::StringRef)> assign;
  };
  const Option *find(llvm::StringRef name) const;
  llvm::Error unknown(llvm::StringRef name) const;

  std::string usage, overview;
  std::vector<Option> options;
  std::vector<std::string> seen;
  bool help = false;
};

} // namespace mlir::attn

#endif // ATTN_RUNTIME_COMMANDLINE_H
