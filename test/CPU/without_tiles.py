"""Runs a command as a process that the system gives no AMX tiles.

without_tiles.py COMMAND...: a seccomp filter answers EPERM to
arch_prctl(ARCH_REQ_XCOMP_PERM, ...) and lets all other calls pass. x86-64 Linux.
"""
import ctypes
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
ARCH_PRCTL, REQUEST_PERMISSION = 158, 0x1023
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
CALL_NUMBER, FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data
ALLOW, EPERM = 0x7FFF0000, 0x00050001


def instruction(code, operand, skip_if_unequal=0):
    return struct.pack("HBBI", code, 0, skip_if_unequal, operand)


program = b"".join([
    instruction(LOAD_WORD, CALL_NUMBER),
    instruction(JUMP_IF_EQUAL, ARCH_PRCTL, 3),
    instruction(LOAD_WORD, FIRST_ARGUMENT),
    instruction(JUMP_IF_EQUAL, REQUEST_PERMISSION, 1),
    instruction(RETURN, EPERM),
    instruction(RETURN, ALLOW),
])
code = ctypes.create_string_buffer(program, len(program))
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0)):
    if libc.prctl(*arguments):
        sys.exit("without_tiles.py: prctl: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
