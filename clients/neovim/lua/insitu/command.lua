-- Finds the command that starts the server: the setting, else insitu on PATH, else the checkout this plugin stands in.
local M = {}

---Oldest Node that runs the server.
local OLDEST_NODE = { 22, 18, 0 }

---@class insitu.Command
---@field argv string[] program and arguments
---@field origin string where it was found, for people
---@field node? string version of the Node that runs it, where this plugin chose the Node

---Folder of the checkout or npm package that holds this plugin.
---@return string
function M.checkout()
  local here = vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2))
  return vim.fn.fnamemodify(vim.uv.fs_realpath(here) or here, ':h:h:h:h:h')
end

---Versions already asked for, by program.
---@type table<string, string|false>
local asked = {}

---Version of a Node as it prints it, without the `v`; nil where the program does not run.
---@param program string
---@return string?
local function version_of(program)
  if asked[program] == nil then
    local started, process = pcall(vim.system, { program, '--version' }, { text = true })
    local result = started and process:wait(5000) or { code = 1, stdout = '' }
    asked[program] = result.code == 0 and vim.trim(result.stdout or ''):match('^v(%d+%.%d+%.%d+)') or false
  end
  return asked[program] or nil
end

---@param cmd string|string[]
---@return insitu.Command?, string?
local function from_setting(cmd)
  local argv = type(cmd) == 'string' and { cmd, 'lsp', '--stdio' } or vim.deepcopy(cmd) --[[@as string[] ]]
  argv[1] = vim.fn.expand(argv[1] or '')
  if vim.fn.executable(argv[1]) == 0 then
    return nil, ('the option cmd names "%s", which is not an executable program'):format(argv[1])
  end
  return { argv = argv, origin = 'option cmd' }
end

---The Nodes that may run a checkout's server, best first.
---@param checkout string
---@param setting? string
---@return string[]
local function candidate_nodes(checkout, setting)
  if setting then
    return { vim.fn.expand(setting) }
  end
  local pinned = checkout .. '/node_modules/.bin/node'
  return vim.fn.executable(pinned) == 1 and { pinned, 'node' } or { 'node' }
end

---@param checkout string
---@param setting? string
---@return insitu.Command?, string?
local function from_checkout(checkout, setting)
  local bundle = checkout .. '/dist/bin/insitu.cjs'
  if not vim.uv.fs_stat(bundle) then
    local reason = 'found no server: no insitu on PATH, and %s is not built (run "npm install && npm run build" there)'
    return nil, reason:format(checkout)
  end
  local refused = {}
  for _, program in ipairs(candidate_nodes(checkout, setting)) do
    local version = version_of(program)
    if version and vim.version.ge(version, OLDEST_NODE) then
      return { argv = { program, bundle, 'lsp', '--stdio' }, origin = 'checkout ' .. checkout, node = version }
    end
    refused[#refused + 1] = version and ('%s is %s'):format(program, version) or ('%s does not run'):format(program)
  end
  local reason = 'needs Node %s or newer, but %s; name another with require("insitu").setup({ node = "/path/to/node" })'
  return nil, reason:format(table.concat(OLDEST_NODE, '.', 1, 2), table.concat(refused, ', '))
end

---The command that starts the server, or nil and one sentence saying why there is none.
---@return insitu.Command?, string?
function M.find()
  local settings = require('insitu.settings').current
  if settings.cmd then
    return from_setting(settings.cmd)
  end
  local installed = vim.fn.exepath('insitu')
  if installed ~= '' and not settings.node then
    return { argv = { installed, 'lsp', '--stdio' }, origin = 'insitu on PATH' }
  end
  return from_checkout(M.checkout(), settings.node)
end

return M
