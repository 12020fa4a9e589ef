-- The :Insitu command: one word says what to do, and Tab completes it.
local M = {}

---What each word does.
---@type table<string, fun()>
local words = {
  start = function()
    require('insitu').start()
  end,
  stop = function()
    require('insitu').stop()
  end,
  restart = function()
    require('insitu').restart()
  end,
  refresh = function()
    require('insitu').refresh()
  end,
  enable = function()
    require('insitu').enable(true)
  end,
  disable = function()
    require('insitu').enable(false)
  end,
  toggle = function()
    require('insitu').toggle()
  end,
  status = function()
    local lines = require('insitu.status').report(vim.api.nvim_get_current_buf())
    vim.api.nvim_echo({ { table.concat(lines, '\n') } }, true, {})
  end,
}

---The words that begin like `start`, sorted.
---@param start string
---@return string[]
local function completions(start)
  local fitting = vim.tbl_filter(function(word)
    return vim.startswith(word, start)
  end, vim.tbl_keys(words))
  table.sort(fitting)
  return fitting
end

---Defines the command.
function M.install()
  vim.api.nvim_create_user_command('Insitu', function(call)
    local word = call.fargs[1] or 'status'
    if words[word] then
      words[word]()
    else
      require('insitu.message').forget()
      local known = table.concat(completions(''), ', ')
      require('insitu.message').error(('":Insitu %s" is unknown; known are %s'):format(word, known))
    end
  end, { nargs = '?', complete = completions, desc = 'Start, stop, show or hide insitu' })
end

return M
