-- :Insitu compare: sets what is compared with, and shows in a floating window what a test found slower or faster.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local data = require('insitu.data')
local executions = require('insitu.words.executions')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local message = require('insitu.message')
local place = require('insitu.place')
local subject = require('insitu.subject')

local M = {}

local KEYS = '<CR> go there · b blueprint · s source of both versions · w why'
local MOVED = 'm: methods whose shares moved'

---@class insitu.Finding
---@field verdict string
---@field sentence string
---@field method table whose code stands for it
---@field commit? { hash: string, subject: string }

---`slower: Shop.search, changed in de3214d: +22 (40% → 62%)  A.java:2  Sort twice`.
---@param finding insitu.Finding
---@return insitu.Chunk[]
local function line_of(finding)
  local commit = type(finding.commit) == 'table' and finding.commit or nil
  return {
    { finding.sentence, finding.verdict == 'slower' and 'InsituWorse' or 'InsituBetter' },
    { '  ' .. place.text(finding.method), 'InsituNote' },
    { commit and '  ' .. commit.subject or '', 'InsituNote' },
  }
end

---@param answer { origin: { baseline: string }, jvms: { before: integer, now: integer }, sentence: string, reports: insitu.Finding[] }
---@return string
local function sentence_of(answer)
  local before = answer.jvms.before
  return #answer.reports == 0 and answer.sentence
    or ('%d %s before, %d now'):format(before, before == 1 and 'JVM' or 'JVMs', answer.jvms.now)
end

---Lines above the findings.
local HEAD_LINES = 2

---@param answer { origin: { baseline: string }, jvms: { before: integer, now: integer }, sentence: string, reports: insitu.Finding[] }
local function open(answer)
  local findings = answer.reports
  local lines = { listing.head('compared with ', answer.origin.baseline), { { sentence_of(answer), 'InsituNote' } } }
  for _, finding in ipairs(findings) do
    lines[#lines + 1] = line_of(finding)
  end
  if #findings > 0 then
    lines[#lines + 1] = { { KEYS, 'InsituNote' } }
  end
  lines[#lines + 1] = { { MOVED, 'InsituNote' } }
  ---The action of a key with the method of the finding in its line, after the window is closed.
  local function with_method(action)
    return function(float, line)
      local finding = findings[line - HEAD_LINES]
      if finding then
        float:close()
        action(finding.method)
      end
    end
  end
  ---@param method table
  ---@return table
  local function about(method)
    return vim.tbl_extend('force', ask.about(), { method = subject.name_of(method) })
  end
  local float = float_of.open(lines, {
    ['<CR>'] = function(float, line)
      local finding = findings[line - HEAD_LINES]
      if finding then
        place.jump(float, finding.method)
      end
    end,
    b = with_method(function(method)
      require('insitu.words.picture').show(about(method), 'blueprint')
    end),
    s = with_method(function(method)
      require('insitu.sources').show(method)
    end),
    w = with_method(function(method)
      require('insitu.words.why').show(about(method))
    end),
    m = function(float)
      float:close()
      require('insitu.words.moved').show()
    end,
  })
  if #findings > 0 then
    vim.api.nvim_win_set_cursor(float.window, { HEAD_LINES + 1, 0 })
  end
end

---Shows what a test over the JVMs found slower or faster.
function M.show()
  ask.send('compare', vim.tbl_extend('force', ask.about(), { limit = 1 }), function(answer, client)
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
