-- Reads the arguments of a word of :Insitu: `key=value` pairs, single words, lists and times.
local message = require('insitu.message')

local M = {}

---The given values by key, `true` for single words; nil where a key is unknown, which the user is told.
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

---A time as users write it, in their time zone: `2026-11-20`, `2026-11-20T09:30` or with seconds.
---@param text string
---@return number? milliseconds since 1970
function M.millis(text)
  local year, month, day, rest = text:match('^(%d%d%d%d)-(%d%d)-(%d%d)(.*)$')
  local hour, minute, second = (rest or ''):match('^[T ](%d%d):(%d%d):?(%d*)$')
  if not year or (rest ~= '' and not hour) then
    return nil
  end
  local time = { year = year, month = month, day = day, hour = hour or 0, min = minute or 0 }
  time.sec = tonumber(second) or 0
  return os.time(time) * 1000
end

return M
