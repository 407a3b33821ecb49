-- SPDX-License-Identifier: MIT
-- lua lmod.lua FILE: what the module in FILE does to the environment, as NAME=VALUE; what it calls is defined as Lmod does.
local paths = {}

function help(text)
	assert(text:find("recorder run", 1, true))
end
function whatis(text)
	assert(text:match("^%a+: ."))
end
function conflict(name)
	assert(name == "recorder")
end
function prepend_path(name, folder)
	assert(folder:sub(1, 1) == "/" and not folder:find("[@$]"), folder)
	local rest = paths[name] or os.getenv(name)
	paths[name] = rest and rest ~= "" and folder .. ":" .. rest or folder
end

dofile(arg[1])
for name, value in pairs(paths) do
	print(name .. "=" .. value)
end
