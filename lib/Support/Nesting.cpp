//===- Nesting.cpp - how deep a text nests --------------------------------===//
#include "attn/Support/Nesting.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace attn;
using llvm::StringRef;

namespace {
/// Reads a text once, from left to right. Text that no parser takes is read
/// leniently: what a closing bracket does not match is left open, so that depth
/// is rather too large.
class Scanner {
public:
  Scanner(StringRef text, Syntax syntax) : text(text), syntax(syntax) {}

  std::optional<TextPlace> run() {
    while (offset < text.size() && deepest <= kMaxNesting)
      step();
    if (deepest <= kMaxNesting)
      return std::nullopt;
    return TextPlace{line, static_cast<unsigned>(tokenStart - lineStart + 1),
                     tokenStart};
  }

private:
  struct Open {
    char close;
    bool affine; ///< in affine_map<...> or affine_set<...>
    unsigned operators = 0;
  };

  char peek(size_t ahead = 0) const {
    return offset + ahead < text.size() ? text[offset + ahead] : '\0';
  }

  void step();
  void newline();
  void skipString();
  bool skipComment();
  void open(char bracket);
  void close(char bracket);
  void readWord();
  void readAlias();
  void countOperator();
  void endOfOperand();

  /// Something lies `extra` levels below the brackets that are open.
  void reach(unsigned extra = 0) {
    unsigned here = depth + extra;
    deepest = std::max(deepest, here);
    if (!alias.empty()) {
      unsigned &known = aliases[alias];
      known = std::max(known, here);
    }
  }

  StringRef text;
  Syntax syntax;
  size_t offset = 0, tokenStart = 0, lineStart = 0;
  unsigned line = 1, depth = 0, deepest = 0;
  llvm::SmallVector<Open> stack;
  StringRef word, alias; ///< the last word; the alias being defined
  llvm::StringMap<unsigned> aliases;
};
} // namespace

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

void Scanner::newline() {
  ++line;
  lineStart = ++offset;
  // Where no bracket is open, a line begins something new, or another alias.
  if (stack.empty())
    alias = "";
}

void Scanner::skipString() {
  for (++offset; offset < text.size(); ++offset) {
    if (text[offset] == '\\') {
      ++offset;
    } else if (text[offset] == '"') {
      ++offset;
      return;
    } else if (text[offset] == '\n') {
      return; // no string goes on there: an error of the parser
    }
  }
}

bool Scanner::skipComment() {
  if (syntax == Syntax::JSON || peek() != '/' || peek(1) != '/')
    return false;
  size_t end = std::min(text.find('\n', offset), text.size());
  // Tools split a file in these places and parse each part by itself.
  if (text.slice(offset, end).starts_with("// -----")) {
    stack.clear();
    depth = 0;
  }
  offset = end;
  return true;
}

void Scanner::open(char bracket) {
  static constexpr llvm::StringLiteral opens("([{<"), closes(")]}>");
  bool affine = !stack.empty() && stack.back().affine;
  if (bracket == '<' && (word == "affine_map" || word == "affine_set"))
    affine = true;
  stack.push_back({closes[opens.find(bracket)], affine});
  ++depth;
  reach();
}

void Scanner::close(char bracket) {
  auto drop = [&] {
    depth -= 1 + stack.back().operators;
    stack.pop_back();
  };
  size_t match = stack.size();
  // '<' may also have been "less than".
  while (match > 0 && stack[match - 1].close != bracket &&
         stack[match - 1].close == '>')
    --match;
  if (match == 0 || stack[match - 1].close != bracket)
    return;
  while (stack.size() >= match)
    drop();
}

void Scanner::countOperator() {
  if (stack.empty() || !stack.back().affine)
    return;
  ++stack.back().operators;
  ++depth;
  reach();
}

void Scanner::endOfOperand() {
  if (stack.empty())
    return;
  depth -= stack.back().operators;
  stack.back().operators = 0;
}

void Scanner::readWord() {
  size_t begin = offset;
  while (isWordPart(peek()))
    ++offset;
  word = text.slice(begin, offset);
  if (word == "floordiv" || word == "ceildiv" || word == "mod")
    countOperator();
  else if (word == "and")
    endOfOperand();
}

/// #name or !name: a definition at the start of a line, else a use.
void Scanner::readAlias() {
  bool startsLine = tokenStart == lineStart && stack.empty();
  ++offset;
  readWord();
  StringRef name = text.slice(tokenStart, offset);
  StringRef rest = text.substr(offset).ltrim(' ');
  if (startsLine && rest.starts_with("=")) {
    alias = name;
    return;
  }
  if (auto known = aliases.find(name); known != aliases.end())
    reach(known->second);
}

void Scanner::step() {
  tokenStart = offset;
  char c = peek();
  if (c == '\n')
    return newline();
  if (c == '"')
    return skipString();
  if (skipComment())
    return;
  bool mlir = syntax == Syntax::MLIR;
  if (llvm::isAlpha(c) || c == '_')
    return readWord();
  if (mlir && (c == '#' || c == '!') && isWordPart(peek(1)))
    return readAlias();
  ++offset;
  switch (c) {
  case '<':
    if (mlir && peek() != '=')
      open(c);
    break;
  case '>':
    if (mlir && peek() != '=')
      close(c);
    break;
  case '-':
  case '=':
    if (peek() == '>') { // an arrow
      ++offset;
      endOfOperand();
      break;
    }
    if (c == '-')
      countOperator();
    break;
  case '+':
  case '*':
    countOperator();
    break;
  case ',':
    endOfOperand();
    break;
  case '(':
  case '[':
  case '{':
    open(c);
    break;
  case ')':
  case ']':
  case '}':
    close(c);
    break;
  default:
    break;
  }
}

std::optional<TextPlace> attn::findDeepNesting(StringRef text, Syntax syntax) {
  return Scanner(text, syntax).run();
}

std::string attn::deepNestingMessage() {
  return "expected at most " + std::to_string(kMaxNesting) +
         " levels of nesting, got more; flatten what encloses this";
}

llvm::Expected<llvm::json::Value> attn::parseJson(StringRef text) {
  if (std::optional<TextPlace> place = findDeepNesting(text, Syntax::JSON))
    return llvm::createStringError("[%u:%u, byte=%zu]: %s", place->line,
                                   place->column, place->offset,
                                   deepNestingMessage().c_str());
  return llvm::json::parse(text);
}
