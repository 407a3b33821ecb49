/* SPDX-License-Identifier: MIT */
/* C++ iostreams: 30,000 bytes, 50 of them again, 7 behind a hole; then all of it read, and a part again. */
#include <fstream>
#include <iterator>
#include <string>

int main()
{
	std::ofstream out("data", std::ios::binary);
	std::string line(29, 'x');

	for (int i = 0; i < 1000; i++)
		out << line << '\n';
	out.seekp(100);
	out << std::string(50, 'y');
	out.seekp(40000);
	out << "the end";
	out.close();

	std::ifstream in("data", std::ios::binary);
	std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());

	in.clear();
	in.seekg(40000);
	std::getline(in, line);
	return !(all.size() == 40007 && line == "the end");
}
