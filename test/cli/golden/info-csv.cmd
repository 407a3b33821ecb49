recorder info -q --csv sample
