-- Word-sized graphics: a bar of a share, and arrows and squares for callers, callees and threads, as coloured text.
local colours = require('insitu.colours')

local M = {}

---@alias insitu.Chunk [string, (string|string[])?] text and its highlight group, or several on top of each other

---Cells of a bar.
local WIDTH = 8
---From this share of a method on, a caller or callee has an arrow, and a group of threads a square.
local LEAST_AROUND, LEAST_THREADS = 0.1, 0.05
local MOST_ARROWS, MOST_SQUARES = 3, 6

---An eighth of a cell to seven eighths, filled from the left.
local EIGHTHS = { '▏', '▎', '▍', '▌', '▋', '▊', '▉' }

---A bar as long as a share; the dark part of it is the method's own.
---@param share number 0 to 1
---@param self? number of the share, 0 to 1; default: all of it
---@param heat_group? string default: by the share
---@return insitu.Chunk[]
function M.bar(share, self, heat_group)
  local group = heat_group or colours.group(share)
  local fill = group:gsub('Heat', 'Bar'):gsub('^InsituStale(%d)$', 'InsituStaleBar%1')
  local whole = math.min(math.max(share, 0), 1)
  local eighths = math.floor(whole * (self or 1) * WIDTH * 8 + 0.5)
  local full, part = math.floor(eighths / 8), eighths % 8
  local reached = math.max(math.ceil(whole * WIDTH - 1e-9), full + (part > 0 and 1 or 0))
  local inside = self and fill or 'InsituTrack'
  local chunks = {}
  local function add(text, groups)
    if text ~= '' then
      chunks[#chunks + 1] = { text, groups }
    end
  end
  add(('█'):rep(full), group)
  if part > 0 then
    add(EIGHTHS[part], { inside, group })
  end
  local drawn = full + (part > 0 and 1 or 0)
  if self then
    add((' '):rep(reached - drawn), fill)
    drawn = reached
  end
  add((' '):rep(WIDTH - drawn), 'InsituTrack')
  return chunks
end

---@param mark string
---@param shares number[] heaviest first
---@param least number
---@param most integer
---@param heat number of the method: colours go by the share of everything
---@return insitu.Chunk[]
local function marks(mark, shares, least, most, heat)
  local chunks = {}
  for index = 1, math.min(#shares, most) do
    if shares[index] >= least then
      chunks[#chunks + 1] = { mark, colours.group(shares[index] * heat) }
    end
  end
  return chunks
end

---The chunks before a hint's text and the chunks behind it; none where the hint does not know its surroundings.
---@param data { heat?: number, callers?: table, callees?: table, selfOfMethod?: table, threads?: table } data of a hint
---@param heat_group string
---@return insitu.Chunk[] before
---@return insitu.Chunk[] behind
function M.around(data, heat_group)
  if type(data.callers) ~= 'table' or type(data.selfOfMethod) ~= 'table' then
    return {}, {}
  end
  local heat = data.heat or 0
  local before = marks('◂', data.callers.largest or {}, LEAST_AROUND, MOST_ARROWS, heat)
  if #before > 0 then
    before[#before + 1] = { ' ' }
  end
  local behind = { { ' ' } }
  vim.list_extend(behind, M.bar(heat, data.selfOfMethod.share or 0, heat_group))
  local shares = vim.tbl_map(function(group)
    return group.share
  end, (data.threads or {}).groups or {})
  for _, more in ipairs({
    marks('▸', (data.callees or {}).largest or {}, LEAST_AROUND, MOST_ARROWS, heat),
    marks('▪', shares, LEAST_THREADS, MOST_SQUARES, heat),
  }) do
    if #more > 0 then
      behind[#behind + 1] = { ' ' }
      vim.list_extend(behind, more)
    end
  end
  return before, behind
end

return M
