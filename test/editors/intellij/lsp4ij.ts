// The capabilities of LSP4IJ when it starts a server, as read from its ClientCapabilitiesFactory and LanguageServerWrapper (0.20).

/** The name of the editor, by which LSP4IJ goes, and its version. */
export const lsp4ijClientInfo = { name: 'IntelliJ IDEA', version: '2026.3 (build IU-263.18234.12)' };

const dynamic = { dynamicRegistration: true };
const linked = { dynamicRegistration: true, linkSupport: true };

/** All that it can do, whether this server has something for it or not. */
export const lsp4ijCapabilities = {
  general: { staleRequestSupport: { cancel: true, retryOnContentModified: [] }, positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: true,
    configuration: true,
    symbol: {},
    executeCommand: dynamic,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'delete', 'rename'] },
    didChangeWatchedFiles: dynamic,
    fileOperations: { dynamicRegistration: true, didCreate: true, didDelete: true, willRename: true, didRename: true },
    didChangeConfiguration: dynamic,
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { willSave: true, willSaveWaitUntil: true, didSave: true },
    publishDiagnostics: {
      dataSupport: true,
      codeDescriptionSupport: true,
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
    },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    codeAction: {
      dynamicRegistration: true,
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: [
            'quickfix',
            'refactor',
            'refactor.extract',
            'refactor.inline',
            'refactor.rewrite',
            'source',
            'source.organizeImports',
          ],
        },
      },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    codeLens: dynamic,
    inlayHint: dynamic,
    colorProvider: dynamic,
    completion: {
      dynamicRegistration: true,
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        insertTextModeSupport: { valueSet: [1, 2] },
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
        deprecatedSupport: true,
        labelDetailsSupport: true,
      },
      completionList: { itemDefaults: ['editRange'] },
    },
    signatureHelp: {
      dynamicRegistration: true,
      signatureInformation: { parameterInformation: { labelOffsetSupport: true } },
    },
    declaration: linked,
    definition: linked,
    typeDefinition: linked,
    implementation: linked,
    documentHighlight: dynamic,
    documentLink: dynamic,
    documentSymbol: {
      dynamicRegistration: true,
      hierarchicalDocumentSymbolSupport: true,
      symbolKind: { valueSet: Array.from({ length: 26 }, (_, kind) => kind + 1) },
    },
    foldingRange: dynamic,
    hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
    references: dynamic,
    formatting: dynamic,
    rangeFormatting: dynamic,
    rename: { dynamicRegistration: true, prepareSupport: true },
    semanticTokens: {
      dynamicRegistration: true,
      requests: { range: false, full: true },
      tokenTypes: [
        ...['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'parameter', 'variable'],
        ...['property', 'enumMember', 'event', 'function', 'method', 'macro', 'keyword', 'modifier', 'comment'],
        ...['string', 'number', 'regexp', 'operator', 'decorator', 'label'],
      ],
      tokenModifiers: ['declaration', 'definition', 'readonly', 'static'],
      formats: ['relative'],
      multilineTokenSupport: true,
      serverCancelSupport: true,
    },
    callHierarchy: dynamic,
    typeHierarchy: dynamic,
  },
  window: {
    workDoneProgress: true,
    showDocument: { support: true },
    showMessage: { messageActionItem: { additionalPropertiesSupport: false } },
  },
};
