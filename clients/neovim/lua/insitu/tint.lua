-- Computes colours from colours: blends towards the background, takes saturation away, and makes ink readable on paper.
local M = {}

---Contrast ratio of WCAG 2.2 that small text needs.
local READABLE = 4.5

---@param colour integer 0xrrggbb
---@return number, number, number each 0 to 255
local function parts(colour)
  return math.floor(colour / 65536) % 256, math.floor(colour / 256) % 256, colour % 256
end

---@param red number
---@param green number
---@param blue number
---@return integer
function M.of(red, green, blue)
  local function byte(value)
    return math.floor(math.min(math.max(value, 0), 255) + 0.5)
  end
  return byte(red) * 65536 + byte(green) * 256 + byte(blue)
end

---`colour` seen through: `opacity` of it before `paper`.
---@param colour integer
---@param paper integer
---@param opacity number 0 to 1
---@return integer
function M.blend(colour, paper, opacity)
  local red, green, blue = parts(colour)
  local paper_red, paper_green, paper_blue = parts(paper)
  local function mix(one, other)
    return one * opacity + other * (1 - opacity)
  end
  return M.of(mix(red, paper_red), mix(green, paper_green), mix(blue, paper_blue))
end

---The same hue and lightness with a part of the saturation (HSL): every channel moves towards the middle of the range.
---@param colour integer
---@param part number 0 (grey) to 1
---@return integer
function M.desaturate(colour, part)
  local red, green, blue = parts(colour)
  local middle = (math.max(red, green, blue) + math.min(red, green, blue)) / 2
  local function move(value)
    return middle + (value - middle) * part
  end
  return M.of(move(red), move(green), move(blue))
end

---Relative luminance of WCAG 2.2, 0 to 1.
---@param colour integer
---@return number
local function luminance(colour)
  local function linear(value)
    local share = value / 255
    return share <= 0.04045 and share / 12.92 or ((share + 0.055) / 1.055) ^ 2.4
  end
  local red, green, blue = parts(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
end

---@param one integer
---@param other integer
---@return number 1 to 21
local function contrast(one, other)
  local first, second = luminance(one) + 0.05, luminance(other) + 0.05
  return math.max(first, second) / math.min(first, second)
end

---`colour`, mixed with as much white (on dark paper) or black (on light paper) as it takes to be read.
---@param colour integer
---@param paper integer
---@return integer
function M.readable(colour, paper)
  local towards = luminance(paper) < 0.18 and 0xffffff or 0x000000
  for opacity = 100, 0, -5 do
    local mixed = M.blend(colour, towards, opacity / 100)
    if contrast(mixed, paper) >= READABLE then
      return mixed
    end
  end
  return towards
end

return M
