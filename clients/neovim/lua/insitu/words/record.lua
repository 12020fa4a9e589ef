-- :Insitu record: records a JVM of this machine until told to stop; its numbers are shown as they come.
local arguments = require('insitu.arguments')
local ask = require('insitu.ask')
local choose = require('insitu.choose')
local data = require('insitu.data')
local message = require('insitu.message')

local M = {}

local KEYS = { 'pid', 'program', 'tier', 'version' }
local TIERS = { 'base', 'standard', 'full' }
---Arguments are cut here: a row has one line.
local MOST_LETTERS = 60

---@class insitu.Jvm
---@field pid integer
---@field name string
---@field arguments string
---@field sinceMillis number
---@field javaVersion string
---@field refusal? string
---@field recorded boolean

---@param answer { recording?: { text: string }, problems: string[] }
local function tell(answer, client)
  message.forget()
  if answer.recording then
    message.brief(answer.recording.text)
  end
  for _, problem in ipairs(answer.problems) do
    message.warn(problem)
  end
  data.ask(client)
end

---@param wish table
local function record(wish)
  ask.expect('record', vim.tbl_extend('force', ask.about(), wish), tell)
end

---@param jvm insitu.Jvm
---@return string
local function text_of(jvm)
  local given = jvm.arguments
  if vim.fn.strchars(given) > MOST_LETTERS then
    given = vim.fn.strcharpart(given, 0, MOST_LETTERS - 1) .. '…'
  end
  local since = os.date('%Y-%m-%d %H:%M:%S', math.floor(jvm.sinceMillis / 1000))
  local said = vim.trim(('%s %s'):format(jvm.name, given))
  local note = jvm.recorded and 'recorded already' or jvm.refusal
  return ('%s · %d · since %s%s'):format(said, jvm.pid, since, note and ' · ' .. note or '')
end

---@param wish table what was said besides the JVM
local function pick(wish)
  ask.send('jvms', {}, function(jvms)
    if not jvms or #jvms == 0 then
      message.forget()
      return message.warn('no JVM of this machine can be seen from here')
    end
    table.sort(jvms, function(a, b)
      return a.sinceMillis > b.sinceMillis
    end)
    choose.one(jvms, 'Record', text_of, function(jvm)
      record(vim.tbl_extend('force', wish, { pid = jvm.pid }))
    end)
  end)
end

---The given values, with a number as `pid`; nil where one is wrong, which the user is told.
---@param given? table
---@return table?
local function with_pid(given)
  if not given or not given.pid then
    return given
  end
  if not given.pid:match('^%d+$') then
    message.forget()
    return message.error(('"%s" is no process id; write pid=4711'):format(given.pid))
  end
  given.pid = tonumber(given.pid)
  return given
end

---@param words string[] the words behind `stop`
local function stop(words)
  local wish = with_pid(arguments.read(words, { 'pid' }, { 'back' }))
  if not wish then
    return
  end
  ask.expect('stopRecording', wish, function(answer, client)
    message.forget()
    message.info(('%d recording%s ended'):format(answer.stopped, answer.stopped == 1 and '' or 's'))
    for _, problem in ipairs(answer.problems) do
      message.warn(problem)
    end
    data.ask(client)
  end)
end

---@param words string[] arguments of the command; without `pid=`, the user chooses among the JVMs
function M.run(words)
  if words[1] == 'stop' then
    return stop(vim.list_slice(words, 2))
  end
  local given = with_pid(arguments.read(words, KEYS))
  if not given then
    return
  end
  if given.pid then
    return record(given)
  end
  pick(given)
end

---@param typed string
---@return string[]
function M.complete(typed)
  local offers = { 'stop', 'back', 'pid=', 'program=', 'version=' }
  for _, tier in ipairs(TIERS) do
    offers[#offers + 1] = 'tier=' .. tier
  end
  if vim.startswith(typed, 'pid=') then
    for _, jvm in ipairs(ask.wait('jvms', {}) or {}) do
      offers[#offers + 1] = 'pid=' .. jvm.pid
    end
  end
  return vim.tbl_filter(function(offer)
    return vim.startswith(offer, typed)
  end, offers)
end

return M
