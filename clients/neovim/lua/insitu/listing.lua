-- Parts of lists in floating windows: the line on top, and how wide a column has to be.
local colours = require('insitu.colours')

local M = {}

---A number of samples, which the recording may not tell.
---@param count integer|userdata
---@return string
function M.count(count)
  return type(count) == 'number' and ('%d'):format(count) or '?'
end

---The line on top: what is listed, of which method, and how much of everything that is.
---@param listed string `callers of `, or nothing
---@param name string
---@param total? { share: number, text: string, count: integer, of: integer }
---@return insitu.Chunk[]
function M.head(listed, name, total)
  local chunks = { { listed, 'InsituNote' }, { name, 'InsituTitle' } }
  if type(total) == 'table' then
    chunks[3] = { '  ' .. total.text, colours.group(total.share) }
    chunks[4] = { (' · %s of %s samples'):format(M.count(total.count), M.count(total.of)), 'InsituNote' }
  end
  return chunks
end

---Columns that the longest of some texts takes.
---@generic T
---@param rows T[]
---@param text fun(row: T): string
---@return integer
function M.width(rows, text)
  local width = 0
  for _, row in ipairs(rows) do
    width = math.max(width, vim.fn.strdisplaywidth(text(row)))
  end
  return width
end

return M
