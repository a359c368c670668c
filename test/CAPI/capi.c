/*===- capi.c - a C program that uses libAttnMLIR ---------------------------===*\
|*                                                                            *|
|* Compiles, calls, inspects and misuses programs through the C API alone;   *|
|* results are compared with loops written here.                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#include "attn-c/Pipeline.h"
#include "attn-c/Program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int numFailures = 0;

static void check(bool holds, const char *what, int line) {
  if (holds)
    return;
  printf("capi.c:%d: expected %s\n", line, what);
  ++numFailures;
}
#define CHECK(condition) check((condition), #condition, __LINE__)

/* Attention of M queries over N keys, one head: causal, scale 1/2. */
enum { M = 5, N = 7, K = 4, D = 3 };
static const char attention[] =
    "func.func @main(%q: tensor<5x4xf32>, %k: tensor<7x4xf32>,\n"
    "                %v: tensor<7x3xf32>) -> tensor<5x3xf32> {\n"
    "  %o = tensor.empty() : tensor<5x3xf32>\n"
    "  %0 = attn.attention {scale = 0.5, visible = [affine_set<(m, n)[M, N] : "
    "(m - n >= 0)>]}\n"
    "    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]\n"
    "    ins(%q, %k, %v : tensor<5x4xf32>, tensor<7x4xf32>, tensor<7x3xf32>)\n"
    "    outs(%o : tensor<5x3xf32>)\n"
    "  return %0 : tensor<5x3xf32>\n"
    "}\n";

static float q[M * K], k[N * K], v[N * D];

static void fill(float *values, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)(seed >> 16) / 32768.0f - 1.0f;
  }
}

static double reference(int m, int d) {
  double sum = 0, value = 0;
  for (int n = 0; n <= m && n < N; ++n) {
    double score = 0;
    for (int i = 0; i < K; ++i)
      score += (double)q[m * K + i] * k[n * K + i];
    sum += exp(0.5 * score);
    value += exp(0.5 * score) * v[n * D + d];
  }
  return value / sum;
}

/* `at(m, d)` of a strided result, against the loops above. */
static bool agrees(const float *out, int64_t rowStride, int64_t columnStride) {
  for (int m = 0; m < M; ++m)
    for (int d = 0; d < D; ++d) {
      double got = out[m * rowStride + d * columnStride];
      if (!(fabs(got - reference(m, d)) < 1e-5))
        return false;
    }
  return true;
}

static AttnProgram *compile(const char *text, const char *target,
                            AttnError **error) {
  AttnCompileOptions options = attnCompileOptionsGetDefault();
  AttnProgram *program = NULL;
  options.target = target;
  if (!attnProgramCompileText(text, strlen(text), "text.mlir", &options,
                              &program, error))
    return NULL;
  return program;
}

/* Whether the message holds the text; the error is destroyed. */
static bool says(AttnError *error, const char *text) {
  bool found = error && strstr(attnErrorGetMessage(error), text);
  if (!found)
    printf("message: %s\n", error ? attnErrorGetMessage(error) : "(none)");
  attnErrorDestroy(error);
  return found;
}

static bool holds(AttnString string, const char *text) {
  bool found = strstr(string.data, text) != NULL;
  if (!found)
    printf("string: %s\n", string.data);
  attnStringFree(string);
  return found;
}

static const int64_t qShape[] = {M, K}, kShape[] = {N, K}, vShape[] = {N, D},
                     oShape[] = {M, D};

