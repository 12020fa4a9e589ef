-- The subject of a question: the method under the cursor, or one that is named; and the names to complete.
local ask = require('insitu.ask')

local M = {}

---How many of the hottest methods are offered for completion.
local MOST_NAMES = 500

---As the command line of insitu writes it, `com.acme.Shop#search`.
---@param method { className: string, name: string }
---@return string
function M.written(method)
  return method.className .. '#' .. method.name
end

---A method as questions name it.
---@param method { className: string, name: string, descriptor?: string }
---@return table
function M.name_of(method)
  local descriptor = method.descriptor
  return { className = method.className, name = method.name, descriptor = descriptor or vim.NIL }
end

---The place of the cursor in the current window.
---@return table
function M.here()
  local client = ask.client()
  local encoding = client and client.offset_encoding or 'utf-16'
  return vim.lsp.util.make_position_params(0, encoding)
end

---The hottest methods, for completion.
---@return { className: string, name: string, descriptor?: string }[]
local function known_methods()
  local answer = ask.wait('top', vim.tbl_extend('force', ask.about(), { limit = MOST_NAMES }))
  return vim.tbl_map(function(row)
    return row.method
  end, answer and answer.rows or {})
end

---The one class with that simple name and such a method, of the hottest methods; else the name as it is.
---@param class string
---@param name string
---@return string
local function whole_class(class, name)
  local found = {}
  if not class:find('.', 1, true) then
    for _, method in ipairs(known_methods()) do
      if method.name == name and vim.endswith(method.className, '.' .. class) then
        found[method.className] = true
      end
    end
  end
  local classes = vim.tbl_keys(found)
  return #classes == 1 and classes[1] or class
end

---The subject that an argument names: a method, written `com.acme.Shop#search` or, where that is clear, `Shop.search`, with or without
---its parameters; without an argument, the place of the cursor.
---@param argument string
---@return table? subject
function M.of(argument)
  if argument == '' then
    return M.here()
  end
  local class, name = argument:gsub('%s*%(.*$', ''):match('^(.+)[#.]([^#.]+)$')
  if not class then
    local message = require('insitu.message')
    message.forget()
    message.error(('"%s" names no method; write it com.acme.Shop#search'):format(argument))
    return nil
  end
  local subject = ask.about()
  subject.method = { className = whole_class(class, name), name = name, descriptor = vim.NIL }
  return subject
end

---Names of methods that contain what was typed.
---@param typed string
---@return string[]
function M.complete(typed)
  local seen, names = {}, {}
  for _, method in ipairs(known_methods()) do
    local written = M.written(method)
    if not seen[written] and written:lower():find(typed:lower(), 1, true) then
      seen[written] = true
      names[#names + 1] = written
    end
  end
  return names
end

return M
