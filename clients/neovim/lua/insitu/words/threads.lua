-- :Insitu threads: a floating list of the threads that ran a method, each with a bar of its share.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local graphic = require('insitu.graphic')
local listing = require('insitu.listing')

local M = {}

---@param row { group: string, name: string, virtual: boolean }
---@return string
local function name_of(row)
  local name = row.name ~= '' and row.name or (row.virtual and 'unnamed virtual threads' or 'unnamed')
  return (row.group ~= '' and row.group ~= row.name) and ('%s  (%s)'):format(name, row.group) or name
end

---@param answer { subject: table, total: table, rows: table[] }
---@return insitu.Chunk[][]
local function lines_of(answer)
  local width = listing.width(answer.rows, function(row)
    return row.share.text
  end)
  local lines = { listing.head('threads of ', answer.subject.label, answer.total) }
  for _, row in ipairs(answer.rows) do
    local line = graphic.bar(row.share.share)
    line[#line + 1] = { (' %' .. width .. 's'):format(row.share.text), colours.group(row.share.share) }
    line[#line + 1] = { ('  %d  '):format(row.share.count), 'InsituNote' }
    line[#line + 1] = { name_of(row) }
    lines[#lines + 1] = line
  end
  if #answer.rows == 0 then
    lines[2] = { { 'no threads were recorded', 'InsituNote' } }
  end
  return lines
end

---Shows on which threads a method ran.
---@param subject table
function M.show(subject)
  ask.send('threads', subject, function(answer)
    if not answer then
      return require('insitu.message').info('nothing here was seen running (:Insitu why tells why)')
    end
    float_of.open(lines_of(answer), {})
  end)
end

return M
