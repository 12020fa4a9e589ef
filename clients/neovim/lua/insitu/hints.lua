-- Asks the server for hints at the right moments and hands the answers to the drawing; outdated answers are dropped.
local client_of = require('insitu.client')
local draw = require('insitu.draw')
local settings = require('insitu.settings')

local M = {}

---Files up to this many lines are asked for as a whole, so that scrolling never waits.
local WHOLE_FILE_LINES = 5000
---Files up to this many lines are asked for as a whole after each change of the text as well.
local WHOLE_AFTER_CHANGE_LINES = 2000
---After so many milliseconds without a change, a file of which only a part was asked for after the change is asked for as a whole.
local SETTLED_MILLIS = 1000
---Lines asked for above and below the visible ones in longer files.
local MARGIN_LINES = 500
---How often a request that the server gave up (its own cancellation, content modified) is repeated.
local MOST_REPEATS = 3
---How often in a row Neovim is made to ask an adopted client once more because the answer to the same text has changed.
local MOST_REDRAWS = 5
local CONTENT_MODIFIED, SERVER_CANCELLED = -32801, -32802

---@class insitu.BufferState
---@field timer uv.uv_timer_t
---@field edits integer counts changes, to know an outdated answer
---@field repeats integer how often the present question was repeated
---@field is_edited boolean the next question follows a change of the text
---@field is_renewed boolean hints of other data may come: marks outside the next answer are outdated
---@field hidden boolean a question waits until the buffer is shown
---@field pending? { client: vim.lsp.Client, id: integer } the question on its way
---@field span? { first: integer, last: integer } lines that the last answer covered
---@field waiting fun()[] called after the latest question, which is about all lines, is answered

---@type table<integer, insitu.BufferState>
local states = {}

---Whether a hint is insitu's: an adopted client has those of another server too.
---@param hint table
---@return boolean
local function is_drawn_here(hint)
  return type(hint.data) == 'table' and type(hint.data.heat) == 'number'
end

---The lines to ask for: all, or those around the windows that show the buffer. Counted from 0, the last one exclusive.
---@param buffer integer
---@param state insitu.BufferState
---@return integer, integer
local function wanted_span(buffer, state)
  local count = vim.api.nvim_buf_line_count(buffer)
  local most = state.is_edited and WHOLE_AFTER_CHANGE_LINES or WHOLE_FILE_LINES
  if count <= most or #state.waiting > 0 then
    return 0, count
  end
  local first, last = count, 0
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    first = math.min(first, vim.fn.line('w0', window) - 1)
    last = math.max(last, vim.fn.line('w$', window))
  end
  return math.max(first - MARGIN_LINES, 0), math.min(last + MARGIN_LINES, count)
end

---@param state insitu.BufferState
local function cancel(state)
  local pending = state.pending
  state.pending = nil
  if pending and not client_of.call(pending.client, 'is_stopped') then
    client_of.call(pending.client, 'cancel_request', pending.id)
  end
end

---@type fun(buffer: integer, delay_ms: integer)
local ask_later

---@param buffer integer
---@param state insitu.BufferState
---@param failure table
local function ask_again(buffer, state, failure)
  local given_up = failure.code == CONTENT_MODIFIED or failure.code == SERVER_CANCELLED
  if given_up and state.repeats < MOST_REPEATS then
    state.repeats = state.repeats + 1
    ask_later(buffer, settings.current.debounce_ms)
  end
end

---@param state insitu.BufferState
local function wait_no_longer(state)
  local waiting = state.waiting
  state.waiting = {}
  for _, done in ipairs(waiting) do
    done()
  end
end

