// `npm run vsix`: builds `dist/` and packs VS Code's extension, with the server in it, into `dist/insitu.vsix`.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { buildAll, licences } from './build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The parts of package.json that the other files of the archive repeat. */
type Manifest = {
  readonly name: string;
  readonly displayName: string;
  readonly publisher: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly icon: string;
  readonly extensionKind: readonly string[];
};

/** A zip archive may not be older than 1980; the same date every time makes the same archive of the same files. */
const MODIFIED = new Date('2020-01-01T00:00:00');

/** Lays out the archive's folder `extension` as a folder; `dist/` must have been built. */
export async function layOutExtension(target: string): Promise<void> {
  const source = join(root, 'clients', 'vscode');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, 'src', 'extension.ts')],
    outfile: join(target, 'dist', 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.18',
    mainFields: ['module', 'main'],
    external: ['vscode'],
    metafile: true,
    logLevel: 'warning',
  });
  cpSync(join(root, 'dist'), join(target, 'server'), {
    recursive: true,
    // A manual page is of no use inside an extension.
    filter: path => !/\.(d\.ts|vsix|built)$|[\\/]man$/.test(path),
  });
  cpSync(join(source, 'media'), join(target, 'media'), { recursive: true });
  cpSync(join(source, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE.txt'));
  cpSync(join(root, 'docs', 'insitu.schema.json'), join(target, 'insitu.schema.json'));
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licences(root, metafile));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(shippedManifest(), null, 2)}\n`);
}

/** As in the sources, with the version of the whole; only the sources are ES modules. */
function shippedManifest(): object {
  const {
    type: _,
    private: __,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'clients/vscode/package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { ...manifest, version };
}

/** Packs a folder made by `layOutExtension`; the same files give the same bytes. */
export function packVsix(folder: string): Uint8Array {
  const manifest: Manifest & { readonly version: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const files: Zippable = {
    '[Content_Types].xml': strToU8(contentTypes(folder)),
    'extension.vsixmanifest': strToU8(vsixManifest(manifest)),
  };
  for (const path of globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort())
    files[`extension/${path.slice(folder.length + 1).replaceAll('\\', '/')}`] = readFileSync(path);
  return zipSync(files, { level: 9, mtime: MODIFIED });
}

const MIME: Readonly<Record<string, string>> = {
  json: 'application/json',
  cjs: 'application/javascript',
  js: 'application/javascript',
  java: 'text/x-java-source',
  html: 'text/html',
  css: 'text/css',
  md: 'text/markdown',
  txt: 'text/plain',
  svg: 'image/svg+xml',
  png: 'image/png',
};

function contentTypes(folder: string): string {
  const extensions = new Set(globSync('**/*.*', { cwd: folder }).map(path => path.split('.').at(-1) ?? ''));
  const rows = [...extensions, 'vsixmanifest'].map(extension => {
    const type = extension === 'vsixmanifest' ? 'text/xml' : MIME[extension];
    if (type === undefined) throw new Error(`the extension has a file .${extension}, whose type is not known`);
    return `<Default Extension=".${extension}" ContentType="${type}"/>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>
`;
}

function vsixManifest(manifest: Manifest & { readonly version: string }): string {
  const { name, displayName, publisher, version, description, categories, keywords, engines, icon, extensionKind } =
    manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${inXml(name)}" Version="${inXml(version)}" Publisher="${inXml(publisher)}"/>
    <DisplayName>${inXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${inXml(description)}</Description>
    <Tags>${inXml(keywords.join(','))}</Tags>
    <Categories>${inXml(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${inXml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="${inXml(extensionKind.join(','))}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${inXml(icon)}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${inXml(icon)}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Lays out and packs what `dist/` holds now into a file. */
export async function buildVsix(file: string): Promise<void> {
  const folder = join(root, '.cache', `vsix-${process.pid}`);
  try {
    await layOutExtension(folder);
    const bytes = packVsix(folder);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await buildAll(root);
  const file = join(root, 'dist', 'insitu.vsix');
  await buildVsix(file);
  console.error(`built ${file}`);
}
