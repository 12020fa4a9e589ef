-- The plugin's settings: their defaults, their types, and the values that hold now.
local M = {}

---@class insitu.Options
---@field cmd? string|string[] command that starts the server; default: looked for (see command.lua)
---@field node? string Node that runs a checkout's server
---@field autostart? boolean start the server when a Java file is opened
---@field hints? boolean show hints
---@field native? boolean leave drawing to vim.lsp.inlay_hint, without colours
---@field marks? ('text'|'bar'|'sign'|'background'|'line')[] how a hint is shown
---@field scale? 'root'|'linear'|'log'|'quantile' how shares become steps of heat
---@field codelens? boolean show code lenses
---@field top? 'quickfix'|'pick' where :Insitu top shows its list
---@field border? string border of floating windows; default: 'winborder'
---@field debounce_ms? integer time without a change before hints are asked for anew
---@field root_markers? string[] files or folders that mark the root of a workspace, most telling first
---@field settings? table settings of the server, as in insitu.json

---@type insitu.Options
local defaults = {
  cmd = nil,
  node = nil,
  autostart = true,
  hints = true,
  native = false,
  marks = { 'text' },
  scale = 'root',
  codelens = false,
  top = 'quickfix',
  border = nil,
  debounce_ms = 150,
  root_markers = { 'insitu.json', '.git' },
  settings = {},
}

local types = {
  cmd = { 'string', 'table' },
  node = { 'string' },
  autostart = { 'boolean' },
  hints = { 'boolean' },
  native = { 'boolean' },
  marks = { 'table' },
  scale = { 'string' },
  codelens = { 'boolean' },
  top = { 'string' },
  border = { 'string' },
  debounce_ms = { 'number' },
  root_markers = { 'table' },
  settings = { 'table' },
}

---The words that an option, or each entry of its list, may be.
---@type table<string, string[]>
M.words = {
  marks = { 'background', 'bar', 'line', 'sign', 'text' },
  scale = { 'linear', 'log', 'quantile', 'root' },
  top = { 'pick', 'quickfix' },
  border = { 'bold', 'double', 'none', 'rounded', 'shadow', 'single', 'solid' },
}

---@type insitu.Options
M.current = vim.deepcopy(defaults)

---The flaw of one option, or nil.
---@param key string
---@param value any
---@return string?
local function complaint(key, value)
  local allowed = types[key]
  if not allowed then
    local known = vim.tbl_keys(types)
    table.sort(known)
    return ('unknown option "%s"; known are %s'):format(key, table.concat(known, ', '))
  end
  if not vim.tbl_contains(allowed, type(value)) then
    return ('option "%s" must be a %s, not a %s'):format(key, table.concat(allowed, ' or a '), type(value))
  end
  for _, word in ipairs(M.words[key] and (type(value) == 'table' and value or { value }) or {}) do
    if not vim.tbl_contains(M.words[key], word) then
      local known = table.concat(M.words[key], ', ')
      return ('option "%s" knows %s, not "%s"'):format(key, known, tostring(word))
    end
  end
  return nil
end

---Takes over what is right in `options` and says what is wrong with the rest.
---@param options insitu.Options
function M.change(options)
  for key, value in pairs(options) do
    local wrong = complaint(key, value)
    if wrong then
      require('insitu.message').warn(wrong)
    else
      M.current[key] = vim.deepcopy(value)
    end
  end
end

---Whether hints are shown in one of the ways.
---@param mark 'text'|'bar'|'sign'|'background'|'line'
---@return boolean
function M.shows(mark)
  return vim.tbl_contains(M.current.marks, mark)
end

return M
