-- Answers "struct NAME" and "field STRUCT NAME" on its input with sizes and offsets, as LuaJIT lays them out.
package.path = "bindings/lua/?.lua;" .. package.path
local declared = require("unisono_ffi")
local ffi = require("ffi")
for line in io.lines() do
  local kind, struct, field = line:match("^(%S+) (%S+) ?(%S*)$")
  if kind == "struct" then
    print(("struct %s %d"):format(struct, ffi.sizeof(struct)))
  else
    -- Numbers come as Lua's own, without a size: a field ends where the next one begins.
    local offset, after = ffi.offsetof(struct, field), ffi.sizeof(struct)
    for _, other in ipairs(declared.structs[struct]) do
      local begins = ffi.offsetof(struct, other[1])
      if begins > offset and begins < after then after = begins end
    end
    print(("field %s %s %d %d"):format(struct, field, offset, after - offset))
  end
end
