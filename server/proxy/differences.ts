// Abilities of a Java server that the client was not told before the server had answered: the client is told afterwards as far as possible.
import { isDeepStrictEqual } from 'node:util';
import type { ClientCapabilities, Registration, ServerCapabilities } from 'vscode-languageserver/node';
import { freshId } from './server-end.ts';

type Offer = keyof ServerCapabilities;

/** Where a capability is named: as what servers offer, as what clients know, and the method that it is registered by. */
const OFFERS: readonly (readonly [Offer, readonly [string, string], string])[] = [
  ['hoverProvider', ['textDocument', 'hover'], 'textDocument/hover'],
  ['inlayHintProvider', ['textDocument', 'inlayHint'], 'textDocument/inlayHint'],
  ['codeLensProvider', ['textDocument', 'codeLens'], 'textDocument/codeLens'],
  ['codeActionProvider', ['textDocument', 'codeAction'], 'textDocument/codeAction'],
  ['implementationProvider', ['textDocument', 'implementation'], 'textDocument/implementation'],
  ['callHierarchyProvider', ['textDocument', 'callHierarchy'], 'textDocument/prepareCallHierarchy'],
  ['completionProvider', ['textDocument', 'completion'], 'textDocument/completion'],
  ['signatureHelpProvider', ['textDocument', 'signatureHelp'], 'textDocument/signatureHelp'],
  ['declarationProvider', ['textDocument', 'declaration'], 'textDocument/declaration'],
  ['definitionProvider', ['textDocument', 'definition'], 'textDocument/definition'],
  ['typeDefinitionProvider', ['textDocument', 'typeDefinition'], 'textDocument/typeDefinition'],
  ['referencesProvider', ['textDocument', 'references'], 'textDocument/references'],
  ['documentHighlightProvider', ['textDocument', 'documentHighlight'], 'textDocument/documentHighlight'],
  ['documentSymbolProvider', ['textDocument', 'documentSymbol'], 'textDocument/documentSymbol'],
  ['documentLinkProvider', ['textDocument', 'documentLink'], 'textDocument/documentLink'],
  ['colorProvider', ['textDocument', 'colorProvider'], 'textDocument/documentColor'],
  ['documentFormattingProvider', ['textDocument', 'formatting'], 'textDocument/formatting'],
  ['documentRangeFormattingProvider', ['textDocument', 'rangeFormatting'], 'textDocument/rangeFormatting'],
  ['documentOnTypeFormattingProvider', ['textDocument', 'onTypeFormatting'], 'textDocument/onTypeFormatting'],
  ['renameProvider', ['textDocument', 'rename'], 'textDocument/rename'],
  ['foldingRangeProvider', ['textDocument', 'foldingRange'], 'textDocument/foldingRange'],
  ['selectionRangeProvider', ['textDocument', 'selectionRange'], 'textDocument/selectionRange'],
  ['linkedEditingRangeProvider', ['textDocument', 'linkedEditingRange'], 'textDocument/linkedEditingRange'],
  ['semanticTokensProvider', ['textDocument', 'semanticTokens'], 'textDocument/semanticTokens'],
  ['typeHierarchyProvider', ['textDocument', 'typeHierarchy'], 'textDocument/prepareTypeHierarchy'],
  ['inlineValueProvider', ['textDocument', 'inlineValue'], 'textDocument/inlineValue'],
  ['diagnosticProvider', ['textDocument', 'diagnostic'], 'textDocument/diagnostic'],
  ['workspaceSymbolProvider', ['workspace', 'symbol'], 'workspace/symbol'],
  ['executeCommandProvider', ['workspace', 'executeCommand'], 'workspace/executeCommand'],
];

/** Without these an editor is of little use to Java programmers. */
const NEEDED: ReadonlySet<Offer> = new Set([
  'completionProvider',
  'definitionProvider',
  'referencesProvider',
  'renameProvider',
]);

/** Whether the client can be told of these later, so that it need not wait for them. */
export function canBeToldLater(client: ClientCapabilities): boolean {
  return OFFERS.every(([offer, place]) => !NEEDED.has(offer) || isRegistrable(client, place));
}

function isRegistrable(client: ClientCapabilities, [part, feature]: readonly [string, string]): boolean {
  const features: unknown = Object.entries(client ?? {}).find(([key]) => key === part)?.[1];
  if (typeof features !== 'object' || features === null) return false;
  const known: unknown = Object.entries(features).find(([key]) => key === feature)?.[1];
  return (
    typeof known === 'object' && known !== null && 'dynamicRegistration' in known && known.dynamicRegistration === true
  );
}

type Differences = {
  readonly registrations: Registration[];
  /** `missing`: offered, but the client cannot be told in this session; `gone`: told and not offered; `changed`: offered in another way. */
  readonly missing: Offer[];
  readonly gone: Offer[];
  readonly changed: Offer[];
};

/** The abilities in `real` that a client does not know which was told `announced`. */
export function differencesOf(
  announced: ServerCapabilities,
  real: ServerCapabilities,
  client: ClientCapabilities,
): Differences {
  const found: Differences = { registrations: [], missing: [], gone: [], changed: [] };
  for (const [offer, place, method] of OFFERS) {
    const [told, wanted] = [announced[offer], real[offer]];
    const options = offer === 'executeCommandProvider' ? moreCommands(announced, real) : optionsOf(wanted);
    if (options === null) {
      if (isOffered(told) && !isOffered(wanted)) found.gone.push(offer);
    } else if (isOffered(told) && offer !== 'executeCommandProvider') {
      // Registered a second time, everything would come twice.
      if (!isDeepStrictEqual(told, wanted)) found.changed.push(offer);
    } else if (isRegistrable(client, place)) found.registrations.push({ id: idOf(), method, registerOptions: options });
    else found.missing.push(offer);
  }
  return found;
}

function idOf(): string {
  return JSON.parse(freshId());
}

function isOffered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** For documents of all kinds that the client asks about at all. */
function optionsOf(wanted: unknown): object | null {
  if (!isOffered(wanted)) return null;
  return { documentSelector: null, ...(typeof wanted === 'object' ? wanted : {}) };
}

/** Commands are registered one by one, and none twice. */
function moreCommands(announced: ServerCapabilities, real: ServerCapabilities): object | null {
  const told = new Set(announced.executeCommandProvider?.commands);
  const commands = (real.executeCommandProvider?.commands ?? []).filter(command => !told.has(command));
  return commands.length === 0 ? null : { commands };
}
