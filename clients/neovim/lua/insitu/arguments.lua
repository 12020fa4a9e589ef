-- Reads the arguments of a word of :Insitu: `key=value` pairs and single words.
local message = require('insitu.message')

local M = {}

---What was given by key, `true` for single words; nil where something is unknown, which the user is told.
---@param given string[]
---@param keys string[] what may stand before a `=`
---@param words? string[] what may stand alone
---@return table<string, string|true>?
function M.read(given, keys, words)
  local read = {}
  for _, argument in ipairs(given) do
    local key, value = argument:match('^(%w+)=(.*)$')
    if key and vim.tbl_contains(keys, key) then
      read[key] = value
    elseif vim.tbl_contains(words or {}, argument) then
      read[argument] = true
    else
      local known = vim.list_extend(vim.deepcopy(words or {}), vim.tbl_map(function(each)
        return each .. '='
      end, keys))
      message.forget()
      message.error(('"%s" is unknown here; known are %s'):format(argument, table.concat(known, ', ')))
      return nil
    end
  end
  return read
end

---The parts of a list, `a,b`; nothing for an empty one.
---@param value string
---@return string[]
function M.list(value)
  return vim.tbl_filter(function(part)
    return part ~= ''
  end, vim.split(value, ','))
end

return M
