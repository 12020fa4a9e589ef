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

---Threads, then the sums of groups that several of them are in.
---@param answer { subject: table, total: table, rows: table[], groups?: { group: string, threads: integer, share: table }[] }
---@return insitu.Chunk[][]
local function lines_of(answer)
  local groups = vim.tbl_filter(function(each)
    return each.threads > 1 and each.group ~= ''
  end, answer.groups or {})
  local width = listing.width(vim.list_extend(vim.list_slice(answer.rows), groups), function(row)
    return row.share.text
  end)
  local lines = { listing.head('threads of ', answer.subject.label, answer.total) }
  for _, row in ipairs(answer.rows) do
    lines[#lines + 1] = line_of(row.share, width, name_of(row))
  end
  for _, each in ipairs(groups) do
    lines[#lines + 1] = line_of(each.share, width, ('all %d of group %s'):format(each.threads, each.group))
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