static void testCalls(const AttnProgram *program) {
  AttnError *error = NULL;
  float out[M * D], spread[2 * M * D * 2], kT[K * N];
  AttnBuffer in[] = {{q, ATTN_F32, 2, qShape, NULL},
                     {k, ATTN_F32, 2, kShape, NULL},
                     {v, ATTN_F32, 2, vShape, NULL}};
  AttnBuffer result = {out, ATTN_F32, 2, oShape, NULL};
  CHECK(attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(agrees(out, D, 1));

  /* K transposed in memory, the result in every second place, backwards. */
  for (int n = 0; n < N; ++n)
    for (int i = 0; i < K; ++i)
      kT[i * N + n] = k[n * K + i];
  const int64_t transposed[] = {1, N}, backwards[] = {-2 * D, 2};
  in[1].data = kT;
  in[1].strides = transposed;
  memset(spread, 0, sizeof spread);
  result.data = spread + (M - 1) * 2 * D;
  result.strides = backwards;
  CHECK(attnProgramCall(program, in, 3, &result, 1, 1, &error));
  CHECK(agrees(spread + (M - 1) * 2 * D, -2 * D, 2));
  CHECK(spread[1] == 0 && spread[3] == 0);

  /* One row of K for all keys: a stride of 0 is read, and not written. */
  const int64_t repeated[] = {0, 1};
  float first[N * K], want[M * D];
  for (int n = 0; n < N; ++n)
    memcpy(first + n * K, k, K * sizeof(float));
  in[1].data = first;
  in[1].strides = NULL;
  result.data = want;
  result.strides = NULL;
  CHECK(attnProgramCall(program, in, 3, &result, 1, 1, &error));
  in[1].data = k;
  in[1].strides = repeated;
  result.data = out;
  CHECK(attnProgramCall(program, in, 3, &result, 1, 1, &error));
  CHECK(memcmp(out, want, sizeof out) == 0);
  result.strides = repeated;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 1, &error));
  CHECK(says(error, "result 0: several indices mean the same element"));
}

static void testMisuse(const AttnProgram *program) {
  AttnError *error = NULL;
  float out[M * D];
  AttnBuffer in[] = {{q, ATTN_F32, 2, qShape, NULL},
                     {k, ATTN_F32, 2, kShape, NULL},
                     {v, ATTN_F32, 2, vShape, NULL}};
  AttnBuffer result = {out, ATTN_F32, 2, oShape, NULL};
  CHECK(!attnProgramCall(program, in, 2, &result, 1, 0, &error));
  CHECK(says(error, "@main expects 3 arguments, got 2"));
  CHECK(!attnProgramCall(program, in, 3, &result, 0, 0, &error));
  CHECK(says(error, "@main has 1 results, got 0"));
  in[0].type = ATTN_F64;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "argument 0: @main expects 5x4xf32, got 5x4xf64"));
  in[0].type = (AttnDType)99;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "argument 0: expected an AttnDType, got 99"));
  in[0].type = ATTN_F32;
  in[2].shape = kShape;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "argument 2: @main expects 7x3xf32, got 7x4xf32"));
  in[2].shape = vShape;
  in[1].data = NULL;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "argument 1: expected memory, got a null pointer"));
  in[1].data = k;
  result.data = q;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "result 0: shares memory with argument 0"));
  /* The error may be declined. */
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, NULL));
}

