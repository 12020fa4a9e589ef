-- :Insitu threads: a floating list of the threads that ran a method, each with a bar of its share.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local graphic = require('insitu.graphic')
local listing = require('insitu.listing')

local M = {}

local MOST_ROWS = 200

---@param row { group: string, name: string, names: integer }
---@return string
local function name_of(row)
  local name = row.names > 1 and ('%s  %d threads'):format(row.name, row.names) or row.name
  return (row.group ~= '' and row.group ~= row.name) and ('%s  (%s)'):format(name, row.group) or name
end

---@param share { share: number, text: string, count: number }
---@param width integer of the longest share
---@param text string
---@return insitu.Chunk[]
local function line_of(share, width, text)
  local line = graphic.bar(share.share)
  line[#line + 1] = { (' %' .. width .. 's'):format(share.text), colours.group(share.share) }
  line[#line + 1] = { ('  %s  '):format(listing.count(share.count)), 'InsituNote' }
  line[#line + 1] = { text }
  return line
end

---Classes of threads.
---@param answer { subjectText: string, ofAll: table, rows: table[] }
---@return insitu.Chunk[][]
local function lines_of(answer)
  local width = listing.width(answer.rows, function(row)
    return row.ofItsTime.text
  end)
  local lines = { listing.head('threads of ', answer.subjectText, answer.ofAll) }
  for _, row in ipairs(answer.rows) do
    lines[#lines + 1] = line_of(row.ofItsTime, width, name_of(row))
  end
  if #answer.rows == 0 then
    lines[2] = { { 'no threads were recorded', 'InsituNote' } }
  end
  return lines
end

---Shows on which threads a method ran.
---@param subject table
function M.show(subject)
  ask.send('threads', vim.tbl_extend('force', subject, { limit = MOST_ROWS }), function(answer)
    if not answer then
      return require('insitu.message').info('nothing here was seen running (:Insitu why tells why)')
    end
    float_of.open(lines_of(answer), {})
  end)
end

return M
