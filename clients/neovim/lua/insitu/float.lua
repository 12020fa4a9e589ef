-- A floating window of coloured lines near the cursor, as large as its text and the screen allow; it closes when it is left.
local settings = require('insitu.settings')
local shown = require('insitu.shown')

local M = {}

local namespace = vim.api.nvim_create_namespace('insitu.float')

---@class insitu.Float
---@field buffer integer
---@field window integer
---@field came_from integer window that was current before
---@field anchor { row: integer, column: integer } the cursor's cell on the screen, counted from 1
---@field texts string[] the lines as they stand in the buffer
local Float = {}
Float.__index = Float

---Cells that the border takes of a line or a column.
---@return integer
local function border_cells()
  local border = settings.current.border or (vim.fn.exists('+winborder') == 1 and vim.o.winborder) or ''
  return (border == '' or border == 'none') and 0 or 2
end

---The longest text that fits into one line of a window.
---@return integer
function M.widest()
  return vim.o.columns - border_cells()
end

---Lines whose texts are safe to show: they hold names from recordings.
---@param lines insitu.Chunk[][]
---@return insitu.Chunk[][]
local function safe(lines)
  return vim.tbl_map(function(chunks)
    return vim.tbl_map(function(chunk)
      return { shown.line(chunk[1]), chunk[2] }
    end, chunks)
  end, lines)
end

---@param lines insitu.Chunk[][]
---@return string[]
local function texts_of(lines)
  return vim.tbl_map(function(chunks)
    local parts = vim.tbl_map(function(chunk)
      return (chunk[1]:gsub('%c', ' '))
    end, chunks)
    return ' ' .. table.concat(parts) .. ' '
  end, lines)
end

---Where the window stands for these lines: below the cursor, above it, or, where both are too small, over it.
---@param texts string[]
---@return vim.api.keyset.win_config
function Float:place(texts)
  local border = border_cells()
  local rows = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0)
  local width = 1
  for _, text in ipairs(texts) do
    width = math.max(width, vim.fn.strdisplaywidth(text))
  end
  width = math.max(math.min(width, M.widest()), 1)
  local height = math.max(math.min(#texts, rows - border), 1)
  local row = self.anchor.row
  if row + height + border > rows then
    local above = self.anchor.row - 1 - height - border
    row = above >= 0 and above or math.max(rows - height - border, 0)
  end
  local column = math.max(math.min(self.anchor.column - 1, vim.o.columns - width - border), 0)
  return { relative = 'editor', row = row, col = column, width = width, height = height }
end

---@param lines insitu.Chunk[][]
---@param texts string[]
function Float:fill(lines, texts)
  vim.bo[self.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, texts)
  vim.bo[self.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(self.buffer, namespace, 0, -1)
  for number, chunks in ipairs(lines) do
    local start = 1
    for _, chunk in ipairs(chunks) do
      local groups = type(chunk[2]) == 'table' and chunk[2] or { chunk[2] }
      for _, group in ipairs(groups --[[@as string[] ]]) do
        vim.api.nvim_buf_set_extmark(self.buffer, namespace, number - 1, start, {
          end_col = start + #chunk[1],
          hl_group = group,
          hl_mode = 'combine',
        })
      end
      start = start + #chunk[1]
    end
  end
end

---Shows other lines, in a window as large as these need.
---@param lines insitu.Chunk[][]
function Float:show(lines)
  if not vim.api.nvim_win_is_valid(self.window) then
    return
  end
  lines = safe(lines)
  local texts = texts_of(lines)
  self.texts = texts
  self:fill(lines, texts)
  vim.api.nvim_win_set_config(self.window, self:place(texts))
end

function Float:close()
  if vim.api.nvim_win_is_valid(self.window) then
    vim.api.nvim_win_close(self.window, true)
  end
end

---Closes the window and shows a place in the one that was current before.
---@param location { uri: string, range: table }
function Float:jump(location)
  self:close()
  if vim.api.nvim_win_is_valid(self.came_from) then
    vim.api.nvim_set_current_win(self.came_from)
  end
  require('insitu.place').show(location)
end

---@param float insitu.Float
local function follow(float)
  local group = vim.api.nvim_create_augroup('insitu.float.' .. float.buffer, {})
  vim.api.nvim_create_autocmd('WinLeave', {
    group = group,
    buffer = float.buffer,
    callback = vim.schedule_wrap(function()
      float:close()
    end),
  })
  vim.api.nvim_create_autocmd('VimResized', {
    group = group,
    callback = function()
      if vim.api.nvim_win_is_valid(float.window) then
        vim.api.nvim_win_set_config(float.window, float:place(float.texts))
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = float.buffer,
    callback = function()
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
end

---Opens a window with lines in it and goes there. `q` and `<Esc>` close it.
---@param lines insitu.Chunk[][]
---@param keys? table<string, fun(float: insitu.Float, line: integer)> what other keys do in a line, counted from 1
---@return insitu.Float
function M.open(lines, keys)
  local place = vim.fn.screenpos(0, vim.fn.line('.'), vim.fn.col('.'))
  lines = safe(lines)
  local float = setmetatable({
    buffer = vim.api.nvim_create_buf(false, true),
    came_from = vim.api.nvim_get_current_win(),
    anchor = { row = math.max(place.row, 1), column = math.max(place.col, 1) },
    texts = texts_of(lines),
  }, Float)
  vim.bo[float.buffer].bufhidden = 'wipe'
  float:fill(lines, float.texts)
  local config = float:place(float.texts)
  config.style = 'minimal'
  config.border = settings.current.border
  float.window = vim.api.nvim_open_win(float.buffer, true, config)
  vim.wo[float.window].wrap = false
  vim.wo[float.window].cursorline = keys ~= nil
  vim.bo[float.buffer].filetype = 'insitu'
  local function on(key, action)
    vim.keymap.set('n', key, action, { buffer = float.buffer, nowait = true, silent = true })
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    on(key, function()
      float:close()
    end)
  end
  for key, action in pairs(keys or {}) do
    on(key, function()
      action(float, vim.fn.line('.'))
    end)
  end
  follow(float)
  return float
end

return M
