-- Finds out why a server died at its start: what it printed, which Neovim keeps in its log alone.
local M = {}

---How long a command may take to say again why it fails.
local LONGEST_ANSWER_MS = 10000

---@class insitu.Failure
---@field argv string[] the command that failed
---@field text string one line for people

---@type insitu.Failure?
local latest

---The line of what a program printed on its standard error that tells most, without a full stop: the first that names an
---error, else the first.
---@param printed? string
---@return string?
function M.telling_line(printed)
  local lines = vim.tbl_filter(function(line)
    return line:find('%S') ~= nil
  end, vim.split(printed or '', '\r?\n'))
  local telling = lines[1]
  for _, line in ipairs(lines) do
    if line:find('^%a*Error: ') then
      telling = line
      break
    end
  end
  return telling and (vim.trim(telling):gsub('%.$', ''))
end

---Runs a command that died once more, without input, and tells the user what it printed. What fails otherwise this time
---explains nothing.
---@param argv string[]
---@param code integer exit code of the first time
local function ask(argv, code)
  pcall(vim.system, argv, { text = true, timeout = LONGEST_ANSWER_MS }, function(result)
    local line = result.code == code and M.telling_line(result.stderr)
    if line then
      latest = { argv = argv, text = ('the server quit with exit code %d: %s'):format(code, line) }
      require('insitu.message').error(latest.text)
    end
  end)
end

---The dispatchers of a server about to be started, which look into its death as well.
---@param argv string[]
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.Dispatchers
function M.watch(argv, dispatchers)
  return vim.tbl_extend('force', dispatchers, {
    on_exit = function(code, signal)
      dispatchers.on_exit(code, signal)
      if code ~= 0 and signal == 0 then
        ask(argv, code)
      end
    end,
  })
end

---Forgets the last failure: a server has started.
function M.forget()
  latest = nil
end

---Why a command failed when it was last started; nil where it did not.
---@param argv string[]
---@return string?
function M.of(argv)
  return latest and vim.deep_equal(latest.argv, argv) and latest.text or nil
end

return M
