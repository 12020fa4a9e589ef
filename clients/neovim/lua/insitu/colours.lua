-- Colours of heat and change: groups from cold to hot, safe for colour-blind eyes, open to users and colour schemes.
local scale = require('insitu.scale')
local tint = require('insitu.tint')

local M = {}

---Heat is told by contrast with the background first, and from grey to orange second: what colour-blind eyes keep.
---@type table<string, vim.api.keyset.highlight[]>
local palettes = {
  dark = {
    { fg = '#7d8590', ctermfg = 244 },
    { fg = '#a8976f', ctermfg = 144 },
    { fg = '#cfa355', ctermfg = 179 },
    { fg = '#f0b040', ctermfg = 215 },
    { fg = '#ffd166', ctermfg = 221, bold = true },
  },
  light = {
    { fg = '#7b818a', ctermfg = 244 },
    { fg = '#7f6a45', ctermfg = 95 },
    { fg = '#865400', ctermfg = 94 },
    { fg = '#7d3a00', ctermfg = 88 },
    { fg = '#6b1e00', ctermfg = 52, bold = true },
  },
}

---How much of a heat's colour lies behind code, by step: enough to be seen, little enough to read the code on it.
local FILL = { 0.06, 0.12, 0.18, 0.25, 0.33 }
---How much of it the part of a bar has that is not the method's own.
local BAR = 0.5
---Colours of changed code have this part of their saturation and of their opacity.
local CHANGED = 0.75
---How much of the text's colour the empty part of a bar has.
local TRACK = 0.12

---Paper and ink where a colour scheme leaves them to the terminal.
local plain = { dark = { bg = 0x14161b, fg = 0xe0e2ea }, light = { bg = 0xe0e2ea, fg = 0x14161b } }

---@return { bg: integer, fg: integer }
local function page()
  local normal = vim.api.nvim_get_hl(0, { name = 'Normal', link = false })
  local default = plain[vim.o.background] or plain.dark
  return { bg = normal.bg or default.bg, fg = normal.fg or default.fg }
end

---The last definition of each group by this module, so that a definition of somebody else is left alone.
---@type table<string, vim.api.keyset.get_hl_info>
local given = {}

---Whether a group is as this module made it.
---@param name string
---@return boolean
local function is_ours(name)
  local present = vim.api.nvim_get_hl(0, { name = name, create = false })
  return next(present) == nil or vim.deep_equal(present, given[name])
end

---Defines a group, unless a user or a colour scheme did.
---@param name string
---@param colour vim.api.keyset.highlight
local function define(name, colour)
  if is_ours(name) then
    vim.api.nvim_set_hl(0, name, colour)
    given[name] = vim.api.nvim_get_hl(0, { name = name })
  end
end

---Defines the groups that follow from the colour of a step of heat, also from a colour that the user chose.
---@param level integer
---@param paper integer
local function define_shades(level, paper)
  local heat = vim.api.nvim_get_hl(0, { name = 'InsituHeat' .. level, link = false })
  local ink = heat.fg or paper
  local faded = tint.blend(tint.desaturate(ink, CHANGED), paper, CHANGED)
  define('InsituStale' .. level, { fg = faded, ctermfg = heat.ctermfg, bold = heat.bold })
  define('InsituFill' .. level, { bg = tint.blend(ink, paper, FILL[level]) })
  define('InsituBar' .. level, { bg = tint.blend(ink, paper, BAR) })
  define('InsituStaleBar' .. level, { bg = tint.blend(faded, paper, BAR) })
  define('InsituStaleFill' .. level, { bg = tint.blend(faded, paper, FILL[level] * CHANGED) })
end

---Groups that carry a colour of the server's, with that colour.
---@type table<string, integer>
local exact = {}

---Defines the groups for the present background, except groups that a user or a colour scheme defines.
function M.define()
  local now = page()
  for level, colour in ipairs(palettes[vim.o.background] or palettes.dark) do
    define('InsituHeat' .. level, colour)
    define_shades(level, now.bg)
  end
  define('InsituTrack', { bg = tint.blend(now.fg, now.bg, TRACK) })
  define('InsituWorse', { fg = tint.readable(0xff0000, now.bg) })
  define('InsituBetter', { fg = tint.readable(0x00ff00, now.bg) })
  define('InsituSame', { link = 'InsituHeat1' })
  define('InsituTitle', { link = 'Title' })
  define('InsituNote', { link = 'Comment' })
  for name, colour in pairs(exact) do
    vim.api.nvim_set_hl(0, name, { fg = tint.readable(colour, now.bg) })
  end
end

---Highlight group of a share's step of heat.
---@param heat any share, 0 to 1
---@param all? any[] shares shown together with it
---@return string
function M.group(heat, all)
  return 'InsituHeat' .. scale.level(heat, all)
end

---Highlight group of a change: neutral unless a test finds it slower or faster, else the colour that the server gave it, made readable. A
---definition of InsituWorse or InsituBetter that is the user's wins.
---@param change { angle: number, verdict: string, colour: { red: number, green: number, blue: number } }
---@return string
function M.change_group(change)
  if change.verdict ~= 'slower' and change.verdict ~= 'faster' then
    return 'InsituSame'
  end
  local name = change.angle < 0 and 'InsituWorse' or 'InsituBetter'
  if not is_ours(name) then
    return name
  end
  local colour = tint.of(change.colour.red, change.colour.green, change.colour.blue)
  local group = ('%s_%06x'):format(name, colour)
  if not exact[group] then
    exact[group] = colour
    vim.api.nvim_set_hl(0, group, { fg = tint.readable(colour, page().bg) })
  end
  return group
end

---Defines the groups now and again whenever the colour scheme or the background changes.
function M.install()
  M.define()
  local group = vim.api.nvim_create_augroup('insitu.colours', {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = M.define })
  vim.api.nvim_create_autocmd('OptionSet', { group = group, pattern = 'background', callback = M.define })
end

return M
