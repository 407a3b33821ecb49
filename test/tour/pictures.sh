#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The pictures of doc/tour.md can be taken of what recorder report makes of its traces today: from build/doc/tour, or as `make tour` says, whose
# argument is the folder that they go to.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/report/pages.sh"
need_browser
folder=${1:-$TOP_BUILDDIR/doc/tour}
mkdir -p "$folder"
for name in slow mended train; do
	# under the name that a picture may show
	cp "$TOP_SRCDIR/test/tour/$name.rtrace" $name.rtrace
	recorder report -q -o $name.html $name.rtrace || fail "no report of $name"
done
browse ../tour/pictures "$folder" slow.html mended.html train.html
# what the page shows is there, and there is no picture that it does not show
sed -n 's/^!\[.*](tour\/\(.*\.png\))$/\1/p' "$TOP_SRCDIR/doc/tour.md" | sort >shown
(cd "$folder" && ls -- *.png) >taken
diff shown taken || fail "the page shows other pictures"
(cd "$TOP_SRCDIR/doc/tour" && ls -- *.png) | diff shown - || fail "other pictures are kept than the page shows"
while read -r name; do
	[ "$(head -c 8 "$folder/$name" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$name is no PNG"
	[ "$(wc -c <"$folder/$name")" -gt 8000 ] || fail "$name is empty"
done <taken
