-- :Insitu top: the hottest methods as a quickfix list, or to pick one from.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local message = require('insitu.message')
local place = require('insitu.place')
local settings = require('insitu.settings')

local M = {}

local USUAL_ROWS = 50

---The arguments of `:Insitu top`.
M.arguments = { 'by=own', 'by=self', 'by=total', 'limit=', 'pick', 'platform', 'quickfix' }

---Begins with what the list is sorted by.
---@param row { method: table, total: table, self: table, own: table, change?: table }
---@param by 'own'|'self'|'total'
---@return string
local function text_of(row, by)
  local change = type(row.change) == 'table' and '  ' .. row.change.text or ''
  if by == 'total' then
    return ('%s · self %s%s  %s'):format(row.total.text, row.self.text, change, row.method.label)
  end
  return ('%s %s · %s%s  %s'):format(by, row[by].text, row.total.text, change, row.method.label)
end

local TITLES = {
  own = 'insitu: methods of own code with the libraries that they call',
  self = 'insitu: methods by their self time',
  total = 'insitu: methods with what they call',
}

---Dims the platform's methods in the quickfix list whenever its buffer is filled.
local function dim_platform()
  local namespace = vim.api.nvim_create_namespace('insitu.top')
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('insitu.top', {}),
    pattern = 'qf',
    callback = function(event)
      if vim.fn.getqflist({ qfbufnr = 0 }).qfbufnr ~= event.buf then
        return
      end
      vim.api.nvim_buf_clear_namespace(event.buf, namespace, 0, -1)
      for index, item in ipairs(vim.fn.getqflist()) do
        if type(item.user_data) == 'table' and item.user_data.insitu == 'platform' then
          local mark = { end_row = index, hl_group = 'InsituNote', invalidate = true }
          vim.api.nvim_buf_set_extmark(event.buf, namespace, index - 1, 0, mark)
        end
      end
    end,
  })
end

---@param row { method: table, isPlatform: boolean }
---@param by 'own'|'self'|'total'
---@return table entry of a quickfix list; one without a source is a mere text
local function entry_of(row, by)
  local location = row.method.location
  local user_data = row.isPlatform == true and { insitu = 'platform' } or nil
  if type(location) ~= 'table' then
    return { text = text_of(row, by), valid = 0, user_data = user_data }
  end
  local start = location.range.start
  return {
    filename = vim.uri_to_fname(location.uri),
    lnum = start.line + 1,
    col = start.character + 1,
    text = (row.method.certain == false and '~' or '') .. text_of(row, by),
    user_data = user_data,
  }
end

---@param rows table[]
---@param by 'own'|'self'|'total'
local function list(rows, by)
  local items = vim.tbl_map(function(row)
    return entry_of(row, by)
  end, rows)
  vim.fn.setqflist({}, ' ', { title = TITLES[by], items = items })
  dim_platform()
  vim.cmd('botright copen')
end

---@param rows table[]
---@param by 'own'|'self'|'total'
local function pick(rows, by)
  choose.one(rows, 'Go to', function(row)
    if by ~= 'total' then
      return ('%s  %s'):format(text_of(row, by), place.text(row.method))
    end
    return ('%6s  %s  %s'):format(row.total.text, row.method.label, place.text(row.method))
  end, function(row)
    if type(row.method.location) == 'table' then
      return place.show(row.method.location)
    end
    message.info(('%s has no source in this workspace'):format(row.method.label))
  end)
end

---@param words string[] arguments of the command
function M.show(words)
  local given = arguments.read(words, { 'by', 'limit' }, { 'pick', 'platform', 'quickfix' })
  if not given then
    return
  end
  local question = ask.about()
  question.sort = given.by or given.platform and 'self' or 'own'
  question.limit = tonumber(given.limit) or USUAL_ROWS
  question.platform = given.platform or question.sort == 'self'
  local way = given.pick and 'pick' or given.quickfix and 'quickfix' or settings.current.top
  ask.send('top', question, function(answer, client)
    local rows = answer and answer.rows or {}
    if #rows == 0 then
      return message.info(require('insitu.data').empty_text(client.id))
    end
    (way == 'pick' and pick or list)(rows, question.sort)
  end)
end

return M
