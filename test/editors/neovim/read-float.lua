-- Gives the floating window that is open: its lines, its coloured pieces of text, and where it stands; nil where there is none.
for _, window in ipairs(vim.api.nvim_list_wins()) do
  local config = vim.api.nvim_win_get_config(window)
  if config.relative ~= '' then
    local buffer = vim.api.nvim_win_get_buf(window)
    local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    local pieces = {}
    local namespace = vim.api.nvim_create_namespace('insitu.float')
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
      local text = lines[mark[2] + 1]:sub(mark[3] + 1, mark[4].end_col)
      pieces[#pieces + 1] = { line = mark[2] + 1, text = text, group = mark[4].hl_group }
    end
    return {
      lines = vim.tbl_map(function(line)
        return (line:gsub('^ ', ''):gsub('%s+$', ''))
      end, lines),
      pieces = pieces,
      row = config.row,
      column = config.col,
      width = config.width,
      height = config.height,
      bordered = type(config.border) == 'table',
      current = vim.api.nvim_get_current_win() == window,
    }
  end
end
return vim.NIL
