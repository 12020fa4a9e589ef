-- Messages to the user: one line each, always named insitu, and never the same trouble twice in a row.
local M = {}

---@type string?
local last_trouble

---@param text string
---@param level integer one of vim.log.levels
local function show(text, level)
  vim.schedule(function()
    vim.notify('insitu: ' .. text, level, { title = 'insitu' })
  end)
end

---@param text string
function M.info(text)
  show(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  if text ~= last_trouble then
    last_trouble = text
    show(text, vim.log.levels.WARN)
  end
end

---@param text string
function M.error(text)
  if text ~= last_trouble then
    last_trouble = text
    show(text, vim.log.levels.ERROR)
  end
end

---Lets the same trouble be told again, after the user asked for another attempt.
function M.forget()
  last_trouble = nil
end

return M
