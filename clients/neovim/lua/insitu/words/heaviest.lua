-- :Insitu heaviest: the heaviest path from everything, or a method, to where the time is spent, in a floating window.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local place = require('insitu.place')

local M = {}

local FIRST_ROW = 2
local KEYS = '<CR> go there · f focus · q close'

---@param row { method: table, ofAll: table, self: table }
---@param depth integer
---@param widths { share: integer, own: integer }
---@return insitu.Chunk[]
local function line_of(row, depth, widths)
  local group = colours.group(row.ofAll.share)
  local own = row.self.count ~= 0 and 'self ' .. row.self.text or ''
  return {
    { ('%' .. widths.share .. 's'):format(row.ofAll.text), group },
    { ('  %-' .. widths.own .. 's  '):format(own), row.self.count ~= 0 and colours.group(row.self.share) or 'InsituNote' },
    { (' '):rep(depth) },
    { row.method.label, group },
    { '  ' .. place.text(row.method), 'InsituNote' },
  }
end

---@param rows table[]
---@return insitu.Chunk[][]
local function lines_of(rows)
  local widths = {
    share = listing.width(rows, function(row)
      return row.ofAll.text
    end),
    own = listing.width(rows, function(row)
      return row.self.count ~= 0 and 'self ' .. row.self.text or ''
    end),
  }
  local lines = { { { 'the heaviest path; shares are of all', 'InsituNote' } } }
  for depth, row in ipairs(rows) do
    lines[#lines + 1] = line_of(row, depth - 1, widths)
  end
  lines[#lines + 1] = { { KEYS, 'InsituNote' } }
  return lines
end

---The line of the deepest method that has a source here, else of the last one.
---@param rows table[]
---@return integer
local function line_to_go_to(rows)
  for index = #rows, 1, -1 do
    if type(rows[index].method.location) == 'table' then
      return index + FIRST_ROW - 1
    end
  end
  return #rows + FIRST_ROW - 1
end

---Shows the path; the cursor stands on the deepest method with a source.
---@param subject? table where it begins; everything when absent
function M.show(subject)
  ask.send('heaviestPath', subject or ask.about(), function(answer, client)
    local rows = answer and answer.rows or {}
    if #rows == 0 then
      local text = subject and 'nothing here was seen running (:Insitu why tells why)'
      return require('insitu.message').info(text or require('insitu.data').empty_text(client.id))
    end
    ---@param action fun(float: insitu.Float, method: table)
    local function on_row(action)
      return function(float, line)
        local row = rows[line - FIRST_ROW + 1]
        if row then
          action(float, row.method)
        end
      end
    end
    local float = float_of.open(lines_of(rows), {
      ['<CR>'] = on_row(place.jump),
      f = on_row(function(float, method)
        float:close()
        require('insitu.words.focus').on({ require('insitu.subject').written(method) })
      end),
    })
    pcall(vim.api.nvim_win_set_cursor, float.window, { line_to_go_to(rows), 0 })
  end)
end

return M
