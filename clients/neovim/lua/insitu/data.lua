-- Knows what the server has to show for the open files, and tells why where that is nothing.
local client_of = require('insitu.client')

local M = {}

---@class insitu.Source one program of one store
---@field state 'loading'|'ready'|'none'
---@field problems string[] each one line
---@field text string one line about it

---@class insitu.Status answer of the server's command insitu.status
---@field sources insitu.Source[]
---@field text string

---@type table<integer, insitu.Status> by client
local latest = {}

---@param status insitu.Status
local function tell_troubles(status)
  for _, source in ipairs(status.sources) do
    if source.state == 'none' then
      require('insitu.message').warn(source.problems[1] or source.text)
    end
  end
end

---Asks a server what it has to show; tells the user once where that is nothing. A server that does not know is left alone.
---@param client vim.lsp.Client
function M.ask(client)
  local question = { command = 'insitu.status', arguments = { { quiet = true } } }
  client_of.call(client, 'request', 'workspace/executeCommand', question, function(failure, status)
    if failure or type(status) ~= 'table' or type(status.sources) ~= 'table' then
      return
    end
    latest[client.id] = status
    tell_troubles(status)
    require('insitu.status').changed()
  end)
end

---Whether a server said that it has nothing to show for any open file.
---@param client_id integer
---@return boolean
function M.is_missing(client_id)
  local sources = latest[client_id] and latest[client_id].sources or {}
  return #sources > 0
    and vim.iter(sources):all(function(source)
      return source.state == 'none'
    end)
end

---What a server said last, line by line.
---@param client_id integer
---@return string[]
function M.lines(client_id)
  return latest[client_id] and vim.split(latest[client_id].text, '\n') or {}
end

return M
