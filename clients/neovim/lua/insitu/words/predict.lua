-- :Insitu assume and iterations: what predictions are told that nobody has measured.
local ask = require('insitu.ask')
local subject_of = require('insitu.subject')

local M = {}

---@param arguments string[] a method and a time, `Shop.search 5 ms`; without a time what was measured counts again
function M.assume(arguments)
  local message = require('insitu.message')
  local method = (arguments[1] or ''):gsub('#', '.')
  if method == '' then
    message.forget()
    return message.error(':Insitu assume needs a method and a time, such as Shop.search 5 ms')
  end
  local time = table.concat(vim.list_slice(arguments, 2), ' ')
  ask.send('assume', { method = method, time = time ~= '' and time or vim.NIL }, function()
    local what = time ~= '' and ('are assumed to take ' .. time) or 'cost what was measured'
    message.brief(('calls of %s %s'):format(method, what))
  end)
end

---@param arguments string[] how often the loop of the cursor's line runs; without a number it is asked for
function M.iterations(arguments)
  local message = require('insitu.message')
  local place = subject_of.here()
  local function keep(text)
    local times = tonumber(text or '')
    if not text or text == '' then
      return
    end
    if not times or times < 0 or times % 1 ~= 0 then
      message.forget()
      return message.error(('"%s" is no whole number'):format(text))
    end
    local wish = { textDocument = place.textDocument, position = place.position, times = times }
    ask.send('iterations', wish, function(kept)
      local outer = type(kept.outer) == 'string' and ('; %s around it is not known yet'):format(kept.outer) or ''
      message.brief(('%s says now: %s × %d%s'):format(vim.fs.basename(kept.file), kept.loop, kept.times, outer))
    end)
  end
  if arguments[1] then
    return keep(arguments[1])
  end
  vim.ui.input({ prompt = 'This loop runs so many times: ' }, keep)
end

---@param typed string
---@return string[]
function M.complete(typed)
  return subject_of.complete(typed)
end

return M
