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

---@param files string[]
---@param given table<string, string|true> what they are of
local function import(files, given)
  local question = { files = vim.tbl_map(function(file)
    return vim.fn.fnamemodify(file, ':p')
  end, files) }
  ask.send('importRecording', vim.tbl_extend('force', question, given), function(answer)
    if answer then
      tell(answer)
    end
  end)
end

---@param words string[] files, and what they are of as `program=`, `version=` and `instance=`
local function by_arguments(words)
  local files, about = {}, {}
  for _, word in ipairs(words) do
    local key = word:match('^(%a+)=')
    if key and vim.tbl_contains(KEYS, key) then
      about[#about + 1] = word
    else
      vim.list_extend(files, vim.fn.expand(word, false, true))
    end
  end
  import(files, arguments.read(about, KEYS) or {})
end

---Lets the user say which program was recorded, where neither settings nor what is shown tell; an empty answer leaves it to the server.
---@param take fun(about: table<string, string>)
local function ask_program(take)
  ask.send('status', {}, function(status)
    local project
    for _, source in ipairs(status and status.sources or {}) do
      if source.program then
        return take({})
      end
      project = project or source.project
    end
    vim.ui.input({ prompt = 'Program that was recorded: ', default = project }, function(program)
      if program then
        take(program ~= '' and { program = program } or {})
      end
    end)
  end)
end

---@param words string[] arguments of the command; without any, the user is asked for a file, and of what it is
function M.run(words)
  if #words > 0 then
    return by_arguments(words)
  end
  vim.ui.input({ prompt = 'Recording: ', completion = 'file' }, function(file)
    if not file or file == '' then
      return
    end
    ask_program(function(about)
      import(vim.fn.expand(file, false, true), about)
    end)
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
