-- Makes text from outside safe to show: characters that steer a screen or the direction of writing become visible, and of what is long the two ends stay.
local M = {}

---Characters of a name, and of a line, which may hold several names.
local MOST_OF_NAME, MOST_OF_LINE = 300, 1000

---Control characters other than tabs, and characters that turn the direction of writing, end lines or are not seen, as UTF-8.
local UNPRINTABLE = {
  '[%z\1-\8\10-\31\127]',
  '\194[\128-\159\173]',
  '\216[\128-\133\156]',
  '\219\157',
  '\220\143',
  '\224\162[\144\145]',
  '\224\163\162',
  '\225\160\142',
  '\226\128[\139-\143\168-\174]',
  '\226\129[\160-\164\166-\175]',
  '\239\187\191',
  '\239\191[\185-\187]',
  '\240\145\130\189',
  '\240\145\131\141',
  '\240\147\144[\176-\191]',
  '\240\155\178[\160-\163]',
  '\240\157\133[\179-\186]',
  '\243\160\128[\129\160-\191]',
  '\243\160\129[\128-\191]',
  '\243\160[\132-\134][\128-\191]',
  '\243\160\135[\128-\175]',
}

---In UTF-16, as on all other faces.
---@param character string
---@return string
local function escaped(character)
  local code = vim.fn.char2nr(character, true)
  if code < 0x10000 then
    return ('\\u%04x'):format(code)
  end
  local rest = code - 0x10000
  return ('\\u%04x\\u%04x'):format(0xd800 + math.floor(rest / 0x400), 0xdc00 + rest % 0x400)
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
