-- The report of :checkhealth insitu: versions, the command that starts the server, and how the running servers stand.
local M = {}

local function check_neovim()
  vim.health.start('insitu: Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10') == 1 then
    vim.health.ok('Neovim ' .. version)
  else
    vim.health.error('Neovim ' .. version .. ' is too old', { 'Install Neovim 0.10 or newer.' })
  end
end

---The output of a program; nil and the reason where it fails.
---@param argv string[]
---@return string?, string?
local function output_of(argv)
  local started, process = pcall(vim.system, argv, { text = true })
  if not started then
    return nil, tostring(process)
  end
  local result = process:wait(10000)
  if result.code == 0 then
    return vim.trim(result.stdout or '')
  end
  local line = require('insitu.failure').telling_line(result.stderr)
  return nil, ('exit code %d%s'):format(result.code, line and ': ' .. line or '')
end

---Tells why the server died when it was last started.
---@param argv string[]
local function check_last_start(argv)
  local failure = require('insitu.failure').of(argv)
  if failure then
    vim.health.error(failure, { ':Insitu start tries again.' })
  end
end

local function check_command()
  vim.health.start('insitu: server command')
  local command, problem = require('insitu.command').find()
  if not command then
    return vim.health.error(problem --[[@as string]], { 'See :help insitu-command.' })
  end
  vim.health.ok(('%s (%s)'):format(table.concat(command.argv, ' '), command.origin))
  if command.node then
    vim.health.ok('Node ' .. command.node)
  end
  local arguments = #command.argv
  if command.argv[arguments - 1] ~= 'lsp' then
    vim.health.info('its version is not asked for: the command does not end in "lsp --stdio"')
    return check_last_start(command.argv)
  end
  local asked = vim.list_slice(command.argv, 1, arguments - 2)
  asked[#asked + 1] = '--version'
  local version, reason = output_of(asked)
  if version then
    vim.health.ok('insitu ' .. version)
    check_last_start(command.argv)
  else
    vim.health.error(
      ('"%s" fails: %s'):format(table.concat(asked, ' '), reason),
      { 'insitu needs Node 22.18 or newer; :help insitu-command tells which one is taken.' }
    )
  end
end

local function check_servers()
  vim.health.start('insitu: running servers')
  local clients = require('insitu.client').all()
  if #clients == 0 then
    vim.health.info('none; one starts with the first Java file')
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    local where = client.config.root_dir or vim.fn.getcwd()
    vim.health.ok(('%s: attached to %d buffer%s'):format(where, buffers, buffers == 1 and '' or 's'))
  end
  local settings = require('insitu.settings').current
  local shown, drawer = settings.hints and 'shown' or 'hidden', settings.native and 'vim.lsp.inlay_hint' or 'insitu'
  vim.health.info(('hints are %s, drawn by %s'):format(shown, drawer))
  vim.health.info('log of the servers: ' .. require('vim.lsp.log').get_filename())
end

---Whether a running server answers what the words of :Insitu ask.
---@param client vim.lsp.Client
local function check_questions(client)
  local provider = client.server_capabilities.executeCommandProvider
  local commands = type(provider) == 'table' and provider.commands or {}
  local missing = vim.tbl_filter(function(command)
    return not vim.tbl_contains(commands, command)
  end, vim.tbl_keys(require('insitu.lenses').commands))
  if #missing == 0 then
    return vim.health.ok('the server answers all words of :Insitu')
  end
  table.sort(missing)
  local advice = { 'Update the server to the version of this plugin.' }
  vim.health.warn('the server does not know ' .. table.concat(missing, ', '), advice)
end

local function check_view()
  vim.health.start('insitu: what is looked at')
  local clients = require('insitu.client').all()
  if #clients == 0 then
    vim.health.info('nothing yet: no server runs')
  end
  for _, client in ipairs(clients) do
    for _, line in ipairs(require('insitu.data').lines(client.id)) do
      vim.health.info(line)
    end
    local view = require('insitu.data').view(client.id)
    vim.health.info('the 100 %: ' .. (view.focus or 'everything'))
    vim.health.info('compared with: ' .. (view.baseline or 'nothing'))
    check_questions(client)
  end
end

local function check_drawing()
  vim.health.start('insitu: drawing')
  local settings = require('insitu.settings')
  local now = settings.current
  vim.health.info(('hints are drawn as %s; scale of heat: %s'):format(table.concat(now.marks, ', '), now.scale))
  vim.health.info(('code lenses are %s'):format(now.codelens and 'shown' or 'off'))
  if vim.o.termguicolors or vim.fn.has('gui_running') == 1 then
    vim.health.ok("colours are exact ('termguicolors')")
  else
    vim.health.info("backgrounds and bars need 'termguicolors'; without it hints have the terminal's nearest colours")
  end
  if settings.shows('sign') and vim.o.signcolumn == 'no' then
    vim.health.warn("the option marks has \"sign\", but 'signcolumn' is \"no\"", { "Set 'signcolumn' to auto or yes." })
  end
  if now.native and not vim.deep_equal(now.marks, { 'text' }) then
    vim.health.warn('the option marks has no effect with native = true', { 'Set native = false.' })
  end
end

---Called by :checkhealth insitu.
function M.check()
  check_neovim()
  check_command()
  check_servers()
  check_view()
  check_drawing()
end

return M
