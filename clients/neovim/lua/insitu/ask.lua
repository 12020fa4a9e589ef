-- Asks the server insitu's own questions about a buffer or the workspace, and tells in one line why there is no answer.
local client_of = require('insitu.client')
local message = require('insitu.message')

local M = {}

local METHOD_NOT_FOUND = -32601
---How long completion of a command may wait for the server.
local LONGEST_WAIT_MS = 1000

---The client to ask: the one of the current buffer, else any that runs.
---@return vim.lsp.Client?
function M.client()
  return client_of.of(vim.api.nvim_get_current_buf()) or client_of.of()
end

---The current buffer as the server knows it; nothing where it is none of the server's.
---@return { textDocument?: { uri: string } }
function M.about()
  local buffer = vim.api.nvim_get_current_buf()
  return client_of.of(buffer) and { textDocument = { uri = vim.uri_from_bufnr(buffer) } } or {}
end

---@param question string
---@param failure { code?: integer, message?: string }
local function tell(question, failure)
  message.forget()
  if failure.code == METHOD_NOT_FOUND then
    return message.error(('the server that runs is too old for this: it does not know insitu/%s'):format(question))
  end
  -- The name of the request means nothing to the person who typed a word.
  message.error(((failure.message or 'the server gave no answer'):gsub('^insitu/%a+: ', '')))
end

---Without parameters, an object and not a list.
---@param parameters table
---@return table
local function as_object(parameters)
  return next(parameters) and parameters or vim.empty_dict()
end

---An answer without nulls, which some versions of Neovim hand on as values that are true.
---@param answer any
---@return any
local function without_nulls(answer)
  local waiting = { answer }
  while #waiting > 0 do
    local value = table.remove(waiting)
    for key, inner in pairs(type(value) == 'table' and value or {}) do
      if inner == vim.NIL then
        value[key] = nil
      else
        waiting[#waiting + 1] = inner
      end
    end
  end
  return answer ~= vim.NIL and answer or nil
end

---Asks; `take` gets the answer, nil for null, and the client. Where there is no answer the user is told why.
---@param question string name of the message behind `insitu/`
---@param parameters table
---@param take fun(answer: any, client: vim.lsp.Client)
function M.send(question, parameters, take)
  local client = M.client()
  if not client then
    message.forget()
    return message.error('no server runs; it starts with a Java file or with :Insitu start')
  end
  local function answered(failure, answer)
    if failure then
      return tell(question, failure)
    end
    take(without_nulls(answer), client)
  end
  client_of.call(client, 'request', 'insitu/' .. question, as_object(parameters), answered)
end

---Asks what always has an answer: where the server failed, the user is told.
---@param question string
---@param parameters table
---@param take fun(answer: table, client: vim.lsp.Client)
function M.expect(question, parameters, take)
  M.send(question, parameters, function(answer, client)
    if answer then
      return take(answer, client)
    end
    message.forget()
    message.error(('the server could not answer insitu/%s; its log tells why (:checkhealth insitu)'):format(question))
  end)
end

---Asks and waits for the answer, a second at most; nil where there is none.
---@param question string
---@param parameters table
---@return any
function M.wait(question, parameters)
  local client = M.client()
  if not client then
    return nil
  end
  local asked, reply = pcall(
    client_of.call,
    client,
    'request_sync',
    'insitu/' .. question,
    as_object(parameters),
    LONGEST_WAIT_MS,
    vim.api.nvim_get_current_buf()
  )
  return asked and type(reply) == 'table' and type(reply.result) == 'table' and without_nulls(reply.result) or nil
end

return M
