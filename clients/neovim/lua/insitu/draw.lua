-- Draws hints as virtual text at the ends of lines; the marks move with the text while the server thinks.
local colours = require('insitu.colours')

local M = {}

M.namespace = vim.api.nvim_create_namespace('insitu.hints')

---@class insitu.Hint the part of a server's inlay hint that is drawn
---@field position { line: integer, character: integer }
---@field label string|{ value: string }[]
---@field data? { heat?: number, stale?: boolean }

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

---Virtual text of every line that has hints, by line number counted from 0.
---@param hints insitu.Hint[]
---@return table<integer, string[][]>
local function by_line(hints)
  local lines = {}
  for _, hint in ipairs(hints) do
    local chunks = lines[hint.position.line] or {}
    lines[hint.position.line] = chunks
    local data = type(hint.data) == 'table' and hint.data or {}
    chunks[#chunks + 1] = { ' ' }
    chunks[#chunks + 1] = { text_of(hint.label), data.stale == true and 'InsituStale' or colours.group(data.heat) }
  end
  return lines
end

---Replaces the marks between two lines by the given hints; those outside stay.
---@param buffer integer
---@param first integer first line, counted from 0
---@param last integer line after the last one
---@param hints insitu.Hint[]
function M.replace(buffer, first, last, hints)
  vim.api.nvim_buf_clear_namespace(buffer, M.namespace, first, last)
  local count = vim.api.nvim_buf_line_count(buffer)
  for line, chunks in pairs(by_line(hints)) do
    if line >= first and line < math.min(last, count) then
      local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
      -- From the first visible character to the end: a line break typed before the code takes the mark along, and
      -- deleting the line takes the hint off the screen.
      local start = #text:match('^%s*')
      vim.api.nvim_buf_set_extmark(buffer, M.namespace, line, start, {
        end_row = line,
        end_col = #text,
        virt_text = chunks,
        virt_text_pos = 'eol',
        hl_mode = 'combine',
        invalidate = #text > start,
        undo_restore = true,
      })
    end
  end
end

---@param buffer integer
function M.clear(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, M.namespace, 0, -1)
  end
end

---How many lines of the buffer carry a hint.
---@param buffer integer
---@return integer
function M.count(buffer)
  return #vim.api.nvim_buf_get_extmarks(buffer, M.namespace, 0, -1, {})
end

return M
