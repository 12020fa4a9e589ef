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

---Whether a client answers what this plugin asks: a server of insitu's own, or one that stands behind `insitu lsp --wrap`.
---@param client vim.lsp.Client
---@return boolean
local function serves(client)
  local provider = client.server_capabilities and client.server_capabilities.executeCommandProvider
  local commands = type(provider) == 'table' and provider.commands or {}
  return client.name == M.NAME or vim.tbl_contains(commands, 'insitu.status')
end

---Whether a client that this plugin did not start serves all the same.
---@param client vim.lsp.Client
---@return boolean
function M.is_adopted(client)
  return client.name ~= M.NAME and serves(client)
end

---The clients that this plugin started.
---@param buffer? integer only those attached to it
---@return vim.lsp.Client[]
function M.own(buffer)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = buffer })
end

---The clients that answer this plugin: its own, and the clients that it has adopted.
---@param buffer? integer only those attached to it
---@return vim.lsp.Client[]
function M.all(buffer)
  return vim.tbl_filter(serves, vim.lsp.get_clients({ bufnr = buffer }))
end

---The adopted client of a buffer; nil where there is none.
---@param buffer integer
---@return vim.lsp.Client?
function M.adopted(buffer)
  return vim.tbl_filter(M.is_adopted, vim.lsp.get_clients({ bufnr = buffer }))[1]
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

---Whether an autocommand's client answers this plugin.
---@param id integer
---@return boolean
function M.is_ours(id)
  local client = vim.lsp.get_client_by_id(id)
  return client ~= nil and serves(client)
end

return M
