-- :Insitu overview: what the program does, in a floating window: a sentence, its hottest own code, waits, allocation, garbage collections, changes, and what is missing.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local data = require('insitu.data')
local float_of = require('insitu.float')
local graphic = require('insitu.graphic')
local listing = require('insitu.listing')
local message = require('insitu.message')
local place = require('insitu.place')

local M = {}

local KEYS = '<CR> go there · w why · q close'

---A line, and the method that it is of.
---@alias insitu.OverviewRow { chunks: insitu.Chunk[], method?: table }

---@param rows insitu.OverviewRow[]
---@param text string
local function title(rows, text)
  rows[#rows + 1] = { chunks = { { '' } } }
  rows[#rows + 1] = { chunks = { { text, 'InsituTitle' } } }
end

---One line a method: its share, an amount beside it, its name, and more words.
---@param rows insitu.OverviewRow[]
---@param list { share: table, amount: string, method: table, more: string }[]
local function methods(rows, list)
  local widths = {
    share = listing.width(list, function(each)
      return each.share.text
    end),
    amount = listing.width(list, function(each)
      return each.amount
    end),
  }
  for _, each in ipairs(list) do
    local chunks = graphic.bar(each.share.share)
    local group = colours.group(each.share.share)
    vim.list_extend(chunks, {
      { (' %' .. widths.share .. 's  '):format(each.share.text), group },
      { ('%' .. widths.amount .. 's  '):format(each.amount), 'InsituNote' },
      { each.method.label, group },
      { each.more, 'InsituNote' },
      { '  ' .. place.text(each.method), 'InsituNote' },
    })
    rows[#rows + 1] = { chunks = chunks, method = each.method }
  end
end

---@param rows insitu.OverviewRow[]
---@param what string
---@param part? { amount: string, rate: string, rows: table[] }
local function part_of(rows, what, part)
  if type(part) ~= 'table' then
    return
  end
  title(rows, ('%s: %s, %s'):format(what, part.amount, part.rate))
  methods(
    rows,
    vim.tbl_map(function(row)
      return { share = row.share, amount = row.amount, method = row.method, more = '' }
    end, vim.list_slice(part.rows, 1, 3))
  )
end

---@param rows insitu.OverviewRow[]
---@param waiting table
local function waits_of(rows, waiting)
  title(rows, ('Waiting, of %s of threads that run own code'):format(waiting.amount))
  methods(
    rows,
    vim.tbl_map(function(row)
      local held = type(row.holder) == 'string' and ', held by ' .. row.holder or ''
      local amount = (row.atLeast and '≥ ' or '') .. row.amount
      return {
        share = row.share,
        amount = amount,
        method = row.method,
        more = ('  %s, mostly %s threads%s'):format(row.words, row.threads, held),
      }
    end, waiting.rows)
  )
end

---@param rows insitu.OverviewRow[]
---@param found table?
local function collections_of(rows, found)
  if type(found) ~= 'table' then
    return
  end
  local words = 'Garbage collections: all threads stood still for %s of the time, %s'
  title(rows, words:format(found.text, found.amount))
  for _, kind in ipairs(found.kinds) do
    local row = ('%s  %d × %s'):format(kind.amount, kind.count, kind.kind)
    rows[#rows + 1] = { chunks = { { row } } }
  end
end

---@param answer table
---@return insitu.OverviewRow[]
local function rows_of(answer)
  local rows = { { chunks = { { answer.sentence, 'InsituTitle' } } }, { chunks = { { '' } } } }
  methods(
    rows,
    vim.tbl_map(function(row)
      local change = type(row.change) == 'table' and row.change.text or ''
      return { share = row.own, amount = change, method = row.method, more = '' }
    end, answer.rows)
  )
  if type(answer.waiting) == 'table' then
    waits_of(rows, answer.waiting)
  end
  for _, part in ipairs(answer.waits) do
    part_of(rows, part.metric, part)
  end
  part_of(rows, 'Allocation', answer.allocation)
  part_of(rows, 'Exceptions', answer.exceptions)
  collections_of(rows, answer.collections)
  if type(answer.changes) == 'table' then
    title(rows, 'Since ' .. answer.changes.shown)
    local findings = answer.changes.findings
    for _, finding in ipairs(findings) do
      local group = finding.verdict == 'slower' and 'InsituWorse' or 'InsituBetter'
      rows[#rows + 1] = { chunks = { { finding.text, group } } }
    end
    if #findings == 0 then
      rows[#rows + 1] = { chunks = { { answer.changes.text } } }
    end
  end
  if #answer.missing > 0 then
    title(rows, 'Missing')
  end
  for _, missing in ipairs(answer.missing) do
    local line = type(missing.line) == 'string' and ': ' .. missing.line or ''
    rows[#rows + 1] = { chunks = { { missing.text }, { '  ' .. missing.remedy .. line, 'InsituNote' } } }
  end
  rows[#rows + 1] = { chunks = { { KEYS, 'InsituNote' } } }
  return rows
end

---Shows what the program does.
function M.show()
  ask.send('overview', ask.about(), function(answer, client)
    if not answer then
      return message.info(data.empty_text(client.id))
    end
    local rows = rows_of(answer)
    local lines = vim.tbl_map(function(row)
      return row.chunks
    end, rows)
    float_of.open(lines, {
      ['<CR>'] = function(float, line)
        if rows[line] and rows[line].method then
          place.jump(float, rows[line].method)
        end
      end,
      w = function(float, line)
        local method = rows[line] and rows[line].method
        if method then
          float:close()
          local about = { method = require('insitu.subject').name_of(method) }
          require('insitu.words.why').show(vim.tbl_extend('force', ask.about(), about))
        end
      end,
    })
  end)
end

return M
