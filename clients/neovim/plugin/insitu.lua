-- Makes the plugin known to Neovim: the :Insitu command, the colours, and the server for every Java buffer.
if vim.g.loaded_insitu then
  return
end
vim.g.loaded_insitu = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('insitu: needs Neovim 0.10 or newer; this is ' .. tostring(vim.version()), vim.log.levels.ERROR)
  return
end

require('insitu.colours').install()
require('insitu.hints').install()
require('insitu.lenses').install()
require('insitu.progress').install()
require('insitu.user_command').install()
require('insitu.server').install()