---@param buffer integer
local function ask(buffer)
  local state, client = states[buffer], client_of.of(buffer)
  if not (state and client and vim.api.nvim_buf_is_loaded(buffer)) then
    return
  end
  state.hidden = #vim.fn.win_findbuf(buffer) == 0
  if state.hidden or not settings.current.hints then
    return
  end
  cancel(state)
  local first, last = wanted_span(buffer, state)
  local edits = state.edits
  local question = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = { start = { line = first, character = 0 }, ['end'] = { line = last, character = 0 } },
  }
  local sent, id
  local function take(hints)
    state.repeats = 0
    state.span = { first = first, last = last }
    local is_edited, is_renewed = state.is_edited, state.is_renewed
    state.is_edited, state.is_renewed = false, false
    local count = vim.api.nvim_buf_line_count(buffer)
    if is_edited and last - first < count and count <= WHOLE_FILE_LINES then
      ask_later(buffer, SETTLED_MILLIS)
    end
    if settings.current.hints then
      if is_renewed then
        draw.clear(buffer)
      end
      hints = type(hints) == 'table' and hints or {}
      draw.replace(buffer, first, last, client_of.is_adopted(client) and vim.tbl_filter(is_drawn_here, hints) or hints)
      require('insitu.status').changed()
    end
  end
  local function answer(failure, hints)
    local is_latest = state.pending ~= nil and state.pending.id == id
    if is_latest then
      state.pending = nil
    end
    -- A newer question is on its way, or will be, whenever one of these does not hold.
    if states[buffer] ~= state or state.edits ~= edits or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    if failure then
      ask_again(buffer, state, failure)
    else
      take(hints)
    end
    if is_latest then
      wait_no_longer(state)
    end
  end
  sent, id = client_of.call(client, 'request', 'textDocument/inlayHint', question, answer, buffer)
  if sent and id then
    state.pending = { client = client, id = id }
  end
end

ask_later = function(buffer, delay_ms)
  local state = states[buffer]
  if state then
    state.timer:start(delay_ms, 0, vim.schedule_wrap(function()
      ask(buffer)
    end))
  end
end

---The last hints that were left to Neovim, by buffer, and how many answers before it each differed from the next.
---@type table<integer, { version: integer, hints: table[], redraws: integer }>
local left_over = {}

---Leaves a buffer alone for good: its server is gone, or the buffer is.
---@param buffer integer
local function forget(buffer)
  left_over[buffer] = nil
  local state = states[buffer]
  if state then
    states[buffer] = nil
    cancel(state)
    state.timer:close()
    draw.clear(buffer)
  end
end

---@param buffer integer
---@param state insitu.BufferState
local function follow_changes(buffer, state)
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      if states[buffer] ~= state then
        return true
      end
      state.edits = state.edits + 1
      state.repeats = 0
      state.is_edited = true
      ask_later(buffer, settings.current.debounce_ms)
    end,
    on_reload = function()
      state.edits = state.edits + 1
      ask_later(buffer, 0)
    end,
    on_detach = function()
      if states[buffer] == state then
        vim.schedule(function()
          forget(buffer)
        end)
      end
    end,
  })
end

---Clients whose hints are drawn here.
---@type table<integer, true?>
local taken = {}

---Keeps vim.lsp.inlay_hint from drawing the same hints once more, where the plugin draws them itself.
---@param client vim.lsp.Client
function M.take_over(client)
  if not settings.current.native and client.server_capabilities.inlayHintProvider then
    taken[client.id] = true
    client.server_capabilities.inlayHintProvider = nil
  end
end

---Leaves to Neovim the hints of an adopted client that are not insitu's. It draws a line once for each version of the text,
---and the Java server often has its hints only later: then it is made to forget what it drew.
---@param hints table[]
---@param context { bufnr: integer, version?: integer }
local function leave_others(hints, context)
  local others = vim.tbl_filter(function(hint)
    return not is_drawn_here(hint)
  end, hints)
  local before, buffer = left_over[context.bufnr], context.bufnr
  local has_changed = before and before.version == context.version and not vim.deep_equal(before.hints, others)
  local redraws = has_changed and before.redraws + 1 or 0
  left_over[buffer] = { version = context.version, hints = vim.deepcopy(others), redraws = redraws }
  if has_changed and redraws <= MOST_REDRAWS then
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
        vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
        vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
      end
    end)
  end
  return others
end

local function share_drawing()
  local method = 'textDocument/inlayHint'
  local draw_all = vim.lsp.handlers[method]
  vim.lsp.handlers[method] = function(failure, hints, context, ...)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client and client_of.is_adopted(client) and not settings.current.native and type(hints) == 'table' then
      hints = leave_others(hints, context)
    end
    return draw_all(failure, hints, context, ...)
  end
end

---Makes an adopted client answer this plugin as its own does.
---@param client vim.lsp.Client
---@param buffer integer
local function adopt(client, buffer)
  require('insitu.server').give_way(buffer)
  if taken[client.id] then
    return
  end
  taken[client.id] = true
  local refresh = 'workspace/inlayHint/refresh'
  local before = client.handlers[refresh] or vim.lsp.handlers[refresh]
  client.handlers[refresh] = function(failure, params, context, ...)
    M.on_refresh(failure, params, context)
    return before(failure, params, context, ...)
  end
  client.handlers['insitu/dataChanged'] = require('insitu.data').on_changed
  client.commands = vim.tbl_extend('keep', client.commands or {}, require('insitu.lenses').commands)
  require('insitu.data').ask(client)