/* Null pointers, one at a time, in every place that has one. */
static void testNullText(void) {
  static const char good[] = "func.func @main() { return }";
  const struct {
    const char *text, *name, *pipeline;
    bool hasResult;
    const char *says;
  } table[] = {
      {NULL, "n", "builtin.module(cse)", true, "text: expected a pointer"},
      {good, NULL, "builtin.module(cse)", true, "name: expected a pointer"},
      {good, "n", NULL, true, "pipeline: expected a pointer"},
      {good, "n", "builtin.module(cse)", false, "result: expected a pointer"},
      {NULL, NULL, NULL, false, "text: expected a pointer"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    AttnError *error = NULL;
    AttnString text = {(char *)good, 3};
    AttnString *result = table[i].hasResult ? &text : NULL;
    CHECK(!attnRunPipeline(table[i].text, strlen(good), table[i].name,
                           table[i].pipeline, result, &error));
    CHECK(says(error, table[i].says));
    CHECK(!result || (!text.data && text.length == 0));
    CHECK(!attnRunPipeline(table[i].text, strlen(good), table[i].name,
                           table[i].pipeline, result, NULL));
    if (table[i].pipeline)
      continue;
    AttnProgram *program = (AttnProgram *)good;
    AttnProgram **out = table[i].hasResult ? &program : NULL;
    CHECK(!attnProgramCompileText(NULL, 0, "n", NULL, out, &error));
    CHECK(says(error, "text: expected a pointer") && (!out || !program));
    CHECK(!attnProgramCompileText(good, 1, NULL, NULL, out, &error));
    CHECK(says(error, "name: expected a pointer"));
    CHECK(!attnProgramCompileFile(NULL, NULL, out, &error));
    CHECK(says(error, "path: expected a pointer"));
    CHECK(!attnProgramCompileText(good, 1, "n", NULL, NULL, &error));
    CHECK(says(error, "program: expected a pointer"));
    CHECK(!attnProgramCompileFile("f", NULL, NULL, &error));
    CHECK(says(error, "program: expected a pointer"));
  }
  /* The length counts, not a NUL. */
  AttnError *error = NULL;
  AttnProgram *program = NULL;
  char text[sizeof good + 8];
  memcpy(text, good, sizeof good);
  memset(text + strlen(good), '(', 8);
  CHECK(attnProgramCompileText(text, strlen(good), "n", NULL, &program,
                               &error));
  attnProgramDestroy(program);
}

static void testNullHandles(void) {
  AttnError *error = NULL;
  AttnString text = {NULL, 1};
  int64_t shape[2];
  CHECK(strcmp(attnErrorGetMessage(NULL), "") == 0);
  CHECK(attnErrorGetNumDiagnostics(NULL) == 0);
  CHECK(strcmp(attnErrorGetDiagnostic(NULL, 0).message, "") == 0);
  attnErrorDestroy(NULL);
  attnProgramDestroy(NULL);
  attnStringFree((AttnString){NULL, 0});
  CHECK(strcmp(attnProgramGetEntry(NULL), "") == 0);
  CHECK(strcmp(attnProgramGetTarget(NULL), "") == 0);
  CHECK(attnProgramGetNumArguments(NULL) == 0);
  CHECK(attnProgramGetNumResults(NULL) == 0);
  CHECK(attnProgramGetArgumentType(NULL, 0).type == ATTN_UNKNOWN);
  CHECK(attnProgramGetResultType(NULL, 0).type == ATTN_UNKNOWN);
  CHECK(!attnProgramGetRemarksString(NULL).data);
  CHECK(!attnProgramGetReportString(NULL).data);
  CHECK(!attnProgramCall(NULL, NULL, 0, NULL, 0, 0, &error));
  CHECK(says(error, "program: expected a pointer"));
  CHECK(!attnProgramGetResultShape(NULL, NULL, 0, 0, shape, &error));
  CHECK(says(error, "program: expected a pointer"));
  CHECK(!attnProgramEmit(NULL, "llvm", &text, NULL, &error));
  CHECK(says(error, "program: expected a pointer") && text.length == 0);
  CHECK(strcmp(attnDTypeGetName(ATTN_UNKNOWN), "unknown") == 0);
  CHECK(strcmp(attnDTypeGetName((AttnDType)1000), "unknown") == 0);
  CHECK(attnDTypeGetSize(ATTN_UNKNOWN) == 0);
}

static void testOutOfRange(const AttnProgram *program) {
  static const size_t past[] = {3, 4, SIZE_MAX};
  AttnError *error = NULL;
  AttnString text;
  AttnProgram *none = NULL;
  CHECK(!attnProgramCompileText("oh", 2, "n", NULL, &none, &error) && !none);
  CHECK(attnErrorGetNumDiagnostics(error) >= 1);
  for (size_t i = 0; i < sizeof past / sizeof *past; ++i) {
    AttnDiagnostic d = attnErrorGetDiagnostic(error, past[i]);
    CHECK(!*d.severity && !*d.file && !*d.message && !d.line && !d.column);
    CHECK(attnProgramGetArgumentType(program, past[i]).type == ATTN_UNKNOWN);
    CHECK(attnProgramGetResultType(program, past[i]).type == ATTN_UNKNOWN);
  }
  attnErrorDestroy(error);
  CHECK(!attnProgramEmit(program, NULL, &text, NULL, &error));
  CHECK(says(error, "kind: expected a pointer"));
  CHECK(!attnProgramEmit(program, "llvm", NULL, NULL, &error));
  CHECK(says(error, "contents: expected a pointer"));
}

/* Buffers that are none: what each is wrong in, and the error. */
static void testBuffers(const AttnProgram *program) {
  static const int64_t negative[] = {M, -1}, huge[] = {INT64_MAX, INT64_MAX},
                       far[] = {INT64_MAX, INT64_MIN};
  static float out[M * D];
  const struct {
    AttnBuffer buffer;
    const char *says;
  } table[] = {
      {{q, ATTN_F32, 2, NULL, NULL}, "expected a shape of 2 extents, got null"},
      {{q, ATTN_F32, SIZE_MAX, qShape, NULL}, "expected a rank of at most 64"},
      {{q, ATTN_F32, 0, NULL, NULL}, "expects 5x4xf32, got f32"},
      {{q, ATTN_F32, 2, negative, NULL}, "expected extents of at least 0"},
      {{q, ATTN_F32, 2, huge, NULL}, "expects 5x4xf32, got 9223372036854775807x"},
      {{q, ATTN_F32, 2, qShape, far}, "expected less than 2^63 bytes"},
      {{q, ATTN_UNKNOWN, 2, qShape, NULL}, "expected an AttnDType, got -1"},
      {{NULL, ATTN_F32, 2, qShape, NULL}, "expected memory, got a null pointer"},
  };
  AttnError *error = NULL;
  int64_t shape[2];
  AttnBuffer in[] = {{q, ATTN_F32, 2, qShape, NULL},
                     {k, ATTN_F32, 2, kShape, NULL},
                     {v, ATTN_F32, 2, vShape, NULL}};
  AttnBuffer result = {out, ATTN_F32, 2, oShape, NULL};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    in[0] = table[i].buffer;
    CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
    CHECK(says(error, table[i].says));
    CHECK(!attnProgramGetResultShape(program, in, 3, 0, shape, &error));
    CHECK(says(error, table[i].says));
  }
  in[0] = (AttnBuffer){q, ATTN_F32, 2, qShape, NULL};
  result.shape = NULL;
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 0, &error));
  CHECK(says(error, "result 0: expected a shape of 2 extents, got null"));
  result.shape = oShape;
  CHECK(!attnProgramCall(program, NULL, 3, &result, 1, 0, &error));
  CHECK(says(error, "argument: expected a pointer, got null"));
  CHECK(!attnProgramCall(program, in, 3, NULL, 1, 0, &error));
  CHECK(says(error, "result: expected a pointer, got null"));
  CHECK(!attnProgramCall(program, in, SIZE_MAX, &result, 1, 0, &error));
  CHECK(says(error, "@main expects 3 arguments"));
  CHECK(!attnProgramCall(program, in, 3, &result, 1, 1025, &error));
  CHECK(says(error, "threads: expected at most 1024, got 1025"));
  CHECK(!attnProgramGetResultShape(program, in, 3, 0, NULL, &error));
  CHECK(says(error, "shape: expected a pointer, got null"));
  CHECK(!attnProgramGetResultShape(program, in, 3, 7, shape, &error));
  CHECK(says(error, "expected a result below 1, got 7"));
  CHECK(attnProgramCall(program, in, 3, &result, 1, 0, &error));
}

