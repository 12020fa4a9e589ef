-- Lets the user choose through vim.ui.select: one of several things, or any number of them.
local shown = require('insitu.shown')

local M = {}

---@generic T
---@param items T[]
---@param prompt string
---@param text fun(item: T): string
---@param take fun(item: T) not called when the user gives up
function M.one(items, prompt, text, take)
  local function line(item)
    return shown.name(text(item))
  end
  vim.ui.select(items, { prompt = prompt, kind = 'insitu', format_item = line }, function(item)
    if item ~= nil then
      take(item)
    end
  end)
end

---Asks again and again, each answer puts one in or takes it out, until the user is done.
---@param names string[]
---@param prompt string
---@param take fun(chosen: string[])
---@param text? fun(name: string): string how a name is written; default: as it is
function M.several(names, prompt, take, text)
  local chosen = {}
  local function ask()
    local done = {}
    local items = vim.list_extend({ done }, names)
    M.one(items, prompt, function(item)
      if item == done then
        return next(chosen) and 'done' or 'all of them'
      end
      return (chosen[item] and '[x] ' or '[ ] ') .. (text and text(item) or item)
    end, function(item)
      if item == done then
        return take(vim.tbl_filter(function(name)
          return chosen[name]
        end, names))
      end
      chosen[item] = not chosen[item] or nil
      ask()
    end)
  end
  ask()
end

return M
