// Extensions for VS Code whose hints cost nothing: what the editor itself needs from a key to a hint, which no extension can go below.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packVsix } from '../../.ci/vsix.ts';

/** Words of such a hint: the length of its line, which each key changes. */
export const FLOOR_HINT = /«\d+»/;

const CODE = {
  /** After the pause of ours, one decoration at the end of the cursor's line. */
  decoration: (pauseMillis: number) => `
    const { Range, window, workspace } = require('vscode');
    exports.activate = () => {
      const type = window.createTextEditorDecorationType({});
      let timer;
      const draw = editor => {
        const { end } = editor.document.lineAt(editor.selection.active.line).range;
        const after = { contentText: '«' + end.character + '»' };
        editor.setDecorations(type, [{ range: new Range(end, end), renderOptions: { after } }]);
      };
      workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(timer);
        const draws = () => window.visibleTextEditors.filter(editor => editor.document === document).forEach(draw);
        timer = setTimeout(draws, ${pauseMillis});
      });
      window.visibleTextEditors.forEach(draw);
      window.onDidChangeVisibleTextEditors(editors => editors.forEach(draw));
    };`,
  /** Inlay hints of all lines that are asked for; the editor decides when it asks. */
  inlay: () => `
    const { InlayHint, languages } = require('vscode');
    exports.activate = () => {
      const provideInlayHints = (document, { start, end }) => Array.from(
        { length: end.line - start.line + 1 },
        (_, at) => document.lineAt(start.line + at).range.end,
      ).map(place => new InlayHint(place, '«' + place.character + '»'));
      languages.registerInlayHintsProvider({ language: 'java' }, { provideInlayHints });
    };`,
} as const;

/** Packs such an extension into a file of this folder. */
export function floorVsix(kind: keyof typeof CODE, folder: string, pauseMillis: number): string {
  const source = join(folder, `floor-${kind}`);
  mkdirSync(source, { recursive: true });
  const manifest = {
    ...{ name: 'floor', displayName: 'floor', publisher: 'insitu', version: '1.0.0', description: 'floor' },
    ...{ categories: ['Other'], keywords: [], engines: { vscode: '^1.90.0' }, icon: 'icon.svg' },
    ...{ extensionKind: ['workspace'], main: './extension.cjs', activationEvents: ['onLanguage:java'] },
  };
  const files = {
    'package.json': JSON.stringify(manifest),
    'extension.cjs': CODE[kind](pauseMillis),
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
  const file = join(folder, `floor-${kind}.vsix`);
  writeFileSync(file, packVsix(source));
  return file;
}
