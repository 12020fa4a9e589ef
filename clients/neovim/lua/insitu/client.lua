-- Speaks to the running server through Neovim's client object, whose methods are called differently in 0.10.
local M = {}

M.NAME = 'insitu'

local has_methods = vim.fn.has('nvim-0.11') == 1

---Calls a method of a client in the way its version wants.
---@param client vim.lsp.Client
---@param method string
function M.call(client, method, ...)
  if has_methods then
    return client[method](client, ...)
  end
  return client[method](...)
end

---The clients of this plugin; with a buffer, those attached to it.
---@param buffer? integer
---@return vim.lsp.Client[]
function M.all(buffer)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = buffer })
end

---The client that serves a buffer and can be asked, or nil.
---@param buffer integer
---@return vim.lsp.Client?
function M.of(buffer)
  for _, client in ipairs(M.all(buffer)) do
    if client.initialized and not M.call(client, 'is_stopped') then
      return client
    end
  end
  return nil
end

---Whether an autocommand's client belongs to this plugin.
---@param id integer
---@return boolean
function M.is_ours(id)
  local client = vim.lsp.get_client_by_id(id)
  return client ~= nil and client.name == M.NAME
end

return M
