"""Times torch's functions on one thread, as the bench `fused` asks for it. A command a line, its words separated by tabs:

load FILE SIZE   takes the file's floats, as arrays of SIZE elements
time NAME        computes NAME of each array, untimed once and then timed, and answers with the nanoseconds
save FILE        writes the last results
"""

import sys
import time

import torch

FUNCTIONS = {"gelu": torch.nn.functional.gelu, "special.ndtr": torch.special.ndtr}


def compute(function, arrays):
    for x, y in arrays:
        function(x, out=y)


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    print(torch.__version__, flush=True)
    results, arrays = torch.empty(0), []
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split("\t")
        answer = "done"
        if command == "load":
            path, size = words[0], int(words[1])
            with open(path, "rb") as file:
                # A copy, since torch aligns its own memory.
                arguments = torch.frombuffer(bytearray(file.read()), dtype=torch.float32).clone()
            results = torch.ones_like(arguments)
            arrays = list(zip(arguments.split(size), results.split(size)))
        elif command == "time":
            function = FUNCTIONS[words[0]]
            compute(function, arrays)
            start = time.perf_counter_ns()
            compute(function, arrays)
            answer = str(time.perf_counter_ns() - start)
        elif command == "save":
            memory = bytearray(4 * results.numel())
            torch.frombuffer(memory, dtype=torch.float32).copy_(results)
            with open(words[0], "wb") as file:
                file.write(memory)
        print(answer, flush=True)


main()
