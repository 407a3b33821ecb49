cp -r sample/. broken; printf x | dd of=broken/rank-0.rec bs=1 seek=1800 conv=notrunc 2>/dev/null; recorder check broken
