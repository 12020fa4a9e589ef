-- Makes text from outside safe to show: characters that steer a screen or the direction of writing become visible, and of what is long the two ends stay.
local M = {}

---Characters of a name, and of a line, which may hold several names.
local MOST_OF_NAME, MOST_OF_LINE = 300, 1000

---Control characters other than tabs, and those that turn the direction of writing or end lines, as UTF-8.
local UNPRINTABLE = {
  '[%z\1-\8\10-\31\127]',
  '\194[\128-\159]',
  '\216\156',
  '\226\128[\142\143\168-\174]',
  '\226\129[\166-\169]',
}

---@param character string
---@return string
local function escaped(character)
  return ('\\u%04x'):format(vim.fn.char2nr(character, true))
end

---@param text string
---@param most integer
---@return string
local function within(text, most)
  for _, pattern in ipairs(UNPRINTABLE) do
    text = text:gsub(pattern, escaped)
  end
  local length = vim.fn.strchars(text)
  if length <= most then
    return text
  end
  local half = math.floor(most / 2)
  return vim.fn.strcharpart(text, 0, half) .. '…' .. vim.fn.strcharpart(text, length - half + 1)
end

---The words of :Insitu for commands that the server names in what it says.
local WORDS = {
  clearFocus = 'clear',
  compareWith = 'compare',
  importRecording = 'import',
  record = 'record',
  refresh = 'refresh',
  selectExecution = 'select',
  selectMetric = 'select metric',
  status = 'status',
}

---@param command string
---@return string?
local function word_of(command)
  return WORDS[command] and ':Insitu ' .. WORDS[command]
end

---A sentence of the server, with the words of :Insitu in place of the ids of commands.
---@param text string
---@return string
function M.in_words(text)
  return (text:gsub('[Tt]he command insitu%.(%a+)', word_of):gsub('%f[%w]insitu%.(%a+)', word_of))
end

---A name in a list, a question or the status line.
---@param text string
---@return string
function M.name(text)
  return within(text, MOST_OF_NAME)
end

---A line of a message or a window.
---@param text string
---@return string
function M.line(text)
  return within(text, MOST_OF_LINE)
end

---The same of each line of a text.
---@param text string
---@return string
function M.lines(text)
  return table.concat(vim.tbl_map(M.line, vim.split(text, '\r?\n')), '\n')
end

return M
