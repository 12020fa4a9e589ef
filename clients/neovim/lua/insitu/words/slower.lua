-- :Insitu slower: the callers that the edit of a method is predicted to make slower, the slowest first, in a floating window.
local ask = require('insitu.ask')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local place = require('insitu.place')

local M = {}

local FIRST_ROW = 2
local KEYS = '<CR> go there · q close'

---@param answer { method: string, rows: table[] }
---@return insitu.Chunk[][]
local function lines_of(answer)
  local width = listing.width(answer.rows, function(row)
    return row.text
  end)
  local lines = { { { 'callers that the edit makes slower: ', 'InsituNote' }, { answer.method, 'InsituTitle' } } }
  for _, row in ipairs(answer.rows) do
    local padding = (' '):rep(width - vim.fn.strdisplaywidth(row.text) + 2)
    lines[#lines + 1] = {
      { row.text .. padding, 'InsituWorse' },
      { row.method.label },
      { '  ' .. place.text(row.method), 'InsituNote' },
    }
  end
  lines[#lines + 1] = { { KEYS, 'InsituNote' } }
  return lines
end

---Shows the callers; the cursor stands on the slowest.
---@param subject table the place of the edited method
function M.show(subject)
  ask.send('slowerCallers', subject, function(answer)
    local message = require('insitu.message')
    if not answer then
      return message.info('nothing is predicted of a method here')
    end
    if #answer.rows == 0 then
      return message.info(('no caller of %s that was timed gets slower'):format(answer.method))
    end
    local float = float_of.open(lines_of(answer), {
      ['<CR>'] = function(float, line)
        local row = answer.rows[line - FIRST_ROW + 1]
        if row then
          place.jump(float, row.method)
        end
      end,
    })
    pcall(vim.api.nvim_win_set_cursor, float.window, { FIRST_ROW, 0 })
  end)
end

return M
