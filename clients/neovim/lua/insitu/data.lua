-- Knows what the server has to show for the open files and what of it is looked at, and tells why where that is nothing.
local client_of = require('insitu.client')

local M = {}

---@class insitu.Source one program of one store
---@field state 'loading'|'ready'|'none'
---@field project string
---@field program? string that is shown, else that of the settings
---@field problems string[] each one line
---@field text string one line about it
---@field focus? string[] what is the 100 %
---@field baseline? string what shares are compared with
---@field part? string focus, path, threads, instances and time that were chosen; empty for everything
---@field chosen? { path?: string }
---@field samples? integer

---@class insitu.Status answer of the server's command insitu.status
---@field sources insitu.Source[]
---@field recordings? table[] what is being recorded from here
---@field text string

---@type table<integer, insitu.Status> by client
local latest = {}

---@param client_id integer
---@return insitu.Source[]
local function sources_of(client_id)
  return latest[client_id] and latest[client_id].sources or {}
end

---Whether what was chosen leaves nothing of a source.
---@param source insitu.Source
---@return boolean
local function is_emptied(source)
  return (source.part or '') ~= '' and (source.state == 'none' or (source.state == 'ready' and source.samples == 0))
end

---@param source insitu.Source
---@return string
local function emptied_text(source)
  local problem = source.problems[1] and source.problems[1] .. '; ' or ''
  return ('%snothing was seen with %s (:Insitu clear all shows everything again)'):format(problem, source.part)
end

---@param status insitu.Status
local function tell_troubles(status)
  for _, source in ipairs(status.sources) do
    if is_emptied(source) then
      require('insitu.message').warn(emptied_text(source))
    elseif source.state == 'none' then
      require('insitu.message').warn(source.problems[1] or source.text)
    end
  end
end

---@param status any
---@param client vim.lsp.Client
---@return boolean whether it is a status
local function keep(status, client)
  if type(status) ~= 'table' or type(status.sources) ~= 'table' then
    return false
  end
  latest[client.id] = status
  require('insitu.status').changed()
  return true
end

---Asks a server what it has to show; tells the user once where that is nothing. A server that does not know is left alone.
---@param client vim.lsp.Client
function M.ask(client)
  local question = { command = 'insitu.status', arguments = { { quiet = true } } }
  client_of.call(client, 'request', 'workspace/executeCommand', question, function(failure, status)
    if not failure and keep(status, client) then
      tell_troubles(status)
    end
  end)
end

---The source to tell of: the first that has numbers and says something else than before, else the first that has numbers.
---The folder that is open may have none, and projects inside of it several.
---@param sources insitu.Source[]
---@param before insitu.Source[]
---@return insitu.Source?
local function changed_source(sources, before)
  local said = {}
  for _, source in ipairs(before) do
    said[source.text] = true
  end
  local shown = vim.tbl_filter(function(source)
    return source.state ~= 'none'
  end, sources)
  for _, source in ipairs(shown) do
    if not said[source.text] then
      return source
    end
  end
  return shown[1] or sources[1]
end

---Takes the status that answers a wish to look at something else, and tells it in a line.
---@param status any
---@param client vim.lsp.Client
function M.looked_at(status, client)
  local before = sources_of(client.id)
  local source = keep(status, client) and changed_source(status.sources, before)
  if source and is_emptied(source) then
    require('insitu.message').forget()
    require('insitu.message').warn(emptied_text(source))
  elseif source then
    require('insitu.message').brief((source.text:gsub('^insitu: ', '')))
  end
end

---The path that only counts, as the server said last.
---@param client vim.lsp.Client
---@return string?
function M.shown_path(client)
  for _, source in ipairs(sources_of(client.id)) do
    local path = (source.chosen or {}).path
    if type(path) == 'string' then
      return path
    end
  end
end

---Handles the server's `insitu/dataChanged`: numbers shown so far are out of date.
---@param context { client_id: integer }
function M.on_changed(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if client then
    M.ask(client)
    require('insitu.hints').refresh(client.id)
    require('insitu.lenses').refresh(client)
  end
end

---Whether a server said that it has nothing to show for any open file.
---@param client_id integer
---@return boolean
function M.is_missing(client_id)
  local sources = sources_of(client_id)
  return #sources > 0
    and vim.iter(sources):all(function(source)
      return source.state == 'none'
    end)
end

---Why a list has no rows: nothing ran, or what was chosen leaves nothing; then also how to take that back.
---@param client_id integer
---@return string
function M.empty_text(client_id)
  local emptied = vim.tbl_filter(is_emptied, sources_of(client_id))[1]
  return emptied and emptied_text(emptied) or 'nothing was seen running'
end

---The choices that leave nothing of any source; nil where something is left.
---@param client_id integer
---@return string?
function M.emptying_part(client_id)
  local sources = sources_of(client_id)
  local emptied = vim.tbl_filter(is_emptied, sources)
  return #emptied > 0 and #emptied == #sources and emptied[1].part or nil
end

---The look, in short: the focus and the baseline, where there are any.
---@param client_id integer
---@return { focus?: string, baseline?: string }
function M.view(client_id)
  local view = {}
  for _, source in ipairs(sources_of(client_id)) do
    if type(source.focus) == 'table' and #source.focus > 0 then
      view.focus = table.concat(source.focus, ' + ')
    end
    if type(source.baseline) == 'string' then
      view.baseline = source.baseline
    end
  end
  return view
end

---Whether a server records a JVM for the user.
---@param client_id integer
---@return boolean
function M.is_recording(client_id)
  local status = latest[client_id]
  return status ~= nil and type(status.recordings) == 'table' and #status.recordings > 0
end

---The last status of a server, line by line.
---@param client_id integer
---@return string[]
function M.lines(client_id)
  return latest[client_id] and vim.split(latest[client_id].text, '\n') or {}
end

return M
