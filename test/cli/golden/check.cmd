recorder check sample; recorder check -q --strict sample; echo $?; recorder check -q --json sample