/* Text that would use up the parser's stack. */
static void testDeepText(void) {
  static const char head[] = "func.func private @f() attributes {a =\n";
  enum { Depth = 100000 };
  static char text[sizeof head + Depth];
  AttnError *error = NULL;
  AttnString result;
  memcpy(text, head, sizeof head);
  memset(text + strlen(head), '[', Depth);
  CHECK(!compile(text, NULL, &error));
  CHECK(says(error, "text.mlir:2:1000: error: expected at most 1000 levels"));
  CHECK(!attnRunPipeline("module {}", 9, "n", text, &result, &error));
  CHECK(says(error, "pipeline: expected at most 1000 levels"));
}

/* What is declared and nowhere defined has a place. */
static void testMissingSymbol(void) {
  AttnError *error = NULL;
  CHECK(!compile("func.func private @no_such_function_anywhere(f32) -> f32\n"
                 "func.func @main(%a: f32) -> f32 {\n"
                 "  %0 = call @no_such_function_anywhere(%a) : (f32) -> f32\n"
                 "  return %0 : f32\n"
                 "}\n",
                 NULL, &error));
  CHECK(says(error, "text.mlir:1:1: error: '@no_such_function_anywhere'"));
}

static void testQueries(const AttnProgram *program) {
  AttnError *error = NULL;
  AttnString text;
  CHECK(strcmp(attnProgramGetEntry(program), "main") == 0);
  CHECK(strcmp(attnProgramGetTarget(program), "host") == 0);
  CHECK(attnProgramGetNumArguments(program) == 3);
  CHECK(attnProgramGetNumResults(program) == 1);
  AttnValueType type = attnProgramGetResultType(program, 0);
  CHECK(type.isTensor && type.type == ATTN_F32 && type.rank == 2);
  CHECK(type.shape[0] == M && type.shape[1] == D);
  CHECK(holds(attnProgramGetReportString(program), "\"attentions\":[{"));
  CHECK(holds(attnProgramGetReportString(program), "\"ledger\":{"));
  CHECK(attnProgramEmit(program, "llvm", &text, NULL, &error));
  CHECK(holds(text, "llvm.func"));
  CHECK(attnProgramEmit(program, "obj", &text, NULL, &error));
  CHECK(text.length > 4 && memcmp(text.data, "\177ELF", 4) == 0);
  attnStringFree(text);
  CHECK(!attnProgramEmit(program, "poem", &text, NULL, &error));
  CHECK(says(error, "got 'poem'"));
}

