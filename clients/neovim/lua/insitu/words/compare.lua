-- :Insitu compare: sets what is compared with, and shows in a floating window what a test found slower or faster.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local data = require('insitu.data')
local executions = require('insitu.words.executions')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local message = require('insitu.message')

local M = {}

local MOST_ROWS = 60

---@param part number
---@return string
local function percent(part)
  return ('%.1f%%'):format(part * 100)
end

---@class insitu.Finding
---@field verdict string
---@field text string
---@field before number
---@field now number
---@field commit? { hash: string, subject: string }

---`slower  Shop.search, changed in de3214d  40.0% to 62.0%  Sort twice`.
---@param finding insitu.Finding
---@return insitu.Chunk[]
local function line_of(finding)
  local group = finding.verdict == 'slower' and 'InsituWorse' or 'InsituBetter'
  return {
    { finding.verdict .. '  ', group },
    { finding.text, group },
    { ('  %s to %s'):format(percent(finding.before), percent(finding.now)), 'InsituNote' },
    { finding.commit and '  ' .. finding.commit.subject or '', 'InsituNote' },
  }
end

---@param answer { origin: { baseline: string }, jvms: { before: integer, now: integer }, tested: { methods: integer }, reports: insitu.Finding[] }
---@return string
local function sentence_of(answer)
  local before = answer.jvms.before
  local jvms = ('%d %s before, %d now'):format(before, before == 1 and 'JVM' or 'JVMs', answer.jvms.now)
  if answer.tested.methods == 0 then
    return ('not tested: %s'):format(jvms)
  end
  return #answer.reports == 0 and ('nothing got slower or faster (%s)'):format(jvms) or jvms
end

---@param answer { origin: { baseline: string }, reports: insitu.Finding[] }
local function open(answer)
  local lines = { listing.head('compared with ', answer.origin.baseline), { { sentence_of(answer), 'InsituNote' } } }
  for _, finding in ipairs(answer.reports) do
    lines[#lines + 1] = line_of(finding)
  end
  lines[#lines + 1] = { { 'm: methods whose shares moved', 'InsituNote' } }
  float_of.open(lines, {
    m = function(float)
      float:close()
      require('insitu.words.moved').show()
    end,
  })
end

---Shows what a test over the JVMs found slower or faster.
function M.show()
  ask.send('compare', vim.tbl_extend('force', ask.about(), { limit = MOST_ROWS }), function(answer, client)
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
