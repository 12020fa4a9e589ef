-- :Insitu import: puts recordings of this machine into the store; the status line tells how far it is.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local message = require('insitu.message')

local M = {}

local KEYS = { 'instance', 'program', 'version' }

---@param answer { imported: integer, program: string, version: string, problems: string[] }
local function tell(answer)
  local count = answer.imported
  -- A commit in short, so that the line fits into a usual window.
  local version = answer.version:match('^%x+$') and answer.version:sub(1, 12) or answer.version
  local as = count > 0 and (' as %s %s'):format(answer.program, version) or ''
  message.forget()
  message.info(('imported %d recording%s%s'):format(count, count == 1 and '' or 's', as))
  for _, problem in ipairs(answer.problems or {}) do
    message.warn(problem)
  end
end

---@param files string[]
---@param given table<string, any> what they are of
local function import(files, given)
  local question = vim.tbl_extend('force', given, {
    files = vim.tbl_map(function(file)
      return vim.fn.fnamemodify(file, ':p')
    end, files),
  })
  ask.expect('importRecording', question, tell)
end

---Which program of a project the settings or what is shown name: whether of all its parts, and the first of them. Programs
---of other projects do not count.
---@param project string
---@param sources insitu.Source[]
---@return boolean
---@return string?
local function named_program(project, sources)
  local parts = vim.tbl_filter(function(source)
    return source.project == project
  end, sources)
  local named = vim.tbl_filter(function(source)
    return source.program ~= nil
  end, parts)
  return #named > 0 and #named == #parts, named[1] and named[1].program
end

---Lets the user say which program was recorded, where neither settings nor what is shown of the project tell.
---@param files string[]
---@param given table<string, any>
local function with_program(files, given)
  if given.program then
    return import(files, given)
  end
  ask.expect('choices', ask.about(), function(known)
    local shown = vim.iter(known.executions):any(function(execution)
      return execution.shown
    end)
    if shown then
      return import(files, given)
    end
    ask.expect('status', {}, function(status)
      local is_named, proposed = named_program(known.project, status.sources)
      if is_named then
        return import(files, given)
      end
      local question = { prompt = 'Program that was recorded: ', default = proposed or known.project }
      vim.ui.input(question, function(program)
        if program and program ~= '' then
          import(files, vim.tbl_extend('force', given, { program = program }))
        end
      end)
    end)
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
  with_program(files, vim.tbl_extend('force', ask.about(), arguments.read(about, KEYS) or {}))
end

---@param words string[] arguments of the command; without any, the user is asked for a file, and of what it is
function M.run(words)
  if #words > 0 then
    return by_arguments(words)
  end
  vim.ui.input({ prompt = 'Recording: ', completion = 'file' }, function(file)
    if file and file ~= '' then
      by_arguments({ file })
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
