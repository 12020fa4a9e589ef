// The manifest of VS Code's extension as tests read it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const extensionFolder = fileURLToPath(new URL('../../../clients/vscode', import.meta.url));

type MenuRow = { readonly command?: string; readonly submenu?: string; readonly when?: string };
type Setting = { readonly default?: unknown; readonly scope?: string; readonly description?: string };

export const manifest: {
  readonly version: string;
  readonly main: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly colors: readonly unknown[];
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuRow[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly description: string; readonly media: { readonly markdown: string } }[];
    }[];
  };
} = JSON.parse(readFileSync(join(extensionFolder, 'package.json'), 'utf8'));
