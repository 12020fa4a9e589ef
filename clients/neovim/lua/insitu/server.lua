-- Starts and stops the server: through vim.lsp.enable from Neovim 0.11 on, through vim.lsp.start in 0.10.
local client_of = require('insitu.client')
local message = require('insitu.message')
local settings = require('insitu.settings')

local M = {}

local has_enable = vim.fn.has('nvim-0.11') == 1
---How long `restart` waits for the old server to leave before it is killed.
local LONGEST_GOODBYE_MS = 3000

---Whether the server may start by itself when a Java file is opened.
local wanted = true
---Whether open Java buffers have been given the server.
local started = false

---Folder that a buffer's server works in; nil where the buffer is no file on disk.
---@param buffer integer
---@return string?
local function root_of(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == '' or vim.bo[buffer].buftype ~= '' or name:match('^%a[%w+.-]+://') then
    return nil
  end
  return vim.fs.root(buffer, settings.current.root_markers) or vim.fs.dirname(name)
end

---The folder to start a server in for a buffer, after making sure that there is a command; says so where there is none.
---Nil also where another client serves the buffer already.
---@param buffer integer
---@return string?
local function startable_root(buffer)
  local root = root_of(buffer)
  if not root or client_of.adopted(buffer) then
    return nil
  end
  local command, problem = require('insitu.command').find()
  if not command then
    message.warn(problem --[[@as string]])
    return nil
  end
  return root
end

---The server speaks of its troubles in whole sentences; they are shown as they are.
---@param params { type: integer, message: string }
local function show_message(_, params)
  local say = ({ message.error, message.warn })[params.type] or message.info
  say((params.message:gsub('^insitu: ', '')))
  return vim.NIL
end

---The user's settings for the server; an empty table must not become a JSON list.
---@return table
local function for_server()
  local given = settings.current.settings
  if settings.current.codelens then
    given = vim.tbl_deep_extend('keep', given, { lenses = { enabled = true } })
  end
  return next(given) and given or vim.empty_dict()
end

---The options for the start of the server: the settings, and, where bars are drawn, that hints shall carry what they need.
---@return table
local function for_start()
  local given = for_server()
  return settings.shows('bar') and { insitu = vim.tbl_extend('force', given, { graphics = true }) } or given
end

---Configuration as Neovim wants it, without a root; what it needs from the settings it reads when the server starts.
---@return vim.lsp.ClientConfig
function M.config()
  return {
    name = client_of.NAME,
    cmd = function(dispatchers)
      local command, problem = require('insitu.command').find()
      assert(command, problem)
      return vim.lsp.rpc.start(command.argv, require('insitu.failure').watch(command.argv, dispatchers))
    end,
    filetypes = { 'java' },
    root_dir = function(buffer, on_root)
      local root = startable_root(buffer)
      if root then
        on_root(root)
      end
    end,
    settings = { insitu = {} },
    before_init = function(params, config)
      config.settings.insitu = for_server()
      params.initializationOptions = for_start()
      local experimental = { insitu = { dataChanged = true } }
      params.capabilities.experimental = vim.tbl_extend('keep', experimental, params.capabilities.experimental or {})
    end,
    on_init = function(client, result)
      -- Neovim 0.10 does not keep what the server says about itself.
      client.server_info = result.serverInfo
      require('insitu.failure').forget()
      require('insitu.hints').take_over(client)
    end,
    commands = require('insitu.lenses').commands,
    handlers = {
      ['insitu/dataChanged'] = require('insitu.data').on_changed,
      ['window/showMessage'] = show_message,
      ['workspace/inlayHint/refresh'] = require('insitu.hints').on_refresh,
    },
  }
end

---@param buffer integer
---@return boolean
local function is_java(buffer)
  return vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'java'
end

---Starts the server for one buffer, or attaches it to the one that runs.
---@param buffer integer
local function start_for(buffer)
  local root = is_java(buffer) and startable_root(buffer)
  if root then
    local config = has_enable and vim.lsp.config[client_of.NAME] or M.config()
    vim.lsp.start(vim.tbl_extend('force', config, { root_dir = root }), { bufnr = buffer })
  end
end

---Starts the server for all open Java buffers, and for those opened later.
function M.start()
  wanted, started = true, true
  if has_enable then
    vim.lsp.enable(client_of.NAME)
  else
    vim.iter(vim.api.nvim_list_bufs()):each(start_for)
  end
end

---Stops the server; it stays away until `start`.
function M.stop()
  wanted, started = false, false
  if has_enable then
    vim.lsp.enable(client_of.NAME, false)
  end
  -- The first releases of 0.11 leave running servers alone; from 0.12 on `enable` stops them.
  if vim.fn.has('nvim-0.12') == 1 then
    return
  end
  for _, client in ipairs(client_of.own()) do
    client_of.call(client, 'stop')
  end
end

---Stops the server and starts it anew as soon as the old one has left.
function M.restart()
  M.stop()
  local deadline = vim.uv.now() + LONGEST_GOODBYE_MS
  local function start_when_gone()
    local remaining = client_of.own()
    if #remaining == 0 then
      return M.start()
    end
    if vim.uv.now() > deadline then
      for _, client in ipairs(remaining) do
        client_of.call(client, 'stop', true)
      end
    end
    vim.defer_fn(start_when_gone, 50)
  end
  start_when_gone()
end

---Tells running servers the present settings.
function M.settings_changed()
  for _, client in ipairs(client_of.own()) do
    local sent = { insitu = for_server() }
    if not vim.deep_equal(client.settings, sent) then
      client.settings = sent
      client_of.call(client, 'notify', 'workspace/didChangeConfiguration', { settings = sent })
    end
  end
end

---Takes this plugin's own server away from a buffer that an adopted one serves; stops it where it serves no other.
---@param buffer integer
function M.give_way(buffer)
  for _, client in ipairs(client_of.own(buffer)) do
    vim.lsp.buf_detach_client(buffer, client.id)
    if next(client.attached_buffers) == nil then
      client_of.call(client, 'stop')
    end
  end
end

---Gives a buffer this plugin's own server where the adopted one that served it has exited. Not by vim.lsp.enable, which would
---start again what the user has stopped.
---@param client vim.lsp.Client
---@param buffer integer
function M.replace(client, buffer)
  vim.schedule(function()
    local is_leaving = vim.v.exiting ~= vim.NIL
    if started and not is_leaving and client_of.call(client, 'is_stopped') then
      start_for(buffer)
    end
  end)
end

---Starts the server with Java buffers from now on, unless the setting `autostart` is off.
function M.install()
  local group = vim.api.nvim_create_augroup('insitu.server', {})
  -- Later than the event, so that a plugin manager that loads the plugin for it can call setup first.
  local function begin()
    vim.schedule(function()
      if wanted and settings.current.autostart then
        M.start()
      end
    end)
  end
  if not has_enable then
    vim.api.nvim_create_autocmd('FileType', { group = group, pattern = 'java', callback = begin })
  end
  if vim.v.vim_did_enter == 1 then
    begin()
  else
    vim.api.nvim_create_autocmd('VimEnter', { group = group, once = true, callback = begin })
  end
end

return M
