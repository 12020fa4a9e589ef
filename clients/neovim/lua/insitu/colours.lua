-- Colours of hints by heat: five groups from cold to hot, safe for colour-blind eyes, open to users and colour schemes.
local M = {}

---Number of heat groups, InsituHeat1 (cold) to InsituHeat5 (hot).
M.LEVELS = 5

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

---Highlight group of a heat between 0 and 1; what is no such number counts as cold. Steps grow like squares, so that
---the many small shares are told apart: 4, 16, 36 and 64 percent begin a new one.
---@param heat any
---@return string
function M.group(heat)
  local value = type(heat) == 'number' and heat == heat and math.min(math.max(heat, 0), 1) or 0
  return 'InsituHeat' .. math.min(math.floor(math.sqrt(value) * M.LEVELS) + 1, M.LEVELS)
end

---What this module gave each group last, so that a definition of somebody else is left alone.
---@type table<string, vim.api.keyset.get_hl_info>
local given = {}

---Defines the groups for the present background, except those that a user or a colour scheme defines.
function M.define()
  for level, colour in ipairs(palettes[vim.o.background] or palettes.dark) do
    local name = 'InsituHeat' .. level
    local present = vim.api.nvim_get_hl(0, { name = name, create = false })
    if next(present) == nil or vim.deep_equal(present, given[name]) then
      vim.api.nvim_set_hl(0, name, colour)
      given[name] = vim.api.nvim_get_hl(0, { name = name })
    end
  end
  vim.api.nvim_set_hl(0, 'InsituStale', { link = 'InsituHeat1', default = true })
end

---Defines the groups now and again whenever the colour scheme or the background changes.
function M.install()
  M.define()
  local group = vim.api.nvim_create_augroup('insitu.colours', {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = M.define })
  vim.api.nvim_create_autocmd('OptionSet', { group = group, pattern = 'background', callback = M.define })
end

return M
