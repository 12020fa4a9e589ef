-- Turns shares into the five steps of heat, by the scale that the user wants.
local settings = require('insitu.settings')

local M = {}

---Number of steps, 1 (cold) to 5 (hot).
M.LEVELS = 5

---The smallest share that the logarithmic scale tells from nothing; hints begin there.
local SMALLEST = 0.001

---@param value any
---@return number 0 to 1; what is no such number counts as 0
local function share_of(value)
  return type(value) == 'number' and value == value and math.min(math.max(value, 0), 1) or 0
end

---Where a share stands on each scale, 0 to 1.
---@type table<string, fun(share: number): number>
local place = {
  -- Squares: the many small shares are told apart; 4, 16, 36 and 64 percent begin a new step.
  root = math.sqrt,
  linear = function(share)
    return share
  end,
  log = function(share)
    return share <= SMALLEST and 0 or 1 - math.log(share) / math.log(SMALLEST)
  end,
}

---The step of a share by the present scale. By quantile it depends on the others: the hottest fifth has step 5.
---@param heat any share, 0 to 1
---@param all? any[] shares shown together with it
---@return integer
function M.level(heat, all)
  local share = share_of(heat)
  local scale = settings.current.scale
  if scale == 'quantile' and all and #all > 0 then
    local not_hotter = 0
    for _, other in ipairs(all) do
      if share_of(other) <= share then
        not_hotter = not_hotter + 1
      end
    end
    return math.max(math.ceil(M.LEVELS * not_hotter / #all), 1)
  end
  return math.min(math.floor((place[scale] or place.root)(share) * M.LEVELS) + 1, M.LEVELS)
end

return M
