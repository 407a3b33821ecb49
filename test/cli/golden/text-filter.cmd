recorder2text -q --ranks 0 --layers posix --functions 'pwrite,-open' --time 2.53ms..2.6ms sample
