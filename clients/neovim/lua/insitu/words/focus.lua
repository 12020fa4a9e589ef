-- :Insitu focus, clear and tasks: makes a method or a saved task the new 100 %, or takes that back.
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local data = require('insitu.data')
local subject_of = require('insitu.subject')

local M = {}

---Makes these methods, tasks or expressions, taken together, the new 100 %.
---@param focus string[]
function M.on(focus)
  ask.send('focus', vim.tbl_extend('force', ask.about(), { focus = focus }), data.looked_at)
end

---Makes the method or call under the cursor the new 100 %.
function M.here()
  local params = subject_of.here()
  ask.send('focus', { textDocument = params.textDocument, position = params.position }, data.looked_at)
end

---Makes everything the 100 % again.
---@param words string[] `all` takes back the choice of path, threads, instances and time too
function M.clear(words)
  local function clear_focus()
    ask.send('clearFocus', ask.about(), data.looked_at)
  end
  if #words == 0 then
    return clear_focus()
  end
  if #words > 1 or words[1] ~= 'all' then
    require('insitu.message').forget()
    return require('insitu.message').error(('"%s" is unknown here; known is all'):format(table.concat(words, ' ')))
  end
  local none = vim.NIL
  local wish = { threads = none, path = none, instances = none, from = none, to = none }
  ask.send('select', vim.tbl_extend('force', ask.about(), wish), clear_focus)
end

---Asks for the saved tasks, whatever the focus is now.
---@return table
local function about_tasks()
  return vim.tbl_extend('force', ask.about(), { focus = {}, limit = 1000 })
end

---Offers the saved tasks with their shares.
function M.pick()
  ask.send('tasks', about_tasks(), function(answer)
    if not answer or #answer.rows == 0 then
      return require('insitu.message').info('no tasks are saved; "tasks" in insitu.json names them')
    end
    choose.one(answer.rows, 'Focus on', function(task)
      return ('%6s  %s  (%s)'):format(task.share.text, task.name, task.definition)
    end, function(task)
      M.on({ task.name })
    end)
  end)
end

---Names of tasks and methods that contain what was typed.
---@param typed string
---@return string[]
function M.complete(typed)
  local answer = ask.wait('tasks', about_tasks())
  local names = vim.tbl_map(function(task)
    return task.name
  end, answer and answer.rows or {})
  local fitting = vim.tbl_filter(function(name)
    return name:lower():find(typed:lower(), 1, true) ~= nil
  end, names)
  return vim.list_extend(fitting, subject_of.complete(typed))
end

return M
