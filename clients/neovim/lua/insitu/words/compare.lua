-- :Insitu compare: sets what shares are compared with, and shows in a floating window which methods' shares moved.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local colours = require('insitu.colours')
local data = require('insitu.data')
local executions = require('insitu.words.executions')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local message = require('insitu.message')
local place = require('insitu.place')

local M = {}

local MOST_ROWS = 200

---@param share number
---@return string
local function percent(share)
  return ('%.1f%%'):format(share * 100)
end

---@param row { method: table, change: table }
---@param width integer
---@return insitu.Chunk[]
local function line_of(row, width)
  local group = colours.change_group(row.change)
  local padding = (' '):rep(width - vim.fn.strdisplaywidth(row.change.text))
  return {
    { padding .. row.change.text, group },
    { ('  %6s to %6s  '):format(percent(row.change.baseline), percent(row.change.current)), 'InsituNote' },
    { row.method.label, group },
    { '  ' .. place.text(row.method), 'InsituNote' },
  }
end

---Lines beside the rows: the head, the keys, and what stands below the window.
local OTHER_LINES = 5

---@param answer { origin: { baseline: string }, problems: { text: string }[], rows: table[] }
---@param all boolean more than fit on the screen
---@return insitu.Chunk[][]
---@return table[] rows that are shown
local function lines_of(answer, all)
  local rows = answer.rows
  local more = #rows - math.max(vim.o.lines - OTHER_LINES, 5)
  if all or more <= 0 then
    more = 0
  end
  local shown = vim.list_slice(rows, 1, #rows - more)
  local width = listing.width(shown, function(row)
    return row.change.text
  end)
  local lines = { listing.head('compared with ', answer.origin.baseline) }
  for _, row in ipairs(shown) do
    lines[#lines + 1] = line_of(row, width)
  end
  if #shown == 0 then
    lines[2] = { { 'no share moved', 'InsituNote' } }
  elseif more > 0 then
    lines[#lines + 1] = { { ('a: %d smaller changes'):format(more), 'InsituNote' } }
  end
  for _, problem in ipairs(answer.problems) do
    lines[#lines + 1] = { { problem.text, 'InsituNote' } }
  end
  return lines, shown
end

---@param answer { origin: { baseline: string }, problems: { text: string }[], rows: table[] }
local function open(answer)
  local lines, shown = lines_of(answer, false)
  float_of.open(lines, {
    ['<CR>'] = function(float, line)
      local row = shown[line - 1]
      if row then
        place.jump(float, row.method)
      end
    end,
    a = function(float)
      lines, shown = lines_of(answer, true)
      float:show(lines)
    end,
  })
end

---Shows whose share moved.
function M.show()
  ask.send('movedMethods', vim.tbl_extend('force', ask.about(), { limit = MOST_ROWS }), function(answer, client)
    if answer then
      return open(answer)
    end
    message.info(data.empty_text(client.id))
  end)
end

---@param baseline { version?: string, window?: { from: number, to: number }, file?: string }
local function compare_with(baseline)
  ask.send('compareWith', vim.tbl_extend('force', ask.about(), baseline), function(status, client)
    data.looked_at(status, client)
    if next(baseline) then
      M.show()
    end
  end)
end

---The versions that are not shown themselves.
---@param answer insitu.Choices
---@return string[]
local function other_versions(answer)
  local shown = {}
  for _, execution in ipairs(answer.executions) do
    shown[execution.version] = shown[execution.version] or execution.shown
  end
  return vim.tbl_filter(function(version)
    return not shown[version]
  end, executions.values(answer, 'version'))
end

---@param baseline table
---@return string
local function baseline_text(baseline)
  if baseline.version then
    return baseline.version
  end
  local window = baseline.window
  return window and ('%s to %s'):format(executions.time(window.from), executions.time(window.to)) or 'nothing'
end

---Offers the other versions in the store, the windows of what is shown, and to compare with nothing.
local function pick()
  executions.ask(function(answer)
    local offers = {}
    for _, version in ipairs(other_versions(answer)) do
      offers[#offers + 1] = { version = version }
    end
    -- A single one is all that is shown.
    for _, window in ipairs(#answer.windows > 1 and answer.windows or {}) do
      offers[#offers + 1] = { window = { from = window.from, to = window.to } }
    end
    offers[#offers + 1] = {}
    choose.one(offers, 'Compare with', baseline_text, compare_with)
  end)
end

---A span of time of what is shown; what is malformed the user is told.
---@param words string[]
local function by_window(words)
  local given = arguments.read(words, { 'from', 'to' })
  if not given then
    return
  end
  local from, to = arguments.millis(given.from or ''), arguments.millis(given.to or '')
  if not from or not to then
    message.forget()
    return message.error('a window has two ends; write from=2026-11-20T09:30 to=2026-11-20T09:45')
  end
  compare_with({ window = { from = from, to = to } })
end

---@param argument string a version, the path of a file, `from=` and `to=`, `off`, or nothing
function M.run(argument)
  if argument == '' then
    return pick()
  end
  if argument == 'off' then
    return compare_with({})
  end
  if argument:find('^from=') or argument:find('^to=') then
    return by_window(vim.split(argument, '%s+'))
  end
  local path = vim.fn.fnamemodify(vim.fn.expand(argument), ':p')
  local is_file = (vim.uv.fs_stat(path) or {}).type == 'file'
  if is_file then
    return compare_with({ file = path })
  end
  executions.ask(function(answer)
    local versions = executions.values(answer, 'version')
    if vim.tbl_contains(versions, argument) then
      return compare_with({ version = argument })
    end
    message.forget()
    local known = table.concat(versions, ', ')
    message.error(('"%s" is no file, and no version in the store, which has %s'):format(argument, known))
  end)
end

---@param typed string
---@return string[]
function M.complete(typed)
  local answer = ask.wait('choices', ask.about())
  local versions = vim.list_extend({ 'off', 'from=', 'to=' }, answer and other_versions(answer) or {})
  local fitting = vim.tbl_filter(function(version)
    return vim.startswith(version, typed)
  end, versions)
  return vim.list_extend(fitting, typed ~= '' and vim.fn.getcompletion(typed, 'file') or {})
end

return M
