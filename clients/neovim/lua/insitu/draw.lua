-- Draws hints at their lines, as text, bars, signs or backgrounds; the marks move with the text while the server thinks.
local colours = require('insitu.colours')
local graphic = require('insitu.graphic')
local scale = require('insitu.scale')
local settings = require('insitu.settings')

local M = {}

M.namespace = vim.api.nvim_create_namespace('insitu.hints')

---Lower than the priorities of diagnostics, whose signs and colours tell of something that must be done.
local PRIORITY = 5

---@class insitu.Hint the part of a server's inlay hint that is drawn
---@field position { line: integer, character: integer }
---@field label string|{ value: string }[]
---@field data? { heat?: number, stale?: boolean, state?: string, change?: table }

---@class insitu.Look how the hints of one line are drawn
---@field text insitu.Chunk[]
---@field level integer step of the hottest
---@field stale boolean

---Marks of changed code, by buffer.
---@type table<integer, table<integer, true>>
local changed_marks = {}

---@param label string|{ value: string }[]
---@return string
local function text_of(label)
  if type(label) == 'string' then
    return label
  end
  local parts = {}
  for _, part in ipairs(label) do
    parts[#parts + 1] = part.value
  end
  return table.concat(parts)
end

---A hint's text in its colour; what it says of a change in the colour of that.
---@param text string
---@param group string
---@param change any
---@return insitu.Chunk[]
local function coloured(text, group, change)
  local told = type(change) == 'table' and change.text
  local first, last = nil, nil
  if told then
    first, last = text:find(told, 1, true)
  end
  if not first then
    return { { text, group } }
  end
  local chunks = { { text:sub(1, first - 1), group }, { told, colours.change_group(change) } }
  if last < #text then
    chunks[3] = { text:sub(last + 1), group }
  end
  return chunks
end

---@param hint insitu.Hint
---@return table
local function data_of(hint)
  return type(hint.data) == 'table' and hint.data or {}
end

---@param data table
---@return boolean
local function is_stale(data)
  return data.stale == true or data.state == 'changed'
end

---@param hint insitu.Hint
---@param level integer
---@return insitu.Chunk[]
local function chunks_of(hint, level)
  local data = data_of(hint)
  local group = (is_stale(data) and 'InsituStale' or 'InsituHeat') .. level
  local before, behind = {}, {}
  if settings.shows('bar') then
    before, behind = graphic.around(data, group)
  end
  local chunks = { { ' ' } }
  vim.list_extend(chunks, before)
  vim.list_extend(chunks, settings.shows('text') and coloured(text_of(hint.label), group, data.change) or {})
  return vim.list_extend(chunks, behind)
end

---How every line that has hints is drawn, by line number counted from 0.
---@param hints insitu.Hint[]
---@return table<integer, insitu.Look>
local function by_line(hints)
  local heats = vim.tbl_map(function(hint)
    return data_of(hint).heat or 0
  end, hints)
  local looks = {}
  for index, hint in ipairs(hints) do
    local level = scale.level(heats[index], heats)
    local look = looks[hint.position.line] or { text = {}, level = 0, stale = false }
    looks[hint.position.line] = look
    vim.list_extend(look.text, chunks_of(hint, level))
    look.level = math.max(look.level, level)
    look.stale = look.stale or is_stale(data_of(hint))
  end
  return looks
end

---Steps of heat of the marks, by buffer.
---@type table<integer, table<integer, integer>>
local levels = {}

---Hints from this step of heat on are hot spots.
local HOT_LEVEL = 3

---@param buffer integer
---@param line integer
---@param look insitu.Look
local function draw_line(buffer, line, look)
  local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  -- From the first visible character to the end: a line break typed before the code takes the mark along, and
  -- deleting the line takes the hint off the screen.
  local start = #text:match('^%s*')
  local stale = look.stale and 'Stale' or ''
  local fill = ('Insitu%sFill%d'):format(stale, look.level)
  local drawn = settings.shows('text') or settings.shows('bar')
  local mark = vim.api.nvim_buf_set_extmark(buffer, M.namespace, line, start, {
    end_row = line,
    end_col = #text,
    virt_text = drawn and look.text or nil,
    virt_text_pos = drawn and 'eol' or nil,
    hl_mode = 'combine',
    hl_group = settings.shows('background') and fill or nil,
    line_hl_group = settings.shows('line') and fill or nil,
    sign_text = settings.shows('sign') and '▌' or nil,
    sign_hl_group = settings.shows('sign') and ('Insitu%s%d'):format(look.stale and stale or 'Heat', look.level) or nil,
    priority = PRIORITY,
    invalidate = #text > start,
    undo_restore = true,
  })
  levels[buffer] = levels[buffer] or {}
  levels[buffer][mark] = look.level
  if look.stale then
    changed_marks[buffer] = changed_marks[buffer] or {}
    changed_marks[buffer][mark] = true
  end
end

---Replaces the marks between two lines by the given hints; those outside stay.
---@param buffer integer
---@param first integer first line, counted from 0
---@param last integer line after the last one
---@param hints insitu.Hint[]
function M.replace(buffer, first, last, hints)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, M.namespace, { first, 0 }, { last - 1, -1 }, {})) do
    for _, told in ipairs({ changed_marks[buffer] or {}, levels[buffer] or {} }) do
      told[mark[1]] = nil
    end
  end
  vim.api.nvim_buf_clear_namespace(buffer, M.namespace, first, last)
  local count = vim.api.nvim_buf_line_count(buffer)
  if first == 0 and last >= count then
    changed_marks[buffer] = nil
    levels[buffer] = nil
  end
  for line, look in pairs(by_line(hints)) do
    if line >= first and line < math.min(last, count) then
      draw_line(buffer, line, look)
    end
  end
end

---@param buffer integer
function M.clear(buffer)
  changed_marks[buffer] = nil
  levels[buffer] = nil
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, M.namespace, 0, -1)
  end
end

---How many lines of the buffer carry a hint, and how many of them stand at changed code.
---@param buffer integer
---@return integer
---@return integer
function M.count(buffer)
  local marks = vim.api.nvim_buf_get_extmarks(buffer, M.namespace, 0, -1, {})
  local changed = 0
  for _, mark in ipairs(marks) do
    if changed_marks[buffer] and changed_marks[buffer][mark[1]] then
      changed = changed + 1
    end
  end
  return #marks, changed
end

---The lines with a hot hint, from top to bottom, counted from 0; the lines with any hint where none is hot.
---@param buffer integer
---@return integer[]
function M.hot_lines(buffer)
  local all, hot = {}, {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, M.namespace, 0, -1, { details = true })) do
    if not mark[4].invalid then
      all[#all + 1] = mark[2]
      if ((levels[buffer] or {})[mark[1]] or 0) >= HOT_LEVEL then
        hot[#hot + 1] = mark[2]
      end
    end
  end
  return #hot > 0 and hot or all
end

return M
