-- Says in words how insitu stands: a few for the status line, a few lines for :Insitu status.
local client_of = require('insitu.client')
local settings = require('insitu.settings')
local shown = require('insitu.shown')

local M = {}

---Longer names are cut in the status line.
local MOST_LETTERS = 24

---How many hints a buffer has, and how many of them stand at changed code (which Neovim's own drawing does not tell).
---@param buffer integer
---@return integer
---@return integer
local function count_hints(buffer)
  local drawn, changed = require('insitu.draw').count(buffer)
  -- The setting `native` holds from the next start: until then, hints stand as the plugin has drawn them.
  if settings.current.native and drawn == 0 then
    return #vim.lsp.inlay_hint.get({ bufnr = buffer }), 0
  end
  return drawn, changed
end

---@param count integer
---@param changed integer
---@return string
local function hints_in_words(count, changed)
  local hints = count == 1 and '1 hint' or ('%d hints'):format(count)
  return changed > 0 and ('%s, %d at changed code'):format(hints, changed) or hints
end

---Without packages, and cut where it is still long.
---@param text string
---@return string
local function shortened(text)
  text = shown.name(text):gsub('%f[%w_][%l%d_.]+%.(%u)', '%1')
  return vim.fn.strchars(text) > MOST_LETTERS and vim.fn.strcharpart(text, 0, MOST_LETTERS - 1) .. '…' or text
end

---The focus and the baseline of the shares, where the user chose them.
---@param client_id integer
---@return string
local function view_in_words(client_id)
  local view = require('insitu.data').view(client_id)
  local focus = view.focus and ' of ' .. shortened(view.focus) or ''
  return focus .. (view.baseline and ' vs ' .. shortened((view.baseline:gsub('^version ', ''))) or '')
end

---@param work insitu.Work
---@return string
local function work_in_words(work)
  local title = work.title == '' and 'working' or work.title:gsub('^insitu:? *', '')
  return work.percentage and ('%s %d%%'):format(title, work.percentage) or title
end

---The data that an attached server has for a buffer, or its present work.
---@param client vim.lsp.Client
---@param buffer integer
---@return string
local function state_in_words(client, buffer)
  local work = require('insitu.progress').of(client.id)
  if work then
    return 'insitu: ' .. work_in_words(work)
  end
  local emptying = require('insitu.data').emptying_part(client.id)
  if emptying then
    return 'insitu: nothing with ' .. shortened(emptying)
  end
  if require('insitu.data').is_missing(client.id) then
    return 'insitu: no data'
  end
  local hints = settings.current.hints and hints_in_words(count_hints(buffer)) or 'hints off'
  return 'insitu: ' .. hints .. view_in_words(client.id)
end

---The part of the status line that speaks of a buffer; empty where no server is attached.
---@param buffer integer
---@return string
function M.line(buffer)
  local client = client_of.all(buffer)[1]
  if not client then
    return ''
  end
  if not client.initialized then
    return 'insitu: starting'
  end
  local mark = require('insitu.data').is_recording(client.id) and ' ● rec' or ''
  return state_in_words(client, buffer) .. mark
end

---Draws the status line anew; called whenever what it says may have changed.
function M.changed()
  vim.schedule(function()
    vim.cmd.redrawstatus({ bang = true })
  end)
end

---The lines of `:Insitu status`.
---@param buffer integer
---@return string[]
function M.report(buffer)
  local lines = {}
  for _, client in ipairs(client_of.all()) do
    local info = client.server_info or {}
    local work = require('insitu.progress').of(client.id)
    lines[#lines + 1] = ('insitu: server %s runs in %s%s'):format(
      client_of.is_adopted(client) and ('behind "%s"'):format(client.name) or info.version or '(version unknown)',
      client.config.root_dir or vim.fn.getcwd(),
      work and ', ' .. work_in_words(work) or ''
    )
    vim.list_extend(lines, require('insitu.data').lines(client.id))
  end
  if #lines == 0 then
    local command, problem = require('insitu.command').find()
    local failure = command and require('insitu.failure').of(command.argv)
    problem = failure and failure .. ' (:Insitu start tries again)' or problem
    lines[1] = 'insitu: ' .. (problem or 'no server runs; it starts with a Java file or with :Insitu start')
  end
  local shown = settings.current.hints and hints_in_words(count_hints(buffer)) or 'hints are off (:Insitu enable)'
  lines[#lines + 1] = 'insitu: this buffer: ' .. (client_of.of(buffer) and shown or 'no server attached')
  return lines
end

return M
