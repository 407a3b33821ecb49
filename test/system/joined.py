# SPDX-License-Identifier: MIT
"""A job of three processes with three more threads each: `up.PID` says that one is there. When there is a file `go` each thread writes 100 times into a file that is
open since before, and the first process starts one more, which does it 50 times. It ends when there is a file `stop`."""
import os
import threading
import time


def wait_for(name):
    while not os.path.exists(name):
        time.sleep(0.02)


def work():
    wait_for("go")
    for i in range(100):
        os.pwrite(fd, b"12345678", 8 * i)
    wait_for("stop")


fd = os.open("opened before", os.O_CREAT | os.O_RDWR)
first = os.getpid()
if os.fork() != 0:
    os.fork()
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
open(f"up.{os.getpid()}", "w").close()
if os.getpid() == first:
    wait_for("go")
    if os.fork() == 0:
        for _ in range(50):
            os.write(fd, b"x")
        open("child", "w").close()
        os._exit(0)
for thread in threads:
    thread.join()