static void testErrors(const char *cases) {
  AttnError *error = NULL;
  CHECK(!compile("func.func @main() {\n  nonsense\n}\n", NULL, &error));
  CHECK(attnErrorGetNumDiagnostics(error) >= 1);
  AttnDiagnostic diagnostic = attnErrorGetDiagnostic(error, 0);
  CHECK(strcmp(diagnostic.file, "text.mlir") == 0 && diagnostic.line == 2);
  CHECK(strcmp(diagnostic.severity, "error") == 0);
  CHECK(says(error, "text.mlir:2:3: error: "));
  CHECK(!compile(attention, "abacus", &error));
  CHECK(says(error, "'abacus'"));
  CHECK(!compile("", NULL, &error));
  CHECK(says(error, "no public function"));

  AttnCompileOptions options = attnCompileOptionsGetDefault();
  AttnProgram *program;
  CHECK(!attnProgramCompileFile("/nowhere.mlir", &options, &program, &error));
  CHECK(says(error, "cannot read '/nowhere.mlir'"));
  options.mustFuse = true;
  char path[4096];
  snprintf(path, sizeof path, "%s/x_max_query_axis.mlir", cases);
  CHECK(!attnProgramCompileFile(path, &options, &program, &error));
  CHECK(says(error, "x_max_query_axis.mlir:"));
  options.mustFuse = false;
  CHECK(attnProgramCompileFile(path, &options, &program, &error));
  CHECK(holds(attnProgramGetReportString(program), "\"obligation\":\"O"));
  CHECK(holds(attnProgramGetRemarksString(program), "\"kind\":\"Missed\""));
  attnProgramDestroy(program);
  options.structSize = 1;
  CHECK(!attnProgramCompileFile(path, &options, &program, &error));
  CHECK(says(error, "attnCompileOptionsGetDefault"));
}

static void testGpu(void) {
  AttnError *error = NULL;
  AttnProgram *program = compile(attention, "h100", &error);
  CHECK(program);
  if (!program)
    return;
  CHECK(strcmp(attnProgramGetTarget(program), "h100") == 0);
  CHECK(!attnProgramCall(program, NULL, 0, NULL, 0, 0, &error));
  CHECK(says(error, "compiled for 'h100'"));
  attnProgramDestroy(program);
}

