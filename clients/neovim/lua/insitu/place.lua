-- Places of methods in the sources: written short, and shown in the current window.
local ask = require('insitu.ask')

local M = {}

---`Shop.java:63`, with a `~` where it is not certain; that there is no source where there is none.
---@param method { location?: table, certain?: boolean }
---@return string
function M.text(method)
  local location = method.location
  if type(location) ~= 'table' then
    return 'no source'
  end
  local name = vim.fs.basename(vim.uri_to_fname(location.uri))
  return ('%s%s:%d'):format(method.certain == false and '~' or '', name, location.range.start.line + 1)
end

---Goes there; the jump list leads back.
---@param location { uri: string, range: table }
function M.show(location)
  local client = ask.client()
  vim.lsp.util.show_document(location, client and client.offset_encoding or 'utf-16', { focus = true })
end

---Goes to a method in the window that a float came from, or says that it has no source here.
---@param float insitu.Float
---@param method table
function M.jump(float, method)
  if type(method.location) == 'table' then
    return float:jump(method.location)
  end
  require('insitu.message').info(('%s has no source in this workspace'):format(method.label))
end

return M
