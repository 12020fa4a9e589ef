-- Gives the hints that stand in a buffer, by whichever of the two ways they are drawn: line, text, highlight group.
local buffer = ...

---@param mark table an extmark with details
---@return { line: integer, text: string, group: string }?
local function hint_of(mark)
  local line, details = mark[2], mark[4]
  if details.invalid then
    return nil
  end
  local texts, group = {}, nil
  for _, chunk in ipairs(details.virt_text or {}) do
    texts[#texts + 1] = chunk[1]
    group = chunk[2] or group
  end
  return { line = line + 1, text = vim.trim(table.concat(texts)), group = group or '' }
end

-- Neovim draws its own hints in the course of a redraw, where no screen asks for one.
vim.cmd('redraw!')
local hints = {}
for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
  if name == 'insitu.hints' or name:match('inlay_?hint') then
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
      hints[#hints + 1] = hint_of(mark)
    end
  end
end
table.sort(hints, function(one, other)
  return one.line < other.line
end)
return hints
