-- The text of a method as two versions recorded it, in a tab with both beside each other.
local ask = require('insitu.ask')
local shown = require('insitu.shown')

local M = {}

---@class insitu.RecordedSide
---@field version string
---@field lines string[]
---@field missing? { message: string, remedy: string }

---A buffer with a side's text, or with why it is not known.
---@param name string
---@param side insitu.RecordedSide
---@return integer
local function buffer_of(name, side)
  local buffer = vim.api.nvim_create_buf(false, true)
  local missing = type(side.missing) == 'table' and side.missing or nil
  local lines = missing and { ('// %s: %s'):format(missing.message, missing.remedy) } or side.lines
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.tbl_map(shown.line, lines))
  pcall(vim.api.nvim_buf_set_name, buffer, shown.line(('%s of %s [%d]'):format(name, side.version, buffer)))
  vim.bo[buffer].filetype = 'java'
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = buffer, nowait = true, silent = true })
  return buffer
end

---@param method { label: string, className: string, name: string, descriptor?: string }
function M.show(method)
  local wish = vim.tbl_extend('force', ask.about(), { method = require('insitu.subject').name_of(method) })
  ask.expect('comparedSource', wish, function(answer)
    vim.cmd.tabnew()
    vim.bo.bufhidden = 'wipe'
    vim.api.nvim_win_set_buf(0, buffer_of(method.label, answer.before))
    vim.cmd.diffthis()
    vim.cmd('rightbelow vsplit')
    vim.api.nvim_win_set_buf(0, buffer_of(method.label, answer.now))
    vim.cmd.diffthis()
  end)
end

return M
