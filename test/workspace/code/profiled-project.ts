// A repository with data of one of its commits, opened as an editor would: what the tests of profiled texts share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { PartialSettings } from '../../../server/base/config.ts';
import { stateOf, stateText } from '../../../server/features/facts/code-state.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { ProfiledTextKeeper } from '../../../server/workspace/code/profiled-text-keeper.ts';
import type { DocumentView } from '../../../server/workspace/document/document-view.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

export const SHOP = `package acme;
class Shop {
  void run() {
    queue.take(1, 2, 3);
    pay();
  }
  int pay() {
    return payment.pay(currency, amount, discount, customer, order, basket);
  }
}
`;

const PICTURE = `
acme.Shop.run | 20@4
  acme.LockedQueue.take :4 | 40@9
  acme.Shop.pay :5 | 10@8
    acme.Payment.pay :8 | 30@9`;

/** The hints of the text as it was recorded. */
export const HINTS = [
  '3 100% · self 20%',
  '4 40% → LockedQueue',
  '5 40% → pay()',
  '7 40% · self 10%',
  '8 75% → Payment',
];

/** A new one for each test. */
export let scratch: ScratchRepository;
let opened: Opened[] = [];

beforeEach(() => {
  scratch = new ScratchRepository();
  opened = [];
});
afterEach(() => {
  for (const { keeper } of opened) keeper.close();
  scratch.remove();
});

/** An open workspace with data of one version. */
export class Opened {
  readonly workspace: Workspace;
  readonly keeper: ProfiledTextKeeper;
  readonly #root: string;
  readonly #versions: readonly string[];

  constructor(root: string, version: string | readonly string[], settings: PartialSettings = {}) {
    this.#root = root;
    this.#versions = [version].flat();
    this.workspace = new Workspace(settings, { env: {}, home: scratch.home });
    this.workspace.apply({ kind: 'foldersChanged', folders: [root] });
    this.keeper = new ProfiledTextKeeper(this.workspace, () => {}, 0);
    opened.push(this);
  }

  async open(path: string, text?: string): Promise<DocumentView> {
    const file = join(this.#root, path);
    const change = {
      kind: 'documentChanged',
      uri: path,
      path: file,
      text: text ?? readFileSync(file, 'utf8'),
    } as const;
    this.workspace.apply(change);
    const executions = this.#versions.map(version => ({ project: 'p', program: 'shop', version, instance: 'i' }));
    const data = loadedFromText(PICTURE, {}, { executions });
    const { source } = this.workspace.view().document(path)!;
    this.workspace.apply({ kind: 'loadEnded', source: source!, data, problems: [] });
    this.keeper.sync();
    await this.keeper.whenSettled();
    return this.view(path);
  }

  async edit(path: string, text: string): Promise<DocumentView> {
    const file = join(this.#root, path);
    this.workspace.apply({ kind: 'documentChanged', uri: path, path: file, text });
    this.keeper.textChanged(path);
    await new Promise(resolve => setTimeout(resolve, 5));
    await this.keeper.whenSettled();
    return this.view(path);
  }

  view(path: string): DocumentView {
    return this.workspace.view().document(path)!;
  }
}

export const states = (document: DocumentView) =>
  document.outline.declarations
    .filter(({ kind }) => kind === 'method' || kind === 'class')
    .map(({ row, name }) => `${name} ${stateOf(document, row).name}`);
export const hints = (document: DocumentView) => hintsOf(document).map(({ line, text }) => `${line} ${text}`);
export const said = (document: DocumentView, name: string) => {
  const row = document.outline.declarations.find(one => one.name === name)!.row;
  return stateText(stateOf(document, row));
};
