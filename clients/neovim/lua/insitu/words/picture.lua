-- :Insitu picture and :Insitu blueprint: the page of pictures in the browser, of everything or a method.
local ask = require('insitu.ask')
local message = require('insitu.message')

local M = {}

---Opens the browser and goes on at once: an opener that stays until the browser ends must not be waited for.
---@param address string
---@return string? failure
local function open(address)
  local opened, opener, failure = pcall(vim.ui.open, address)
  if not opened then
    return tostring(opener)
  end
  return not opener and (failure or 'no program opens addresses') or nil
end

---Shows the page; the address is told in any case, for a browser elsewhere.
---@param subject? table what it begins with; everything when absent
---@param view? 'blueprint'
function M.show(subject, view)
  local wish = vim.tbl_extend('force', subject or ask.about(), { view = view })
  ask.expect('viewAddress', wish, function(answer)
    if answer.ssh then
      return message.info(('pictures: run `%s` on your machine, then open %s there'):format(answer.ssh, answer.address))
    end
    local failure = open(answer.address)
    if failure then
      message.forget()
      message.error(('no browser was opened (%s); the pictures are at %s for a minute'):format(failure, answer.address))
    else
      message.brief('pictures at ' .. answer.address)
    end
  end)
end

return M
