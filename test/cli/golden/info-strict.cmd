recorder info -q --strict sample | head -n 1; recorder info -q --strict sample >/dev/null
