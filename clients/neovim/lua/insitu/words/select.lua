-- :Insitu select: chooses program, version, instances, time, threads and metric, in steps or by arguments.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local data = require('insitu.data')
local executions = require('insitu.words.executions')
local message = require('insitu.message')

local M = {}

---The keys behind `:Insitu select`; an empty value takes the wish back.
M.keys = { 'from', 'instances', 'metric', 'program', 'threads', 'to', 'version' }

---Another version or program has instances and times of its own: earlier choices of these do not hold.
---@param wish table
local function send(wish)
  if wish.version ~= nil or wish.program ~= nil then
    wish = vim.tbl_extend('keep', wish, { instances = vim.NIL, from = vim.NIL, to = vim.NIL })
  end
  ask.send('select', vim.tbl_extend('force', ask.about(), wish), data.looked_at)
end

---@param key string
---@param value string
---@return any what the message says; nil where the value is malformed
local function wish_of(key, value)
  if value == '' then
    return vim.NIL
  end
  if key == 'instances' or key == 'threads' then
    return arguments.list(value)
  end
  if key == 'from' or key == 'to' then
    return arguments.millis(value)
  end
  return value
end

---@param words string[]
local function by_arguments(words)
  local given = arguments.read(words, M.keys)
  local wish = {}
  for key, value in pairs(given or {}) do
    local wanted = wish_of(key, value --[[@as string]])
    if wanted == nil then
      message.forget()
      return message.error(('"%s" is no time; write 2026-11-20T09:30'):format(value))
    end
    wish[key] = wanted
  end
  if given then
    send(wish)
  end
end

---Threads by name, and before them groups of several threads, all by their share, hottest first; each as the pattern that
---chooses it, with its text.
---@param threads { group: string, name: string, share: number }[]
---@return string[] patterns
---@return table<string, string> texts by pattern
local function thread_choices(threads)
  local shares, members, names, groups, single_in = {}, {}, {}, {}, {}
  local function add(list, pattern, share)
    if not shares[pattern] then
      list[#list + 1] = pattern
    end
    shares[pattern] = (shares[pattern] or 0) + share
    members[pattern] = (members[pattern] or 0) + 1
  end
  for _, thread in ipairs(threads) do
    add(names, thread.name, thread.share)
    single_in[thread.name] = single_in[thread.name] or {}
    for _, single in ipairs(thread.threads or {}) do
      add(single_in[thread.name], single.name, single.share)
    end
    if thread.group ~= '' then
      add(groups, thread.group .. '/*', thread.share)
    end
  end
  local function hotter(one, other)
    return shares[one] > shares[other] or (shares[one] == shares[other] and one < other)
  end
  groups = vim.tbl_filter(function(pattern)
    return members[pattern] > 1
  end, groups)
  table.sort(groups, hotter)
  table.sort(names, hotter)
  local texts, unfolded = {}, {}
  for _, name in ipairs(names) do
    unfolded[#unfolded + 1] = name
    texts[name] = ('%5.1f%%  %s'):format(shares[name] * 100, name)
    table.sort(single_in[name], hotter)
    for _, single in ipairs(single_in[name]) do
      unfolded[#unfolded + 1] = single
      texts[single] = ('%5.1f%%    %s'):format(shares[single] * 100, single)
    end
  end
  for _, group in ipairs(groups) do
    texts[group] = ('%5.1f%%  group %s (%d threads)'):format(shares[group] * 100, group:sub(1, -3), members[group])
  end
  return vim.list_extend(groups, unfolded), texts
end

---The steps: what each asks, and the wish that its answer makes.
---@type { name: string, ask: fun(answer: insitu.Choices) }[]
local steps = {
  {
    name = 'version',
    ask = function(answer)
      choose.one(executions.values(answer, 'version'), 'Version', tostring, function(version)
        send({ version = version })
      end)
    end,
  },
  {
    name = 'program',
    ask = function(answer)
      choose.one(executions.values(answer, 'program'), 'Program', tostring, function(program)
        send({ program = program, version = vim.NIL })
      end)
    end,
  },
  {
    name = 'instances',
    ask = function(answer)
      choose.several(executions.values(answer, 'instance'), 'Instances', function(chosen)
        send({ instances = #chosen > 0 and chosen or vim.NIL })
      end)
    end,
  },
  {
    name = 'time',
    ask = function(answer)
      local all = {}
      choose.one(vim.list_extend({ all }, answer.windows), 'Time', function(window)
        local from, to = window.from, window.to
        return window == all and 'all of it' or ('%s to %s'):format(executions.time(from), executions.time(to))
      end, function(window)
        send({ from = window.from or vim.NIL, to = window.to or vim.NIL })
      end)
    end,
  },
  {
    name = 'threads',
    ask = function(answer)
      local patterns, texts = thread_choices(answer.threads)
      choose.several(patterns, 'Threads', function(chosen)
        send({ threads = #chosen > 0 and chosen or vim.NIL })
      end, function(pattern)
        return texts[pattern]
      end)
    end,
  },
  {
    name = 'metric',
    ask = function(answer)
      choose.one(answer.metrics, 'Metric', function(metric)
        return metric.id .. (metric.shown and '  (shown)' or '')
      end, function(metric)
        send({ metric = metric.id })
      end)
    end,
  },
  {
    name = 'everything',
    ask = function()
      local none = vim.NIL
      send({ program = none, version = none, metric = none, instances = none, threads = none, path = none, from = none, to = none })
    end,
  },
}

local function in_steps()
  executions.ask(function(answer)
    choose.one(steps, 'Select', function(step)
      return step.name == 'everything' and 'everything: take all wishes back' or step.name
    end, function(step)
      step.ask(answer)
    end)
  end)
end

---@param words string[] arguments of the command
function M.run(words)
  if #words == 0 then
    return in_steps()
  end
  by_arguments(words)
end

---The values that a key may have, of what is loaded.
---@param key string
---@return string[]
local function values_of(key)
  local answer = ask.wait('choices', ask.about())
  if not answer then
    return {}
  end
  if key == 'metric' then
    return vim.tbl_map(function(metric)
      return metric.id
    end, answer.metrics)
  end
  if key == 'threads' then
    return vim.tbl_map(function(thread)
      return thread.name ~= '' and thread.name or thread.group
    end, answer.threads)
  end
  local field = ({ version = 'version', program = 'program', instances = 'instance' })[key]
  return field and executions.values(answer, field) or {}
end

---Metrics whose names begin so.
---@param typed string
---@return string[]
function M.metrics(typed)
  return vim.tbl_filter(function(metric)
    return vim.startswith(metric, typed)
  end, values_of('metric'))
end

---@param typed string
---@return string[]
function M.complete(typed)
  local key, value = typed:match('^(%a+)=(.*)$')
  local all = {}
  if key then
    for _, known in ipairs(values_of(key)) do
      all[#all + 1] = key .. '=' .. known
    end
  else
    all = vim.tbl_map(function(each)
      return each .. '='
    end, M.keys)
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, value and key .. '=' .. value or typed)
  end, all)
end

return M
