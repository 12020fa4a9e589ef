-- :Insitu aspects: how the samples divide among aspects, in a floating window; <CR> lets only the samples of one bucket count.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local data = require('insitu.data')
local float_of = require('insitu.float')
local graphic = require('insitu.graphic')
local listing = require('insitu.listing')
local message = require('insitu.message')

local M = {}

local KEYS = '<CR> only these · q close'

---A line, and the query of the samples that it is of.
---@alias insitu.AspectRow { chunks: insitu.Chunk[], query?: string }

---The remarks behind the name of a bucket.
---@param row { alsoIn?: table[], note?: string|userdata, threads: table|userdata }
---@return string
local function remarks(row)
  local also = vim.tbl_map(function(other)
    return ('%s %s'):format(other.name, other.share.text)
  end, row.alsoIn or {})
  local parts = {}
  if #also > 0 then
    parts[#parts + 1] = 'also in ' .. table.concat(also, ', ')
  end
  if type(row.threads) == 'table' and row.threads.types[1] then
    local first = row.threads.types[1]
    parts[#parts + 1] = ('%s of threads, %s %s'):format(row.threads.amount, first.text, first.words)
  end
  if type(row.note) == 'string' then
    parts[#parts + 1] = row.note
  end
  return table.concat(parts, ' · ')
end

---@param answer table
---@return insitu.AspectRow[]
local function rows_of(answer)
  local rest = vim.tbl_extend('force', answer.rest, { name = 'no aspect' })
  local list = vim.list_extend(vim.list_slice(answer.rows), { rest })
  local width = listing.width(list, function(row)
    return row.share.text
  end)
  local rows = {}
  for _, row in ipairs(list) do
    local group = colours.group(row.share.share)
    local chunks = graphic.bar(row.share.share)
    vim.list_extend(chunks, {
      { (' %' .. width .. 's  '):format(row.share.text), group },
      { row.name, group },
      { '  ' .. remarks(row), 'InsituNote' },
    })
    rows[#rows + 1] = { chunks = chunks, query = type(row.query) == 'string' and row.query or nil }
  end
  for _, problem in ipairs(answer.problems) do
    rows[#rows + 1] = { chunks = { { problem.text, 'InsituWorse' } } }
  end
  rows[#rows + 1] = { chunks = { { KEYS, 'InsituNote' } } }
  return rows
end

---Where there are no aspects: how some are made.
---@param answer table
---@return insitu.AspectRow[]
local function example_of(answer)
  if #answer.example == 0 then
    local sentence = 'There are no aspects: "aspects" in insitu.json names sets of methods.'
    return { { chunks = { { sentence, 'InsituTitle' } } } }
  end
  local aspects = vim.tbl_map(function(aspect)
    -- The order of the keys of a table is not kept.
    return ('{"name": %s, "value": %s}'):format(vim.json.encode(aspect.name), vim.json.encode(aspect.value))
  end, answer.example)
  return {
    { chunks = { { 'There are no aspects. In insitu.json:', 'InsituTitle' } } },
    { chunks = { { ('{"aspects": [%s]}'):format(table.concat(aspects, ', ')) } } },
  }
end

---Shows the buckets.
function M.show()
  ask.send('aspects', ask.about(), function(answer, client)
    if not answer then
      return message.info(data.empty_text(client.id))
    end
    local rows = #answer.rows == 0 and example_of(answer) or rows_of(answer)
    local lines = vim.tbl_map(function(row)
      return row.chunks
    end, rows)
    float_of.open(lines, {
      ['<CR>'] = function(float, line)
        local query = rows[line] and rows[line].query
        if query then
          float:close()
          require('insitu.words.path').run(query)
        end
      end,
    })
  end)
end

return M
