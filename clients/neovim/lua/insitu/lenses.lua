-- Code lenses: lets Neovim draw the server's lenses, and runs their commands here, in floating windows.
local client_of = require('insitu.client')
local settings = require('insitu.settings')

local M = {}

local has_enable = vim.fn.has('nvim-0.12') == 1

---The subject that a lens or another client command asks about.
---@param command { arguments?: table[] }
---@return table
local function subject_in(command)
  local first = (command.arguments or {})[1]
  return type(first) == 'table' and first or require('insitu.subject').here()
end

---Commands of the server that this plugin shows itself.
---@type table<string, fun(command: { arguments?: table[] })>
M.commands = {
  ['insitu.callers'] = function(command)
    require('insitu.words.tree').show('callers', subject_in(command))
  end,
  ['insitu.callees'] = function(command)
    require('insitu.words.tree').show('callees', subject_in(command))
  end,
  ['insitu.threads'] = function(command)
    require('insitu.words.threads').show(subject_in(command))
  end,
  ['insitu.why'] = function(command)
    require('insitu.words.why').show(subject_in(command))
  end,
  ['insitu.slowerCallers'] = function(command)
    require('insitu.words.slower').show(subject_in(command))
  end,
  ['insitu.moved'] = function()
    require('insitu.words.moved').show()
  end,
  ['insitu.top'] = function()
    require('insitu.words.top').show({})
  end,
  ['insitu.heaviestPath'] = function(command)
    require('insitu.words.heaviest').show((command.arguments or {})[1])
  end,
  ['insitu.executions'] = function()
    require('insitu.words.executions').show()
  end,
  ['insitu.tasks'] = function()
    require('insitu.words.focus').pick()
  end,
}

---@param client vim.lsp.Client
---@param buffer integer
local function request(client, buffer)
  if client.server_capabilities.codeLensProvider and vim.api.nvim_buf_is_loaded(buffer) then
    local question = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
    local function answered(...)
      -- Lenses may have been switched off meanwhile.
      if settings.current.codelens then
        vim.lsp.codelens.on_codelens(...)
      end
    end
    client_of.call(client, 'request', 'textDocument/codeLens', question, answered, buffer)
  end
end

---Buffers in which this plugin switched lenses on.
---@type table<integer, true?>
local shown = {}

---Switches the lenses of all servers in a buffer, as Neovim has it from 0.12 on; it asks for them by itself from then on.
---@param buffer integer
---@param wanted boolean
local function show_in(buffer, wanted)
  if wanted ~= (shown[buffer] == true) then
    shown[buffer] = wanted or nil
    vim.lsp.codelens.enable(wanted, { bufnr = buffer })
  end
end

---Shows the lenses of a client's buffers, or takes them off, as the settings want it.
---@param client vim.lsp.Client
function M.refresh(client)
  local wanted = settings.current.codelens
  for buffer in pairs(client.attached_buffers) do
    if has_enable then
      show_in(buffer, wanted)
    elseif wanted then
      request(client, buffer)
    elseif not client_of.is_adopted(client) then
      vim.lsp.codelens.clear(client.id, buffer)
    end
  end
end

---From 0.12 on forgets buffers that are gone; before that, asks for lenses when a buffer is entered and after typing.
function M.install()
  local group = vim.api.nvim_create_augroup('insitu.lenses', {})
  if has_enable then
    vim.api.nvim_create_autocmd('BufDelete', {
      group = group,
      callback = function(event)
        shown[event.buf] = nil
      end,
    })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    callback = function(event)
      local client = settings.current.codelens and client_of.of(event.buf)
      if client then
        request(client, event.buf)
      end
    end,
  })
end

return M
