-- :Insitu path: only the stacks of a query by call paths count; hints follow it while it is typed.
local ask = require('insitu.ask')
local client_of = require('insitu.client')
local data = require('insitu.data')

local M = {}

---So long after the last key what was typed is shown.
local TYPING_PAUSE_MS = 150
local MOST_NAMES = 50
---Hints come after the answer; Neovim draws nothing by itself while a command line is open.
local REDRAW_AFTER_MS = { 50, 200, 500, 1000 }

---The text behind `:Insitu path`; nil where another command is typed.
---@param line string
---@return string?
local function typed_path(line)
  return line:match('^%s*Insitu%s+path%s+(.*)$')
end

---@class insitu.FollowedPath
---@field client vim.lsp.Client
---@field before string|userdata what was shown before it was typed
---@field sent? string what was asked for last
---@field request? integer
---@type insitu.FollowedPath?
local followed

---@type uv.uv_timer_t?
local timer

local function redraw()
  if vim.fn.getcmdtype() == ':' then
    vim.cmd.redraw()
  end
end

---Shows the path; a request before it that has no answer yet is cancelled. A mistake leaves what is shown.
---@param path string|userdata
local function show(path)
  if not followed or followed.sent == path then
    return
  end
  local client = followed.client
  if followed.request then
    client_of.call(client, 'cancel_request', followed.request)
  end
  followed.sent = path
  local wish = vim.tbl_extend('force', ask.about(), { path = path })
  local _, request = client_of.call(client, 'request', 'insitu/select', wish, function(failure)
    if followed and followed.sent == path then
      followed.request = nil
    end
    if not failure then
      for _, millis in ipairs(REDRAW_AFTER_MS) do
        vim.defer_fn(redraw, millis)
      end
    end
  end)
  followed.request = request
end

local function stop_timer()
  if timer then
    timer:stop()
    timer:close()
    timer = nil
  end
end

---After each key of the command line.
local function typed()
  local path = typed_path(vim.fn.getcmdline())
  local client = path and (followed and followed.client or ask.client())
  if not path or not client then
    return
  end
  followed = followed or { client = client, before = data.shown_path(client) or vim.NIL }
  stop_timer()
  timer = vim.defer_fn(function()
    timer = nil
    show(vim.trim(path) == '' and followed.before or vim.trim(path))
  end, TYPING_PAUSE_MS)
end

---The command line is left: what was typed is run next, or was given up.
local function left()
  stop_timer()
  if followed and vim.v.event.abort then
    show(followed.before)
  end
  followed = nil
end

---Shows what is typed as a path while it is typed.
function M.follow()
  local group = vim.api.nvim_create_augroup('insitu.path', {})
  vim.api.nvim_create_autocmd('CmdlineChanged', { group = group, pattern = ':', callback = typed })
  vim.api.nvim_create_autocmd('CmdlineLeave', { group = group, pattern = ':', callback = left })
end

---@param path string a query by call paths; nothing shows all stacks again
function M.run(path)
  ask.send('select', vim.tbl_extend('force', ask.about(), { path = path == '' and vim.NIL or path }), data.looked_at)
end

---Names that the query may go on with, each with what was typed before it of the argument.
---@param argument string the last word that was typed
---@param line string the command line up to the cursor
---@return string[]
function M.complete(argument, line)
  local query = typed_path(line) or ''
  local answer = ask.wait('completePath', vim.tbl_extend('force', ask.about(), { query = query, limit = MOST_NAMES }))
  if not answer then
    return {}
  end
  local kept = query:sub(1, vim.str_byteindex(query, answer.from, true)):sub(#query - #argument + 1)
  return vim.tbl_map(function(name)
    return kept .. name.text
  end, answer.names)
end

return M
