-- :Insitu executions: a floating list of what the store holds; and the answer behind it, for others to choose from.
local ask = require('insitu.ask')
local float_of = require('insitu.float')
local listing = require('insitu.listing')

local M = {}

---@class insitu.Choices
---@field project string
---@field executions { program: string, version: string, instance: string, from: string, to: string, snapshots: integer, shown: boolean }[]
---@field metrics { id: string, unit: string, shown: boolean }[]
---@field threads { group: string, name: string, share: number, threads?: { name: string, share: number }[] }[]
---@field windows { from: number, to: number }[]

---@param take fun(answer: insitu.Choices)
function M.ask(take)
  ask.send('choices', ask.about(), function(answer)
    if not answer or #answer.executions == 0 then
      return require('insitu.message').info('the store holds nothing of this project (:Insitu import puts recordings in)')
    end
    take(answer)
  end)
end

---The different values of a field of the executions, in their order.
---@param answer insitu.Choices
---@param field 'program'|'version'|'instance'
---@return string[]
function M.values(answer, field)
  local seen, values = {}, {}
  for _, execution in ipairs(answer.executions) do
    local value = execution[field]
    if not seen[value] then
      seen[value] = true
      values[#values + 1] = value
    end
  end
  return values
end

---A point in time in the user's time zone.
---@param millis number
---@return string
function M.time(millis)
  return os.date('%Y-%m-%d %H:%M:%S', math.floor(millis / 1000)) --[[@as string]]
end

---@param text string UTC as ISO 8601 has it
---@return number milliseconds since 1970
local function millis_of(text)
  local year, month, day, hour, minute, second = text:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  -- Years that begin in March end with the day that leap years have more.
  local months = year * 12 + month - 3
  local whole, since = math.floor(months / 12), months % 12
  local leap_days = math.floor(whole / 4) - math.floor(whole / 100) + math.floor(whole / 400)
  local days = whole * 365 + leap_days + math.floor((since * 153 + 2) / 5) + day - 719469
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
end

---@param answer insitu.Choices
---@return insitu.Chunk[][]
local function lines_of(answer)
  local shown = vim.tbl_map(function(metric)
    return { metric.id, metric.shown and 'InsituTitle' or 'InsituNote' }
  end, answer.metrics)
  local lines = { listing.head('executions of ', answer.project) }
  for _, execution in ipairs(answer.executions) do
    lines[#lines + 1] = {
      { execution.shown and '▸ ' or '  ' },
      { ('%s %s'):format(execution.program, execution.version), execution.shown and 'InsituTitle' or nil },
      { ('  %s  '):format(execution.instance) },
      { ('%s to %s'):format(M.time(millis_of(execution.from)), M.time(millis_of(execution.to))), 'InsituNote' },
      { (' · %d snapshot%s'):format(execution.snapshots, execution.snapshots == 1 and '' or 's'), 'InsituNote' },
    }
  end
  local metrics = { { 'metrics:', 'InsituNote' } }
  for _, metric in ipairs(shown) do
    metrics[#metrics + 1] = { ' ' }
    metrics[#metrics + 1] = metric
  end
  lines[#lines + 1] = metrics
  return lines
end

---Shows what the store holds; what is shown now is marked.
function M.show()
  M.ask(function(answer)
    float_of.open(lines_of(answer), {})
  end)
end

return M
