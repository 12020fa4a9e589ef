-- :Insitu why: a floating window that tells why a method has its number, or none.
local ask = require('insitu.ask')
local float_of = require('insitu.float')
local listing = require('insitu.listing')

local M = {}

---Lines are no longer than this, for reading.
local LONGEST_LINE = 78

---Breaks text at blanks so that it fits into a window.
---@param text string
---@param width integer
---@return string[]
local function wrapped(text, width)
  local lines = {}
  for _, paragraph in ipairs(vim.split(text, '\n')) do
    local line = ''
    for word in paragraph:gmatch('%S+') do
      local longer = line == '' and word or line .. ' ' .. word
      if line ~= '' and vim.fn.strdisplaywidth(longer) > width then
        lines[#lines + 1], line = line, word
      else
        line = longer
      end
    end
    lines[#lines + 1] = line
  end
  return lines
end

---@param answer { verdict: string, subject: string, total?: table, explanation: string, remedy: string, nearest: string[] }
---@return insitu.Chunk[][]
local function lines_of(answer)
  local lines = { listing.head('', answer.subject, answer.total) }
  local function add(text, group)
    for _, line in ipairs(text ~= '' and wrapped(text, math.min(LONGEST_LINE, float_of.widest() - 2)) or {}) do
      lines[#lines + 1] = { { line, group } }
    end
  end
  add(answer.explanation)
  add(answer.remedy, 'InsituNote')
  if #(answer.nearest or {}) > 0 then
    add('nearest: ' .. table.concat(answer.nearest, ', '), 'InsituNote')
  end
  return lines
end

---Explains a method's number.
---@param subject table
function M.show(subject)
  ask.send('why', subject, function(answer)
    if not answer then
      return require('insitu.message').info('no method stands here')
    end
    float_of.open(lines_of(answer))
  end)
end

return M
