-- :Insitu compare: sets what shares are compared with, and shows in a floating window which methods' shares moved.
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

---How often, and how long apart, the list is asked for while the baseline is being read.
local MOST_TRIES, BETWEEN_TRIES_MS = 40, 250
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
    { ('  %6s → %6s  '):format(percent(row.change.baseline), percent(row.change.current)), 'InsituNote' },
    { row.method.label, group },
    { '  ' .. place.text(row.method), 'InsituNote' },
  }
end

---@param answer { baseline: string, rows: table[] }
local function open(answer)
  local width = listing.width(answer.rows, function(row)
    return row.change.text
  end)
  local lines = { listing.head('compared with ', answer.baseline) }
  for _, row in ipairs(answer.rows) do
    lines[#lines + 1] = line_of(row, width)
  end
  if #answer.rows == 0 then
    lines[2] = { { 'no share moved', 'InsituNote' } }
  end
  float_of.open(lines, {
    ['<CR>'] = function(float, line)
      local row = answer.rows[line - 1]
      if row then
        place.jump(float, row.method)
      end
    end,
  })
end

---Shows whose share moved; waits until the baseline has been read.
---@param tries? integer
function M.show(tries)
  tries = tries or 1
  ask.send('compare', vim.tbl_extend('force', ask.about(), { limit = MOST_ROWS }), function(answer)
    if answer and answer.baseline then
      open(answer)
    elseif tries < MOST_TRIES then
      vim.defer_fn(function()
        M.show(tries + 1)
      end, BETWEEN_TRIES_MS)
    else
      message.info('there is no baseline to compare with (:Insitu compare sets one)')
    end
  end)
end

---@param baseline { version?: string, file?: string }
local function compare_with(baseline)
  ask.send('compareWith', vim.tbl_extend('force', ask.about(), baseline), function(status, client)
    data.looked_at(status, client)
    if next(baseline) then
      M.show()
    end
  end)
end

---The versions that are not shown themselves.
---@param answer insitu.Executions
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

---Offers the other versions in the store, and to compare with nothing.
local function pick()
  executions.ask(function(answer)
    local versions = other_versions(answer)
    local nothing = 'nothing'
    choose.one(vim.list_extend(versions, { nothing }), 'Compare with version', function(version)
      return version
    end, function(version)
      compare_with(version == nothing and {} or { version = version })
    end)
  end)
end

---@param argument string a version, the path of a file, `off`, or nothing
function M.run(argument)
  if argument == '' then
    return pick()
  end
  if argument == 'off' then
    return compare_with({})
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
  local answer = ask.wait('executions', ask.about())
  local versions = vim.list_extend({ 'off' }, answer and other_versions(answer) or {})
  local fitting = vim.tbl_filter(function(version)
    return vim.startswith(version, typed)
  end, versions)
  return vim.list_extend(fitting, typed ~= '' and vim.fn.getcompletion(typed, 'file') or {})
end

return M