end

---Lets Neovim draw a buffer's hints, or none. Where the first answer was empty it would not draw a later one to the same
---text, so it has to forget the first one.
---@param buffer integer
local function draw_natively(buffer)
  vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
  if settings.current.hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
end

---@param client vim.lsp.Client
---@param buffer integer
local function attach(client, buffer)
  local is_adopted = client_of.is_adopted(client)
  if is_adopted then
    adopt(client, buffer)
  elseif client_of.adopted(buffer) then
    return require('insitu.server').give_way(buffer)
  else
    M.take_over(client)
  end
  require('insitu.lenses').refresh(client)
  if is_adopted and settings.current.native then
    return
  elseif not taken[client.id] then
    draw_natively(buffer)
  elseif states[buffer] then
    ask_later(buffer, 0)
  else
    local state = { timer = assert(vim.uv.new_timer()), edits = 0, repeats = 0, is_edited = false, is_renewed = false, hidden = false, waiting = {} }
    states[buffer] = state
    follow_changes(buffer, state)
    ask_later(buffer, 0)
  end
end

---@param window integer
local function scrolled(window)
  if not vim.api.nvim_win_is_valid(window) then
    return
  end
  local buffer = vim.api.nvim_win_get_buf(window)
  local span = states[buffer] and states[buffer].span
  if span and vim.api.nvim_buf_line_count(buffer) > WHOLE_FILE_LINES then
    local first, last = vim.fn.line('w0', window) - 1, vim.fn.line('w$', window)
    if first < span.first or last > span.last then
      ask_later(buffer, settings.current.debounce_ms)
    end
  end
end

---Calls `done` when the hints of all lines of a visible buffer are drawn, or cannot be had: they are asked for where the last
---answer covered only the lines around the windows.
---@param buffer integer
---@param done fun()
function M.with_all(buffer, done)
  local state = states[buffer]
  local span = state and state.span
  local has_all = not span or span.first == 0 and span.last >= vim.api.nvim_buf_line_count(buffer)
  if has_all or not (settings.current.hints and client_of.of(buffer)) then
    return done()
  end
  table.insert(state.waiting, done)
  ask(buffer)
end

---Asks anew for every attached buffer; hidden ones wait until they are shown. Without hints, takes them off the screen.
---@param client_id? integer only the buffers of this client
function M.refresh(client_id)
  for _, client in ipairs(client_of.all()) do
    if client_id == nil or client.id == client_id then
      for buffer in pairs(client.attached_buffers) do
        if not taken[client.id] then
          draw_natively(buffer)
        elseif settings.current.hints then
          if states[buffer] then
            states[buffer].is_renewed = true
          end
          ask_later(buffer, 0)
        else
          draw.clear(buffer)
        end
      end
    end
  end
  require('insitu.status').changed()
end

---Answers the server's `workspace/inlayHint/refresh`.
---@param _ table?
---@param context { client_id: integer }
function M.on_refresh(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if client then
    require('insitu.data').ask(client)
    require('insitu.lenses').refresh(client)
    M.refresh(context.client_id)
  end
  return vim.NIL
end

---Follows clients and windows from now on.
function M.install()
  local group = vim.api.nvim_create_augroup('insitu.hints', {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, callback = callback })
  end
  share_drawing()
  on('LspAttach', function(event)
    if client_of.is_ours(event.data.client_id) then
      attach(assert(vim.lsp.get_client_by_id(event.data.client_id)), event.buf)
    end
  end)
  on('LspDetach', function(event)
    local others = vim.tbl_filter(function(client)
      return client.id ~= event.data.client_id
    end, client_of.all(event.buf))
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if #others == 0 and client and client_of.is_ours(client.id) then
      forget(event.buf)
      if client_of.is_adopted(client) then
        require('insitu.server').replace(client, event.buf)
      end
    end
  end)
  on('BufWinEnter', function(event)
    if states[event.buf] and states[event.buf].hidden then
      ask_later(event.buf, 0)
    end
  end)
  on('WinScrolled', function()
    for window in pairs(vim.v.event) do
      if window ~= 'all' then
        scrolled(tonumber(window) --[[@as integer]])
      end
    end
  end)
end

return M
