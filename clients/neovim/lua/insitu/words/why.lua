-- :Insitu why: a floating window that tells why a method has its number, or none, and how a hot one is reached and left.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local place = require('insitu.place')

local M = {}

---Lines are no longer than this, for reading.
local LONGEST_LINE = 78
local KEYS = '<CR> go there · q close'

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

---Adds the lines of a heaviest way.
---@param lines insitu.Chunk[][]
---@param methods table<integer, table>
---@param title string
---@param rows { method: table, ofItsTime: table }[]
local function add_way(lines, methods, title, rows)
  if #rows > 0 then
    lines[#lines + 1] = { { title, 'InsituNote' } }
  end
  local width = listing.width(rows, function(row)
    return row.ofItsTime.text
  end)
  for _, row in ipairs(rows) do
    local group = colours.group(row.ofItsTime.share)
    lines[#lines + 1] = {
      { ('  %' .. width .. 's  '):format(row.ofItsTime.text), group },
      { row.method.label, group },
      { '  ' .. place.text(row.method), 'InsituNote' },
    }
    methods[#lines] = row.method
  end
end

---Classes of what is allocated, thrown or waited for, with their parts.
---@param lines insitu.Chunk[][]
---@param objects table
local function add_objects(lines, objects)
  lines[#lines + 1] = { { objects.title .. ' · ' .. objects.amount, 'InsituNote' } }
  local width = listing.width(objects.rows, function(row)
    return row.share
  end)
  for _, row in ipairs(objects.rows) do
    lines[#lines + 1] = { { ('  %' .. width .. 's  '):format(row.share) }, { row.text } }
  end
  if objects.leftOut > 0 then
    lines[#lines + 1] = { { ('  %d more'):format(objects.leftOut), 'InsituNote' } }
  end
end

---@class insitu.Why
---@field verdict string
---@field subject string
---@field ofAll? table
---@field explanation string
---@field remedy string
---@field nearest string[]
---@field calledBy table[]
---@field spentIn table[]
---@field objects table[]

---@param answer insitu.Why
---@return insitu.Chunk[][]
---@return table<integer, table> methods by their lines
local function lines_of(answer)
  local lines = { listing.head('', answer.subject, answer.ofAll) }
  local function add(text, group)
    for _, line in ipairs(text ~= '' and wrapped(text, math.min(LONGEST_LINE, float_of.widest() - 2)) or {}) do
      lines[#lines + 1] = { { line, group } }
    end
  end
  add(answer.explanation)
  add(require('insitu.shown').in_words(answer.remedy), 'InsituNote')
  if #answer.nearest > 0 then
    add('nearest: ' .. table.concat(answer.nearest, ', '), 'InsituNote')
  end
  local methods = {}
  add_way(lines, methods, 'mostly called by, each by the next', answer.calledBy)
  add_way(lines, methods, 'mostly spent in, each calling the next', answer.spentIn)
  for _, objects in ipairs(answer.objects) do
    add_objects(lines, objects)
  end
  if next(methods) then
    lines[#lines + 1] = { { KEYS, 'InsituNote' } }
  end
  return lines, methods
end

---Explains a method's number.
---@param subject table
function M.show(subject)
  ask.send('why', subject, function(answer)
    if not answer then
      return require('insitu.message').info('no method stands here')
    end
    local lines, methods = lines_of(answer)
    float_of.open(lines, next(methods) and {
      ['<CR>'] = function(float, line)
        if methods[line] then
          place.jump(float, methods[line])
        end
      end,
    })
  end)
end

return M
