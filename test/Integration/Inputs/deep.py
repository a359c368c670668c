"""deep.py KIND: a text of 100,000 levels, of one kind of nesting."""
import sys

N = 100_000
TEXTS = {
    "region": lambda: 'func.func @f() {\n' + '"t.o"() ({\n' * N + '"t.e"() : () -> ()\n' + '}) : () -> ()\n' * N + 'return }',
    "module": lambda: "module {\n" * N + "}\n" * N,
    "attribute": lambda: "func.func private @f() attributes {a = " + "[" * N + "]" * N + "}",
    "dictionary": lambda: "func.func private @f() attributes {a = " + "{a = " * N + "1" + "}" * N + "}",
    "type": lambda: "func.func private @f(%a: " + "tuple<" * N + "i32" + ">" * N + ")",
    "function": lambda: "func.func private @f(%a: " + "() -> (" * N + "i32" + ")" * N + ")",
    "elements": lambda: "func.func private @f() attributes {a = dense<" + "[" * N + "1" + "]" * N + "> : tensor<1xi32>}",
    "parentheses": lambda: "func.func private @f() attributes {a = affine_map<(d0) -> (" + "(" * N + "d0" + ")" * N + ")>}",
    "sum": lambda: "func.func private @f() attributes {a = affine_map<(d0) -> (" + "d0 + " * N + "d0)>}",
    "negation": lambda: "func.func private @f() attributes {a = affine_map<(d0) -> (" + "-" * N + "d0)>}",
    "alias": lambda: "#a0 = [1]\n" + "".join(f"#a{i} = [#a{i - 1}]\n" for i in range(1, N)) + f"func.func private @f() attributes {{a = #a{N - 1}}}",
    "location": lambda: 'func.func private @f() loc(' + 'callsite("a" at ' * N + '"b"' + ")" * N + ")",
    "json": lambda: '{"format": ' + "[" * N,
    "ptx": lambda: ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n" + "{\n" * N + "}\n" * N + "ret; }",
    "vector": lambda: ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n mov.b64 %r1, " + "{" * N + "; ret; }",
    "lsp": lambda: open_document("func.func private @f() attributes {a = " + "[" * N + "]" * N + "}"),
}


def open_document(text):
    """A session of the language server: open the text, ask, and leave."""
    import json

    uri = "test:///deep.mlir"
    messages = [
        {"id": 0, "method": "initialize", "params": {"processId": 1, "rootPath": "", "capabilities": {}, "trace": "off"}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}}},
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    parts = []
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message})
        parts.append(f"Content-Length: {len(body)}\r\n\r\n{body}")
    return "".join(parts)


sys.stdout.write(TEXTS[sys.argv[1]]())
