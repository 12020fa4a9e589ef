// The handshake with both servers: what each of them is told of the client, and what the client is told of both.
import type {
  ClientCapabilities,
  CodeActionOptions,
  InitializeParams,
  InitializeResult,
  ServerCapabilities,
  TextDocumentSyncOptions,
} from 'vscode-languageserver/node';

/** UTF-16, in which alone our server counts; clients must know it whether they say so or not. */
const ENCODINGS = ['utf-16'];

/** The capabilities we announce for both at once, so that neither server registers them a second time. */
const TOGETHER = [
  'synchronization',
  'inlayHint',
  'codeLens',
  'hover',
  'codeAction',
  'implementation',
  'callHierarchy',
] as const;

/** The parameters for the Java server: all of the client's but our settings, and the ones that have to be the same for both. */
export function paramsForJava(params: InitializeParams): InitializeParams {
  const { initializationOptions, capabilities } = params;
  return {
    ...params,
    capabilities: capabilitiesForJava(capabilities),
    ...(hasOwnSettings(initializationOptions) && {
      initializationOptions: Object.fromEntries(
        Object.entries(initializationOptions).filter(([key]) => key !== 'insitu'),
      ),
    }),
  };
}

function capabilitiesForJava(capabilities: ClientCapabilities): ClientCapabilities {
  const textDocument: Record<string, unknown> = { ...capabilities?.textDocument };
  for (const feature of TOGETHER) {
    const known = textDocument[feature];
    if (typeof known === 'object' && known !== null) textDocument[feature] = { ...known, dynamicRegistration: false };
  }
  return {
    ...capabilities,
    general: { ...capabilities?.general, positionEncodings: ENCODINGS },
    ...(capabilities?.textDocument !== undefined && { textDocument }),
  };
}

/** The parameters for our server: of the options only its own. */
export function paramsForOwn(params: InitializeParams): InitializeParams {
  const { initializationOptions: given, capabilities } = params;
  const insitu: unknown = hasOwnSettings(given) ? given.insitu : {};
  return {
    ...params,
    capabilities: { ...capabilities, general: { ...capabilities?.general, positionEncodings: ENCODINGS } },
    initializationOptions: { insitu },
  };
}

function hasOwnSettings(options: unknown): options is { readonly insitu: unknown } {
  return typeof options === 'object' && options !== null && 'insitu' in options;
}

/** Answer for the client: what either can do. */
export function mergedResult(java: InitializeResult, own: InitializeResult): InitializeResult {
  return { ...java, capabilities: mergedCapabilities(java.capabilities ?? {}, own.capabilities) };
}

function mergedCapabilities(java: ServerCapabilities, own: ServerCapabilities): ServerCapabilities {
  const commands = [...(java.executeCommandProvider?.commands ?? []), ...(own.executeCommandProvider?.commands ?? [])];
  return {
    ...java,
    textDocumentSync: mergedSync(java.textDocumentSync ?? {}, own.textDocumentSync ?? {}),
    inlayHintProvider: java.inlayHintProvider || own.inlayHintProvider || false,
    hoverProvider: java.hoverProvider || own.hoverProvider || false,
    ...((java.codeLensProvider ?? own.codeLensProvider) && {
      codeLensProvider: java.codeLensProvider ?? own.codeLensProvider,
    }),
    codeActionProvider: mergedActions(java.codeActionProvider, own.codeActionProvider),
    implementationProvider: java.implementationProvider || own.implementationProvider || false,
    callHierarchyProvider: java.callHierarchyProvider || own.callHierarchyProvider || false,
    executeCommandProvider: { ...java.executeCommandProvider, commands: [...new Set(commands)] },
    workspace: { ...own.workspace, ...java.workspace },
  };
}

type DocumentSync = NonNullable<ServerCapabilities['textDocumentSync']>;

/** The Java server's way; ours takes whole texts as well as changes, but has to be told when documents open. */
function mergedSync(java: DocumentSync, own: DocumentSync): TextDocumentSyncOptions {
  const change = typeof own === 'object' ? own.change : own;
  const known: TextDocumentSyncOptions = typeof java === 'object' ? java : { change: java, save: true };
  const wanted = known.change === undefined || known.change === 0 ? change : known.change;
  return { ...known, openClose: true, ...(wanted !== undefined && { change: wanted }) };
}

function mergedActions(
  java: ServerCapabilities['codeActionProvider'],
  own: ServerCapabilities['codeActionProvider'],
): boolean | CodeActionOptions {
  // Some servers write null for what they cannot do.
  if (!java) return own ?? false;
  if (java === true || !java.codeActionKinds) return java;
  const more = typeof own === 'object' ? (own.codeActionKinds ?? []) : [];
  return { ...java, codeActionKinds: [...new Set([...java.codeActionKinds, ...more])] };
}

/**
 * The capabilities that the client is told of a Java server not known yet: ours, in the widest form. Whole texts are what every
 * server takes, and items that need no more are resolved as they are.
 */
export function widened({ capabilities, ...rest }: InitializeResult): InitializeResult {
  const { inlayHintProvider, codeLensProvider, codeActionProvider } = capabilities;
  return {
    ...rest,
    capabilities: {
      ...capabilities,
      textDocumentSync: { openClose: true, change: 1, save: true },
      ...(inlayHintProvider && { inlayHintProvider: { resolveProvider: true } }),
      ...(codeLensProvider && { codeLensProvider: { resolveProvider: true } }),
      ...(codeActionProvider && { codeActionProvider: { resolveProvider: true } }),
    },
  };
}

/** How changes are told: 0 not at all, 1 as whole texts, 2 piece by piece. */
export function syncKind({ textDocumentSync: sync }: ServerCapabilities): number {
  return (typeof sync === 'object' ? sync?.change : sync) ?? 0;
}

/** Whether the Java server counts characters as ours does. */
export function countsAsWeDo({ capabilities }: InitializeResult): boolean {
  return (capabilities?.positionEncoding ?? 'utf-16') === 'utf-16';
}
