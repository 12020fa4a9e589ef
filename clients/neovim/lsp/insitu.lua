-- The server's entry for vim.lsp.config (Neovim 0.11 and newer); users extend it with vim.lsp.config('insitu', {…}).
return require('insitu.server').config()
