// The messages to the editor about insitu.json files: mistakes at their text, and the question whether one may name a place beyond this machine.
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { printableName } from '../base/printable.ts';
import { readRegular } from '../base/regular-file.ts';
import { configurationDiagnostics } from '../features/diagnostics/configuration-diagnostics.ts';
import { pathOfUri } from '../mapping/file-uris.ts';
import { LARGEST_FILE_BYTES } from '../workspace/settings/configuration.ts';
import { processSurroundings } from '../workspace/settings/settings-context.ts';
import { allow, isAllowed } from '../workspace/settings/trust.ts';
import type { Workspace } from '../workspace/state.ts';
import type { Pages } from './showing/pages.ts';

export class ConfigurationFiles {
  readonly #workspace: Workspace;
  readonly #pages: Pick<Pages, 'choose'>;
  readonly #surroundings = processSurroundings();
  readonly #asked = new Set<string>();

  constructor(workspace: Workspace, pages: Pick<Pages, 'choose'>) {
    this.#workspace = workspace;
    this.#pages = pages;
  }

  /** The insitu.json files that decide something open. */
  uris(): string[] {
    const files = this.#workspace.view().configurations.flatMap(({ file }) => file ?? []);
    return [...new Set(files)].map(file => pathToFileURL(file).href);
  }

  /** Of an insitu.json as it is being edited, else as it is on disk; empty for all other files. */
  diagnosticsOf(uri: string): Diagnostic[] {
    const path = pathOfUri(uri);
    if (path === null || basename(path) !== 'insitu.json') return [];
    const text = this.#workspace.view().document(uri)?.text ?? textOnDisk(path);
    if (text === null || this.#workspace.stateOf(uri) === 'tooLarge') return [];
    const document = TextDocument.create(uri, 'jsonc', 0, text);
    const found = configurationDiagnostics(text, location => isAllowed(this.#surroundings, dirname(path), location));
    return found.map(({ start, end, message }) => ({
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      severity: DiagnosticSeverity.Warning,
      source: 'insitu',
      code: 'configuration',
      message,
    }));
  }

  /** Asks, once each, whether a file may name a place beyond this machine; true when something was allowed that was not before. */
  async askForTrust(): Promise<boolean> {
    let isChanged = false;
    for (const { file, refusedStore } of this.#workspace.view().configurations) {
      const key = JSON.stringify([file, refusedStore]);
      if (file === null || refusedStore === null || this.#asked.has(key)) continue;
      this.#asked.add(key);
      // The user cannot allow a store whose name cannot be shown whole.
      if (printableName(refusedStore) !== refusedStore) continue;
      const question = `${printableName(file)} names a store beyond this machine: ${refusedStore}. Are numbers from there to be shown?`;
      const answer = await this.#pages.choose(question, [
        { title: 'Use it', value: true },
        { title: 'No', value: false },
      ]);
      if (answer === true) isChanged = allow(this.#surroundings, dirname(file), refusedStore) || isChanged;
    }
    return isChanged;
  }
}

function textOnDisk(path: string): string | null {
  try {
    return readRegular(path, LARGEST_FILE_BYTES).toString('utf8');
  } catch {
    return null;
  }
}
