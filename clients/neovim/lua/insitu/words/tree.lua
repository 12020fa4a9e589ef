-- :Insitu callers and :Insitu callees: a floating tree that unfolds to any depth, with shares and counts in their colours.
local ask = require('insitu.ask')
local colours = require('insitu.colours')
local float_of = require('insitu.float')
local listing = require('insitu.listing')
local place = require('insitu.place')
local subject_of = require('insitu.subject')

local M = {}

---@class insitu.Node a row of the tree
---@field row table what the server told of it
---@field depth integer
---@field open boolean
---@field children? insitu.Node[] nil until they are asked for
---@field asked? boolean

---@class insitu.Tree
---@field question 'callers'|'callees'
---@field title string what was asked about
---@field total? table its share of everything
---@field roots insitu.Node[]

local FIRST_ROW = 2
local KEYS = '<Tab> unfold · <CR> go there · f focus · q close'
local DIRECTIONS = { callers = 'incoming', callees = 'outgoing' }

---@param rows table[]
---@param depth integer
---@return insitu.Node[]
local function nodes_of(rows, depth)
  return vim.tbl_map(function(row)
    local children = row.rows and nodes_of(row.rows, depth + 1)
    return { row = row, depth = depth, open = children ~= nil and #children > 0, children = children }
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

---The note of a call that is only written, without numbers: its place, and that it did not run.
---@param row table
---@return string
local function note_of(row)
  if not row.written then
    return place.text(row)
  end
  return row.location and ('%s · %s'):format(place.text(row), row.detail) or row.detail
end

---@param node insitu.Node
---@param widths { share: integer, count: integer }
---@return insitu.Chunk[]
local function line_of(node, widths)
  local row = node.row
  local group = row.share and colours.group(row.share.share) or 'InsituNote'
  return {
    { ('%' .. widths.share .. 's'):format(row.share and row.share.text or ''), group },
    { ('  %' .. widths.count .. 's  '):format(row.share and listing.count(row.share.count) or ''), 'InsituNote' },
    { ('  '):rep(node.depth) .. marker(node) .. ' ' },
    { row.label, group },
    { '  ' .. note_of(row), 'InsituNote' },
  }
end

---@param tree insitu.Tree
---@return insitu.Chunk[][]
local function lines_of(tree)
  local shown = visible(tree)
  local widths = {
    share = listing.width(shown, function(node)
      return node.row.share and node.row.share.text or ''
    end),
    count = listing.width(shown, function(node)
      return node.row.share and listing.count(node.row.share.count) or ''
    end),
  }
  local lines = { listing.head(tree.question .. ' of ', tree.title, tree.total) }
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
  local question = { item = node.row.item, direction = DIRECTIONS[tree.question] }
  ask.send('callHierarchy', question, function(answer)
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
  local turn = on_node(function(float, node)
    (node.open and fold or unfold)(tree, float, node)
  end)
  return {
    ['<Tab>'] = turn,
    o = turn,
    l = on_node(function(float, node)
      unfold(tree, float, node)
    end),
    h = on_node(function(float, node)
      fold(tree, float, node)
    end),
    ['<CR>'] = on_node(function(float, node)
      place.jump(float, node.row)
    end),
    f = on_node(function(float, node)
      float:close()
      require('insitu.words.focus').on(vim.tbl_map(subject_of.written, node.row.methods))
    end),
  }
end

---One method is the title of its tree; several, such as overloads, are rows of it.
---@param question 'callers'|'callees'
---@param rows table[] what was asked about, each with the rows below it
---@return insitu.Tree
local function tree_of(question, rows)
  local first = rows[1]
  if #rows > 1 then
    local title = ('%s and %d more'):format(first.label, #rows - 1)
    return { question = question, title = title, roots = nodes_of(rows, 0) }
  end
  local title = first.label
  -- Of a method without code: what it stands for.
  local behind = first.share and (first.detail or ''):match('^(what ran behind it: .-) · ')
  if behind then
    title = ('%s (%s)'):format(title, behind)
  end
  return { question = question, title = title, total = first.share, roots = nodes_of(first.rows or {}, 0) }
end

---Shows who calls a method, or whom it calls, as it ran and as it is written.
---@param question 'callers'|'callees'
---@param subject table
function M.show(question, subject)
  local asked = vim.tbl_extend('force', subject, { direction = DIRECTIONS[question] })
  ask.send('callHierarchy', asked, function(answer)
    local rows = answer and answer.rows or {}
    if #rows == 0 then
      return require('insitu.message').info('nothing here was seen running (:Insitu why tells why)')
    end
    local tree = tree_of(question, rows)
    local float = float_of.open(lines_of(tree), keys_of(tree))
    pcall(vim.api.nvim_win_set_cursor, float.window, { FIRST_ROW, 0 })
  end)
end

return M
