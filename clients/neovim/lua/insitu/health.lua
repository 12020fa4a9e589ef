-- What :checkhealth insitu tells: versions, the command that starts the server, and how the running servers stand.
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

---What a program prints; nil and why where it fails.
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

---Called by :checkhealth insitu.
function M.check()
  check_neovim()
  check_command()
  check_servers()
end

return M
