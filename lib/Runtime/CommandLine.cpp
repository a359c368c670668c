//===- CommandLine.cpp - options of the project's tools -------------------===//
#include "attn/Runtime/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::attn;

CommandLine::CommandLine(std::string usage, std::string overview)
    : usage(std::move(usage)), overview(std::move(overview)) {
  flag("help", help, "print this text");
}

void CommandLine::flag(StringRef name, bool &target, StringRef helpText) {
  options.push_back(
      {name.str(), "", helpText.str(), ValueMode::None, [&target](StringRef) {
         target = true;
         return std::string();
       }});
}

void CommandLine::text(StringRef name, std::string &target,
                       StringRef placeholder, StringRef helpText) {
  std::string expected = "a value, " + placeholder.str();
  options.push_back({name.str(), placeholder.str(), helpText.str(),
                     ValueMode::Required, [=, &target](StringRef value) {
                       target = value.str();
                       return value.empty() ? expected : std::string();
                     }});
}

static std::string assignNumber(unsigned &target, StringRef value) {
  return value.getAsInteger(10, target) ? "a whole number" : "";
}

void CommandLine::number(StringRef name, unsigned &target,
                         StringRef placeholder, StringRef helpText) {
  options.push_back(
      {name.str(), placeholder.str(), helpText.str(), ValueMode::Required,
       [&target](StringRef value) { return assignNumber(target, value); }});
}

void CommandLine::optionalNumber(StringRef name, bool &present,
                                 unsigned &target, StringRef placeholder,
                                 StringRef helpText) {
  options.push_back({name.str(), placeholder.str(), helpText.str(),
                     ValueMode::Optional, [&](StringRef value) {
                       present = true;
                       return value.empty() ? std::string()
                                            : assignNumber(target, value);
                     }});
}

const CommandLine::Option *CommandLine::find(StringRef name) const {
  for (const Option &option : options)
    if (option.name == name)
      return &option;
  return nullptr;
}

Error CommandLine::unknown(StringRef name) const {
  const Option *nearest = nullptr;
  unsigned best = std::max<unsigned>(2, name.size() / 2);
  for (const Option &option : options) {
    unsigned distance = name.edit_distance(option.name);
    if (distance <= best && (!nearest || distance < best)) {
      best = distance;
      nearest = &option;
    }
  }
  std::string hint = nearest ? "; did you mean --" + nearest->name + "?"
                             : "; --help lists the options";
  return createStringError("unknown option --" + name + hint);
}

Error CommandLine::parse(int argc, char **argv,
                         std::vector<std::string> &positional) {
  bool optionsEnded = false;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (optionsEnded || argument == "-" || !argument.starts_with("-")) {
      positional.push_back(argument.str());
      continue;
    }
    if (argument == "--") {
      optionsEnded = true;
      continue;
    }
    argument = argument.drop_front(argument.starts_with("--") ? 2 : 1);
    auto [name, value] = argument.split('=');
    bool hasValue = argument.contains('=');
    const Option *option = find(name);
    if (!option)
      return unknown(name);
    seen.push_back(option->name);
    if (option->mode == ValueMode::None && hasValue)
      return createStringError("--" + name + " takes no value, got '" + value +
                               "'");
    if (option->mode == ValueMode::Required && !hasValue) {
      if (i + 1 == argc)
        return createStringError("--" + name + " expects a value: --" + name +
                                 "=" + option->placeholder);
      value = argv[++i];
    }
    std::string expected = option->assign(value);
    if (!expected.empty())
      return createStringError("--" + name + " expects " + expected +
                               ", got '" + value + "'");
  }
  return Error::success();
}

void CommandLine::printHelp(raw_ostream &os) const {
  os << "usage: " << usage << "\n\n" << overview << "\n\noptions:\n";
  for (const Option &option : options) {
    std::string left = "--" + option.name;
    if (option.mode == ValueMode::Required)
      left += "=" + option.placeholder;
    else if (option.mode == ValueMode::Optional)
      left += "[=" + option.placeholder + "]";
    os << formatv("  {0,-28} {1}\n", left, option.help);
  }
}