/* Extents come with the arguments, and have to fit together. */
static void testDynamic(void) {
  static const char text[] =
      "func.func @f(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: f32)\n"
      "    -> (tensor<?x3xf32>, f32) {\n"
      "  %0 = linalg.add ins(%a, %b : tensor<?x3xf32>, tensor<?x3xf32>)\n"
      "    outs(%a : tensor<?x3xf32>) -> tensor<?x3xf32>\n"
      "  %1 = arith.addf %c, %c : f32\n"
      "  return %0, %1 : tensor<?x3xf32>, f32\n"
      "}\n";
  AttnError *error = NULL;
  AttnProgram *program = compile(text, NULL, &error);
  CHECK(program);
  if (!program) {
    says(error, "");
    return;
  }
  float a[] = {1, 2, 3, 4, 5, 6}, b[] = {6, 5, 4, 3, 2, 1}, c = 4, sum[6], twice;
  const int64_t two[] = {2, 3}, one[] = {1, 3};
  AttnBuffer in[] = {{a, ATTN_F32, 2, two, NULL},
                     {b, ATTN_F32, 2, two, NULL},
                     {&c, ATTN_F32, 0, NULL, NULL}};
  AttnBuffer out[] = {{sum, ATTN_F32, 2, two, NULL},
                      {&twice, ATTN_F32, 0, NULL, NULL}};
  int64_t shape[2] = {0, 0};
  CHECK(attnProgramGetArgumentType(program, 0).shape[0] == ATTN_DYNAMIC);
  CHECK(attnProgramGetResultShape(program, in, 3, 0, shape, &error));
  CHECK(shape[0] == 2 && shape[1] == 3);
  CHECK(attnProgramCall(program, in, 3, out, 2, 0, &error));
  CHECK(sum[0] == 7 && sum[5] == 7 && twice == 8 && a[0] == 1);
  in[1].shape = one;
  CHECK(!attnProgramCall(program, in, 3, out, 2, 0, &error));
  CHECK(says(error, "text.mlir:3:8: the shapes of the arguments do not fit"));
  in[1].shape = two;
  out[0].shape = one;
  CHECK(!attnProgramCall(program, in, 3, out, 2, 0, &error));
  CHECK(says(error, "result 0: @f writes 2x3xf32, got 1x3xf32"));
  attnProgramDestroy(program);
}

static void testPipelines(void) {
  AttnError *error = NULL;
  AttnString result;
  const char *text = "func.func @f() { return }\n";
  CHECK(attnRunPipeline(attention, strlen(attention), "text.mlir",
                        "builtin.module(attn-select-tiling)", &result, &error));
  CHECK(holds(result, "#attn.tiling"));
  CHECK(!attnRunPipeline(text, strlen(text), "text.mlir",
                         "builtin.module(no-such-pass)", &result, &error));
  CHECK(says(error, "no-such-pass"));
  CHECK(!attnRunPipeline(text, strlen(text), "text.mlir",
                         "func.func(canonicalize)", &result, &error));
  CHECK(says(error, "expected a pipeline 'builtin.module(...)'"));
  CHECK(!attnRunPipeline("oh", 2, "text.mlir", "builtin.module(cse)", &result,
                         &error));
  CHECK(says(error, "text.mlir:1:1: error:"));
}

int main(int argc, char **argv) {
  AttnError *error = NULL;
  if (argc != 2) {
    printf("usage: attn-capi-test DIRECTORY-OF-CASES\n");
    return 2;
  }
  fill(q, M * K, 1);
  fill(k, N * K, 2);
  fill(v, N * D, 3);
  AttnProgram *program = compile(attention, NULL, &error);
  CHECK(program);
  if (!program) {
    says(error, "");
    return 1;
  }
  testCalls(program);
  testMisuse(program);
  testNullText();
  testNullHandles();
  testOutOfRange(program);
  testBuffers(program);
  testDeepText();
  testMissingSymbol();
  testQueries(program);
  testErrors(argv[1]);
  testGpu();
  testDynamic();
  testPipelines();
  attnProgramDestroy(program);
  printf("%d failures\n", numFailures);
  return numFailures != 0;
}
