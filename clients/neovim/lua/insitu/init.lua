-- The functions for users: setup, the statusline part, and the functions behind :Insitu.
local M = {}

---Changes settings; every key is optional, and calling it again changes only what it names.
---Takes options: the options of drawing hold at once, the server's from its next start (`:Insitu restart`).
---@param options? insitu.Options
function M.setup(options)
  require('insitu.settings').change(options or {})
  require('insitu.server').settings_changed()
  require('insitu.hints').refresh()
  for _, client in ipairs(require('insitu.client').all()) do
    require('insitu.lenses').refresh(client)
  end
end

---A short text for the status line about the current window's buffer: empty where insitu has nothing to do.
---@return string
function M.statusline()
  return require('insitu.status').line(vim.api.nvim_get_current_buf())
end

---Starts the server for all open Java buffers, and for those opened later.
function M.start()
  require('insitu.message').forget()
  require('insitu.server').start()
end

---Stops the server; it stays away until `start`.
function M.stop()
  require('insitu.server').stop()
end

---Stops the server and starts it anew.
function M.restart()
  require('insitu.message').forget()
  require('insitu.server').restart()
end

---Asks the server anew for the hints of every visible buffer.
function M.refresh()
  require('insitu.hints').refresh()
end

---Shows or hides the hints; the server runs on.
---@param shown? boolean default: true
function M.enable(shown)
  require('insitu.settings').change({ hints = shown ~= false })
  require('insitu.hints').refresh()
end

---Shows the hints when they are hidden, and hides them when they are shown.
function M.toggle()
  M.enable(not require('insitu.settings').current.hints)
end

---Goes to a hot spot of the current buffer; the first one follows the last.
---@param step integer 1 for down, -1 for up
---@param count integer how many further
local function go_along(step, count)
  local lines = require('insitu.draw').hot_lines(vim.api.nvim_get_current_buf())
  if #lines == 0 then
    return require('insitu.message').info('no hint stands in this buffer')
  end
  local here = vim.api.nvim_win_get_cursor(0)[1] - 1
  -- The number of lines before the cursor, which may stand on one of them.
  local before = #vim.tbl_filter(function(line)
    return step > 0 and line <= here or line < here
  end, lines)
  local index = step > 0 and before + count or before - count + 1
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { lines[(index - 1) % #lines + 1] + 1, 0 })
  vim.cmd('normal! ^')
end

---@param step integer
local function go_to_hot_spot(step)
  local buffer, count = vim.api.nvim_get_current_buf(), vim.v.count1
  local cursor, tick = vim.api.nvim_win_get_cursor(0), vim.api.nvim_buf_get_changedtick(buffer)
  require('insitu.hints').with_all(buffer, function()
    -- Hints may come late. The cursor stays where the user has put it meanwhile.
    local is_there = vim.api.nvim_get_current_buf() == buffer
      and vim.api.nvim_buf_get_changedtick(buffer) == tick
      and vim.deep_equal(vim.api.nvim_win_get_cursor(0), cursor)
    if is_there then
      go_along(step, count)
    end
  end)
end

---Goes to the next hot spot: a line whose hint has at least the third step of heat, or any hint where none is that hot.
function M.next_hot_spot()
  go_to_hot_spot(1)
end

---Goes to the hot spot before.
function M.previous_hot_spot()
  go_to_hot_spot(-1)
end

return M
