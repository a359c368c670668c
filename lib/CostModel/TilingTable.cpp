//===- TilingTable.cpp - Tilings found by timing, in a file ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/TilingTable.h"
#include "attn/Support/AtomicFile.h"
#include "attn/Support/Nesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include <cmath>

using namespace attn;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef formatName = "attn-tilings-1";

namespace attn {

static bool fromJSON(const json::Value &value, MeasuredTiling &measured,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("tiling", measured.tiling) &&
         map.map("code", measured.code) && map.map("ms", measured.milliseconds);
}

static bool fromJSON(const json::Value &value, TilingEntry &entry,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("problem", entry.problem) &&
         map.map("machine", entry.machine) && map.map("tiling", entry.tiling) &&
         map.mapOptional("measured", entry.measured);
}

static json::Value toJSON(const MeasuredTiling &measured) {
  json::Array times;
  for (double ms : measured.milliseconds)
    times.push_back(ms);
  return json::Object{{"tiling", measured.tiling},
                      {"code", measured.code},
                      {"ms", std::move(times)}};
}

static json::Value toJSON(const TilingEntry &entry) {
  json::Array measured;
  for (const MeasuredTiling &m : entry.measured)
    measured.push_back(toJSON(m));
  return json::Object{{"problem", entry.problem},
                      {"machine", entry.machine},
                      {"tiling", entry.tiling},
                      {"measured", std::move(measured)}};
}

} // namespace attn

/// What a tiling's text lacks to be complete; empty: nothing.
static std::string flawOf(StringRef text) {
  llvm::Expected<Tiling> tiling = parseTiling(text);
  if (!tiling)
    return llvm::toString(tiling.takeError());
  if (tiling->queryBlock.empty() || tiling->keyBlock.empty())
    return "expected a tiling with query_block and key_block, got '" +
           text.str() + "'";
  return "";
}

/// The first thing wrong with what an entry says, after where it is.
static std::string flawOf(const TilingEntry &entry) {
  if (std::string flaw = flawOf(entry.tiling); !flaw.empty())
    return ".tiling: " + flaw;
  for (auto [i, measured] : llvm::enumerate(entry.measured)) {
    std::string at = ".measured[" + std::to_string(i) + "]";
    if (std::string flaw = flawOf(measured.tiling); !flaw.empty())
      return at + ".tiling: " + flaw;
    for (double ms : measured.milliseconds)
      if (!(ms > 0) || !std::isfinite(ms))
        return at + ".ms: expected times greater than 0";
  }
  return "";
}

llvm::Expected<TilingTable> TilingTable::parse(StringRef text,
                                               StringRef origin) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError(origin + ": " + reason);
  };
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return fail(llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  auto format = object ? object->getString("format") : std::nullopt;
  if (format != formatName)
    return fail("expected a table of tilings, an object with \"format\": \"" +
                formatName + "\", as attn-run --tune-out writes it");
  TilingTable table;
  json::Path::Root root("table");
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("entries", table.list))
    return fail(llvm::toString(root.getError()));
  for (auto [i, entry] : llvm::enumerate(table.list)) {
    if (std::string flaw = flawOf(entry); !flaw.empty())
      return fail(llvm::formatv("entries[{0}]{1}", i, flaw));
    if (table.find(entry.problem, entry.machine) != &entry)
      return fail(llvm::formatv("expected one entry for each problem and "
                                "machine, got a second one: entries[{0}]",
                                i));
  }
  return table;
}

llvm::Expected<TilingTable> TilingTable::read(StringRef path) {
  auto file = readFile(path);
  if (!file)
    return file.takeError();
  return parse((*file)->getBuffer(), path);
}

llvm::Error TilingTable::write(StringRef path) const {
  json::Array entries;
  for (const TilingEntry &entry : list)
    entries.push_back(toJSON(entry));
  json::Value value =
      json::Object{{"format", formatName}, {"entries", std::move(entries)}};
  return writeFileAtomically(path, llvm::formatv("{0:2}\n", value).str());
}

const TilingEntry *TilingTable::find(StringRef problem,
                                     StringRef machine) const {
  for (const TilingEntry &entry : list)
    if (entry.problem == problem && entry.machine == machine)
      return &entry;
  return nullptr;
}

TilingEntry &TilingTable::at(StringRef problem, StringRef machine) {
  for (TilingEntry &entry : list)
    if (entry.problem == problem && entry.machine == machine)
      return entry;
  list.push_back({problem.str(), machine.str(), "", {}});
  return list.back();
}

std::string attn::machineName(const Target &target) {
  if (target.name != "host")
    return target.name;
  return "host " + llvm::sys::getHostCPUName().str() + ", " +
         std::to_string(target.cores) +
         (target.cores == 1 ? " core" : " cores");
}
