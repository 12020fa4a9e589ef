-- :Insitu moved: which methods' shares moved against what is compared with, in a floating window.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local data = require('insitu.data')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local message = require('insitu.message')
local place = require('insitu.place')

local M = {}

local MOST_ROWS = 200

---@param share number
---@return string
local function percent(share)
  return ('%.1f%%'):format(share * 100)
end

---@param row { method: table, change: table }
---@param width integer
---@return insitu.Chunk[]
local function line_of(row, width)
  local group = colours.change_group(row.change)
  local padding = (' '):rep(width - vim.fn.strdisplaywidth(row.change.text))
  return {
    { padding .. row.change.text, group },
    { ('  %6s to %6s  '):format(percent(row.change.baseline), percent(row.change.current)), 'InsituNote' },
    { row.method.label, group },
    { '  ' .. place.text(row.method), 'InsituNote' },
  }
end

---Lines beside the rows: the head, the keys, and the lines of the screen below the window.
local OTHER_LINES = 5

---@param answer { origin: { baseline: string }, problems: { text: string }[], rows: table[] }
---@param all boolean more than fit on the screen
---@return insitu.Chunk[][]
---@return table[] rows that are shown
local function lines_of(answer, all)
  local rows = answer.rows
  local more = #rows - math.max(vim.o.lines - OTHER_LINES, 5)
  if all or more <= 0 then
    more = 0
  end
  local shown = vim.list_slice(rows, 1, #rows - more)
  local width = listing.width(shown, function(row)
    return row.change.text
  end)
  local lines = { listing.head('compared with ', answer.origin.baseline) }
  for _, row in ipairs(shown) do
    lines[#lines + 1] = line_of(row, width)
  end
  if #shown == 0 then
    lines[2] = { { 'no share moved', 'InsituNote' } }
  elseif more > 0 then
    lines[#lines + 1] = { { ('a: %d smaller changes'):format(more), 'InsituNote' } }
  end
  for _, problem in ipairs(answer.problems) do
    lines[#lines + 1] = { { problem.text, 'InsituNote' } }
  end
  return lines, shown
end

---@param answer { origin: { baseline: string }, problems: { text: string }[], rows: table[] }
local function open(answer)
  local lines, shown = lines_of(answer, false)
  float_of.open(lines, {
    ['<CR>'] = function(float, line)
      local row = shown[line - 1]
      if row then
        place.jump(float, row.method)
      end
    end,
    a = function(float)
      lines, shown = lines_of(answer, true)
      float:show(lines)
    end,
  })
end

---Shows whose share moved.
function M.show()
  ask.send('moved', vim.tbl_extend('force', ask.about(), { limit = MOST_ROWS }), function(answer, client)
    if answer then
      return open(answer)
    end
    message.info(data.empty_text(client.id))
  end)
end

return M
