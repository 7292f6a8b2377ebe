"""Drives ggml's ggml_gelu_erf, which calls libm's erff once an element, as programs that use ggml do.

  gelu_erf.py run FOLDER FILE         computes many elements with the libraries in FOLDER, prints ns an element, and writes
                                      the results to FILE
  gelu_erf.py compare SYSTEM HALFULP  compares two such files with the right results, and fails where the second is wrong
"""

import array
import ctypes
import math
import pathlib
import sys
import time

COUNT = 65536
ROUNDS = 200


def rounded(value):
    """The nearest float."""
    return ctypes.c_float(value).value


def inputs():
    """Spread evenly over -4 to 4."""
    return array.array("f", (8.0 * (i * math.sqrt(2.0) % 1.0) - 4.0 for i in range(COUNT)))


class Parameters(ctypes.Structure):
    """ggml_init_params"""

    _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


def run(folder, file):
    pointer = ctypes.c_void_p
    libraries = [ctypes.CDLL(pathlib.Path(folder) / name, ctypes.RTLD_GLOBAL) for name in ("libggml-base.so", "libggml-cpu.so")]

    def function(name, result, *arguments):
        library = next(library for library in libraries if hasattr(library, name))
        found = getattr(library, name)
        found.restype, found.argtypes = result, arguments
        return found

    function("ggml_cpu_init", None)()
    context = function("ggml_init", pointer, Parameters)(Parameters(16 * COUNT + (1 << 20), None, False))
    tensor = function("ggml_new_tensor_1d", pointer, pointer, ctypes.c_int, ctypes.c_int64)
    data = function("ggml_get_data", pointer, pointer)
    x = tensor(context, 0, COUNT)  # of type GGML_TYPE_F32
    y = function("ggml_gelu_erf", pointer, pointer, pointer)(context, x)
    graph = function("ggml_new_graph", pointer, pointer)(context)
    function("ggml_build_forward_expand", None, pointer, pointer)(graph, y)
    compute = function("ggml_graph_compute_with_ctx", ctypes.c_int, pointer, pointer, ctypes.c_int)
    ctypes.memmove(data(x), inputs().tobytes(), 4 * COUNT)

    shortest = math.inf
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        if compute(context, graph, 1) != 0:
            sys.exit("ggml_graph_compute_with_ctx fails")
        shortest = min(shortest, time.perf_counter_ns() - start)
    with open(file, "wb") as output:
        output.write(ctypes.string_at(data(y), 4 * COUNT))
    print(f"{shortest / COUNT:.2f}")


def right(x):
    """What ggml's formula gives with the right erff; none where double precision can't tell which float that is."""
    value = math.erf(rounded(x * rounded(math.sqrt(0.5))))
    nearest = rounded(value * (1 - 2.0**-50))
    if nearest != rounded(value * (1 + 2.0**-50)):
        return None
    return rounded(0.5 * x * rounded(1.0 + nearest))


def compare(*names):
    wrong = []
    for name in names:
        with open(name, "rb") as file:
            results = array.array("f", file.read())
        pairs = [(result, right(x)) for x, result in zip(inputs(), results, strict=True)]
        wrong.append(sum(value is not None and result != value for result, value in pairs))
    print(f"{wrong[0]} of {COUNT} results wrong with the system's libm, {wrong[1]} with halfulp")
    if wrong[1] > 0 or wrong[0] == 0:
        sys.exit(1)


if __name__ == "__main__":
    {"run": run, "compare": compare}[sys.argv[1]](*sys.argv[2:])
