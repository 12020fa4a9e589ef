// Starts our server in front of a real Eclipse JDT LS, on the sample's second version in git, as an editor would.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine } from '../../support/engines/engines.ts';
import { type LspClient, startServer } from '../../support/insitu/lsp-client.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { type ShopInGit, shopInGit } from '../neovim/expected-shop.ts';

const SOURCES = 'src/main/java';

/** The fewest words that Eclipse needs; the compiler that is quick to start, for a session of a minute. */
const OPTIONS = [
  '-Declipse.application=org.eclipse.jdt.ls.core.id1',
  '-Dosgi.bundles.defaultStartLevel=4',
  '-Declipse.product=org.eclipse.jdt.ls.core.product',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xmx700m',
  '--add-modules=ALL-SYSTEM',
  '--add-opens=java.base/java.util=ALL-UNNAMED',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
];

/** No build tool is started, and the sources are found without one. */
export const SETTINGS = {
  java: {
    import: { gradle: { enabled: false }, maven: { enabled: false } },
    project: { sourcePaths: [SOURCES] },
    inlayHints: { parameterNames: { enabled: 'all' } },
    referencesCodeLens: { enabled: true },
    symbols: { includeSourceMethodDeclarations: true },
  },
};

export type JavaSession = {
  readonly client: LspClient;
  readonly shop: ShopInGit;
  uri(file: string): string;
  text(file: string): string;
  /** Where the text stands first, and how far into it. */
  position(file: string, text: string, into?: number): { readonly line: number; readonly character: number };
  ask<T>(method: string, params: object): Promise<T>;
  close(): Promise<number | null>;
};

/** The arguments that start Java to run Eclipse, which keeps its files in a folder. */
export function eclipseArguments(jdtls: Engine, folder: string): string[] {
  const [launcher] = globSync(join(jdtls.home, 'plugins', 'org.eclipse.equinox.launcher_*.jar'));
  // Eclipse writes into its configuration.
  cpSync(join(jdtls.home, 'config_linux'), join(folder, 'configuration'), { recursive: true });
  const places = ['-configuration', join(folder, 'configuration'), '-data', join(folder, 'data')];
  return [...OPTIONS, '-jar', launcher!, ...places];
}

/** Resolves when Eclipse has read the project. */
export async function startJdtls({ jdtls, java }: { jdtls: Engine; java: Engine }): Promise<JavaSession> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-jdtls-'));
  const shop = shopInGit();
  const command = eclipseArguments(jdtls, folder);
  const client = await startServer({
    folders: [shop.repository.root],
    start: [insituProgram, 'lsp', '--stdio', '--wrap', `"${java.program('java')}"`, '--', ...command],
    env: { INSITU_STORE: shop.store, ...shop.repository.env },
    capabilities: {
      workspace: {
        inlayHint: { refreshSupport: true },
        codeLens: { refreshSupport: true },
        workspaceEdit: { documentChanges: true },
      },
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        publishDiagnostics: {},
        rename: { prepareSupport: true },
      },
    },
    initializationOptions: { settings: SETTINGS, insitu: { lenses: { enabled: true } } },
  });
  const path = (file: string) => join(shop.repository.root, SOURCES, file);
  const text = (file: string) => readFileSync(path(file), 'utf8');
  await client.waitFor(
    ({ method, params }) => method === 'language/status' && JSON.stringify(params).includes('ServiceReady'),
    200_000,
  );
  return {
    client,
    shop,
    uri: file => pathToFileURL(path(file)).href,
    text,
    position: (file, wanted, into = 0) => {
      const before = text(file)
        .slice(0, text(file).indexOf(wanted) + into)
        .split('\n');
      return { line: before.length - 1, character: before.at(-1)!.length };
    },
    ask: (method, params) => client.connection.sendRequest(method, params),
    close: async () => {
      const status = await client.stop();
      shop.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      return status;
    },
  };
}
