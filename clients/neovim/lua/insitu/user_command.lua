-- The :Insitu command: its first word says what to do, and Tab completes words and their arguments.
local M = {}

---@class insitu.Word
---@field run fun(arguments: string[])
---@field complete? fun(typed: string, line: string): string[] candidates for the argument under the cursor
---@field takes? boolean whether it has arguments at all

---@param action string name of a function of require('insitu')
---@return insitu.Word
local function plain(action, ...)
  local given = { ... }
  return {
    run = function()
      require('insitu')[action](unpack(given))
    end,
  }
end

---A word about a method: the one that is named, else the one under the cursor.
---@param show fun(subject: table)
---@return insitu.Word
local function about_method(show)
  return {
    takes = true,
    run = function(arguments)
      local subject = require('insitu.subject').of(table.concat(arguments, ' '))
      if subject then
        show(subject)
      end
    end,
    complete = function(typed)
      return require('insitu.subject').complete(typed)
    end,
  }
end

---A word about the whole program, unless a method is named or `.` stands for the one under the cursor.
---@param show fun(subject?: table)
---@return insitu.Word
local function about_all_or_method(show)
  local word = about_method(show)
  return {
    takes = true,
    run = function(arguments)
      local name = table.concat(arguments, ' ')
      if name == '' then
        return show(nil)
      end
      word.run(name == '.' and {} or arguments)
    end,
    complete = word.complete,
  }
end

---@param typed string
---@param all string[]
---@return string[]
local function beginning_like(typed, all)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, typed)
  end, all)
end

---The action of each word.
---@type table<string, insitu.Word>
local words = {
  start = plain('start'),
  stop = plain('stop'),
  restart = plain('restart'),
  next = plain('next_hot_spot'),
  previous = plain('previous_hot_spot'),
  refresh = plain('refresh'),
  enable = plain('enable', true),
  disable = plain('enable', false),
  toggle = plain('toggle'),
  status = {
    run = function()
      local lines = require('insitu.status').report(vim.api.nvim_get_current_buf())
      local shown = require('insitu.shown')
      lines = vim.tbl_map(function(line)
        return shown.lines(shown.in_words(line))
      end, lines)
      vim.api.nvim_echo({ { table.concat(lines, '\n') } }, true, {})
    end,
  },
  top = {
    takes = true,
    run = function(arguments)
      require('insitu.words.top').show(arguments)
    end,
    complete = function(typed)
      return beginning_like(typed, require('insitu.words.top').arguments)
    end,
  },
  aspects = {
    run = function()
      require('insitu.words.aspects').show()
    end,
  },
  overview = {
    run = function()
      require('insitu.words.overview').show()
    end,
  },
  heaviest = about_all_or_method(function(subject)
    require('insitu.words.heaviest').show(subject)
  end),
  picture = about_all_or_method(function(subject)
    require('insitu.words.picture').show(subject)
  end),
  blueprint = about_all_or_method(function(subject)
    require('insitu.words.picture').show(subject, 'blueprint')
  end),
  callers = about_method(function(subject)
    require('insitu.words.tree').show('callers', subject)
  end),
  callees = about_method(function(subject)
    require('insitu.words.tree').show('callees', subject)
  end),
  threads = about_method(function(subject)
    require('insitu.words.threads').show(subject)
  end),
  why = about_method(function(subject)
    require('insitu.words.why').show(subject)
  end),
  focus = {
    takes = true,
    run = function(arguments)
      local focus = require('insitu.words.focus')
      if #arguments == 0 then
        return focus.here()
      end
      focus.on({ table.concat(arguments, ' ') })
    end,
    complete = function(typed)
      return require('insitu.words.focus').complete(typed)
    end,
  },
  clear = {
    takes = true,
    run = function(arguments)
      require('insitu.words.focus').clear(arguments)
    end,
    complete = function(typed)
      return beginning_like(typed, { 'all' })
    end,
  },
  tasks = {
    run = function()
      require('insitu.words.focus').pick()
    end,
  },
  assume = {
    takes = true,
    run = function(arguments)
      require('insitu.words.predict').assume(arguments)
    end,
    complete = function(typed)
      return require('insitu.words.predict').complete(typed)
    end,
  },
  iterations = {
    takes = true,
    run = function(arguments)
      require('insitu.words.predict').iterations(arguments)
    end,
  },
  slower = {
    run = function()
      require('insitu.words.slower').show(require('insitu.subject').here())
    end,
  },
  moved = {
    run = function()
      require('insitu.words.moved').show()
    end,
  },
  compare = {
    takes = true,
    run = function(arguments)
      require('insitu.words.compare').run(table.concat(arguments, ' '))
    end,
    complete = function(typed)
      return require('insitu.words.compare').complete(typed)
    end,
  },
  select = {
    takes = true,
    run = function(arguments)
      require('insitu.words.select').run(arguments)
    end,
    complete = function(typed)
      return require('insitu.words.select').complete(typed)
    end,
  },
  metric = {
    takes = true,
    run = function(arguments)
      require('insitu.words.select').run({ 'metric=' .. table.concat(arguments, ' ') })
    end,
    complete = function(typed)
      return require('insitu.words.select').metrics(typed)
    end,
  },
  path = {
    takes = true,
    run = function(arguments)
      require('insitu.words.path').run(table.concat(arguments, ' '))
    end,
    complete = function(typed, line)
      return require('insitu.words.path').complete(typed, line)
    end,
  },
  import = {
    takes = true,
    run = function(arguments)
      require('insitu.words.import').run(arguments)
    end,
    complete = function(typed)
      return require('insitu.words.import').complete(typed)
    end,
  },
  record = {
    takes = true,
    run = function(arguments)
      require('insitu.words.record').run(arguments)
    end,
    complete = function(typed)
      return require('insitu.words.record').complete(typed)
    end,
  },
  executions = {
    run = function()
      require('insitu.words.executions').show()
    end,
  },
}

---The words that begin like `start`, sorted.
---@param start string
---@return string[]
local function known_words(start)
  local fitting = beginning_like(start, vim.tbl_keys(words))
  table.sort(fitting)
  return fitting
end

---@param typed string the part of the argument before the cursor
---@param line string the whole command line
---@param position integer
---@return string[]
local function complete(typed, line, position)
  local given = vim.split(vim.trim(line:sub(1, position - #typed)), '%s+')
  local word = words[given[2] or '']
  if not given[2] then
    return known_words(typed)
  end
  return word and word.complete and word.complete(typed, line:sub(1, position)) or {}
end

---@param name string
---@param arguments string[]
local function run(name, arguments)
  local message = require('insitu.message')
  local word = words[name]
  if not word then
    message.forget()
    return message.error(('":Insitu %s" is unknown; known are %s'):format(name, table.concat(known_words(''), ', ')))
  end
  if #arguments > 0 and not word.takes then
    message.forget()
    return message.error(('":Insitu %s" takes no arguments'):format(name))
  end
  word.run(arguments)
end

---Defines the command.
function M.install()
  require('insitu.words.path').follow()
  vim.api.nvim_create_user_command('Insitu', function(call)
    run(call.fargs[1] or 'status', vim.list_slice(call.fargs, 2))
  end, { nargs = '*', complete = complete, desc = 'Ask insitu about the run time of code, or start and stop it' })
end

return M
