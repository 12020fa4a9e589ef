-- :Insitu import: puts recordings of this machine into the store; the status line tells how far it is.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local message = require('insitu.message')

local M = {}

local KEYS = { 'instance', 'program', 'version' }

---@param answer { imported: integer, problems: string[] }
local function tell(answer)
  local count = answer.imported
  message.forget()
  message.info(('imported %d recording%s'):format(count, count == 1 and '' or 's'))
  for _, problem in ipairs(answer.problems or {}) do
    message.warn(problem)
  end
end

---@param words string[] files, and what they are of as `program=`, `version=` and `instance=`
local function import(words)
  local files, about = {}, {}
  for _, word in ipairs(words) do
    local key = word:match('^(%a+)=')
    if key and vim.tbl_contains(KEYS, key) then
      about[#about + 1] = word
    else
      vim.list_extend(files, vim.fn.expand(word, false, true))
    end
  end
  local given = arguments.read(about, KEYS) or {}
  local question = { files = vim.tbl_map(function(file)
    return vim.fn.fnamemodify(file, ':p')
  end, files) }
  ask.send('importRecording', vim.tbl_extend('force', question, given), function(answer)
    if answer then
      tell(answer)
    end
  end)
end

---@param words string[] arguments of the command; without any, the user is asked for a file
function M.run(words)
  if #words > 0 then
    return import(words)
  end
  vim.ui.input({ prompt = 'Recording: ', completion = 'file' }, function(file)
    if file and file ~= '' then
      import({ file })
    end
  end)
end

---@param typed string
---@return string[]
function M.complete(typed)
  local keys = vim.tbl_filter(function(key)
    return typed ~= '' and vim.startswith(key, typed)
  end, vim.tbl_map(function(key)
    return key .. '='
  end, KEYS))
  return vim.list_extend(keys, vim.fn.getcompletion(typed, 'file'))
end

return M
