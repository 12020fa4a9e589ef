-- Follows what the server says it is doing (`$/progress`), so that the status line can tell how far loading is.
local client_of = require('insitu.client')

local M = {}

---@class insitu.Work
---@field title string
---@field percentage? integer

---Work under way, by client and token.
---@type table<integer, table<string|integer, insitu.Work>>
local under_way = {}

---@param client_id integer
---@param token string|integer
---@param value { kind: string, title?: string, percentage?: integer }
local function follow(client_id, token, value)
  local works = under_way[client_id] or {}
  under_way[client_id] = works
  if value.kind == 'end' then
    works[token] = nil
  else
    local known = works[token] or {}
    works[token] = { title = value.title or known.title or '', percentage = value.percentage or known.percentage }
  end
end

---The present work of a client: any one of its works, or nil.
---@param client_id integer
---@return insitu.Work?
function M.of(client_id)
  local _, work = next(under_way[client_id] or {})
  return work
end

---Listens from now on.
function M.install()
  local group = vim.api.nvim_create_augroup('insitu.progress', {})
  vim.api.nvim_create_autocmd('LspProgress', {
    group = group,
    callback = function(event)
      local params = event.data.params
      if client_of.is_ours(event.data.client_id) and type(params.value) == 'table' then
        follow(event.data.client_id, params.token, params.value)
        require('insitu.status').changed()
      end
    end,
  })
end

return M
