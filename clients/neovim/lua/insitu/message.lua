-- Messages to the user: always named insitu, as short as they can be, and the same trouble only once.
local shown = require('insitu.shown')

local M = {}

---Troubles already told.
---@type table<string, true>
local told = {}

---@param text string
---@param level integer one of vim.log.levels
local function show(text, level)
  vim.schedule(function()
    vim.notify('insitu: ' .. shown.lines(shown.in_words(text)), level, { title = 'insitu' })
  end)
end

---As much of a message as fits on the screen without a question to press Enter.
---@param text string
---@return string
local function in_a_line(text)
  local room = vim.v.echospace - #'insitu: '
  if room < 2 or vim.fn.strdisplaywidth(text) <= room then
    return text
  end
  return vim.fn.strcharpart(text, 0, room - 1) .. '…'
end

---@param text string
function M.info(text)
  show(text, vim.log.levels.INFO)
end

---Told in one line, cut where the screen is narrow: nobody should have to press Enter for what :Insitu says in full.
---@param text string
function M.brief(text)
  show(in_a_line(text), vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  if not told[text] then
    told[text] = true
    show(text, vim.log.levels.WARN)
  end
end

---@param text string
function M.error(text)
  if not told[text] then
    told[text] = true
    show(text, vim.log.levels.ERROR)
  end
end

---Lets the same trouble be told again, after the user asked for another attempt.
function M.forget()
  told = {}
end

return M
