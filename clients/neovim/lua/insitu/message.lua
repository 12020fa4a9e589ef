-- Messages to the user: one line each, always named insitu, and the same trouble only once.
local M = {}

---Troubles already told.
---@type table<string, true>
local told = {}

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
