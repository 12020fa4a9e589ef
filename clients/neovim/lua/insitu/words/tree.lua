-- :Insitu callers and :Insitu callees: a floating tree that unfolds to any depth, with shares and counts in their colours.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local place = require('insitu.place')
local subject_of = require('insitu.subject')

local M = {}

---@class insitu.Node a row of the tree
---@field row { method: table, share: table } what the server told of it
---@field depth integer
---@field open boolean
---@field children? insitu.Node[] nil until they are asked for
---@field asked? boolean

---@class insitu.Tree
---@field question 'callers'|'callees'
---@field answer { subject: table, total: table }
---@field about table the document that was asked about
---@field roots insitu.Node[]

local FIRST_ROW = 2
local KEYS = '<Tab> unfold · <CR> go there · f focus · q close'

---@param rows table[]
---@param depth integer
---@return insitu.Node[]
local function nodes_of(rows, depth)
  return vim.tbl_map(function(row)
    return { row = row, depth = depth, open = false }
  end, rows)
end

---The rows on screen, from top to bottom.
---@param tree insitu.Tree
---@return insitu.Node[]
local function visible(tree)
  local shown, waiting = {}, {}
  local function push(nodes)
    for index = #nodes, 1, -1 do
      waiting[#waiting + 1] = nodes[index]
    end
  end
  push(tree.roots)
  while #waiting > 0 do
    local node = table.remove(waiting)
    shown[#shown + 1] = node
    if node.open and node.children then
      push(node.children)
    end
  end
  return shown
end

---@param node insitu.Node
---@return string
local function marker(node)
  if node.children and #node.children == 0 then
    return ' '
  end
  return node.open and '▾' or '▸'
end

---@param node insitu.Node
---@param widths { share: integer, count: integer }
---@return insitu.Chunk[]
local function line_of(node, widths)
  local share, method = node.row.share, node.row.method
  local group = colours.group(share.share)
  return {
    { ('%' .. widths.share .. 's'):format(share.text), group },
    { ('  %' .. widths.count .. 'd  '):format(share.count), 'InsituNote' },
    { ('  '):rep(node.depth) .. marker(node) .. ' ' },
    { method.label, group },
    { '  ' .. place.text(method), 'InsituNote' },
  }
end

---@param tree insitu.Tree
---@return insitu.Chunk[][]
local function lines_of(tree)
  local shown = visible(tree)
  local widths = {
    share = listing.width(shown, function(node)
      return node.row.share.text
    end),
    count = listing.width(shown, function(node)
      return tostring(node.row.share.count)
    end),
  }
  local lines = { listing.head(tree.question .. ' of ', tree.answer.subject.label, tree.answer.total) }
  for _, node in ipairs(shown) do
    lines[#lines + 1] = line_of(node, widths)
  end
  if #shown == 0 then
    lines[2] = { { 'none were seen', 'InsituNote' } }
  end
  lines[#lines + 1] = { { KEYS, 'InsituNote' } }
  return lines
end

---@param tree insitu.Tree
---@param line integer
---@return insitu.Node?
local function node_at(tree, line)
  return visible(tree)[line - FIRST_ROW + 1]
end

---@param tree insitu.Tree
---@param float insitu.Float
---@param node insitu.Node
local function unfold(tree, float, node)
  node.open = true
  float:show(lines_of(tree))
  if node.children or node.asked then
    return
  end
  node.asked = true
  local question = vim.tbl_extend('force', tree.about, { method = subject_of.name_of(node.row.method) })
  ask.send(tree.question, question, function(answer)
    node.children = nodes_of(answer and answer.rows or {}, node.depth + 1)
    float:show(lines_of(tree))
  end)
end

---@param tree insitu.Tree
---@param float insitu.Float
---@param node insitu.Node
local function fold(tree, float, node)
  node.open = false
  -- A question that got no answer is asked again when the row is unfolded next.
  node.asked = node.children ~= nil
  float:show(lines_of(tree))
end

---@param tree insitu.Tree
---@return table<string, fun(float: insitu.Float, line: integer)>
local function keys_of(tree)
  ---@param action fun(float: insitu.Float, node: insitu.Node)
  local function on_node(action)
    return function(float, line)
      local node = node_at(tree, line)
      if node then
        action(float, node)
      end
    end
  end
  return {
    ['<Tab>'] = on_node(function(float, node)
      (node.open and fold or unfold)(tree, float, node)
    end),
    l = on_node(function(float, node)
      unfold(tree, float, node)
    end),
    h = on_node(function(float, node)
      fold(tree, float, node)
    end),
    ['<CR>'] = on_node(function(float, node)
      place.jump(float, node.row.method)
    end),
    f = on_node(function(float, node)
      float:close()
      require('insitu.words.focus').on({ subject_of.written(node.row.method) })
    end),
  }
end

---Shows who calls a method, or whom it calls.
---@param question 'callers'|'callees'
---@param subject table
function M.show(question, subject)
  ask.send(question, subject, function(answer)
    if not answer then
      return require('insitu.message').info('nothing here was seen running (:Insitu why tells why)')
    end
    local about = { textDocument = subject.textDocument }
    local tree = { question = question, answer = answer, about = about, roots = nodes_of(answer.rows, 0) }
    local float = float_of.open(lines_of(tree), keys_of(tree))
    pcall(vim.api.nvim_win_set_cursor, float.window, { FIRST_ROW, 0 })
  end)
end

return M
