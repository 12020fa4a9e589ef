// `node .ci/bootstrap.mjs .ci/release.ts v1.2.3 FOLDER`: checks that a tag can be published, and puts the files of the release into FOLDER: package, extension, checksums, notes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

type Release = {
  readonly tag: string;
  readonly manifest: { readonly version: string; readonly repository?: string | { readonly url: string } };
  readonly changelog: string;
  /** `owner/name` of the repository that publishes, where one does. */
  readonly repository: string | undefined;
};

/** The section of a version in the changelog, without its heading; null where it has none. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^(?=## )/m);
  const own = sections.find(section => section.startsWith(`## [${version}]`));
  return own === undefined ? null : own.slice(own.indexOf('\n') + 1).trim();
}

/** Reasons that keep a tag from being published, each with its way out. */
export function troublesOf({ tag, manifest, changelog, repository }: Release): string[] {
  const troubles: string[] = [];
  const { version } = manifest;
  if (tag !== `v${version}`)
    troubles.push(`the tag is ${tag}, but package.json has the version ${version}: the tag of that is v${version}`);
  const heading = changelog.split('\n').find(line => line.startsWith(`## [${version}]`));
  if (heading === undefined)
    troubles.push(`CHANGELOG.md has no section "## [${version}] - <date>": rename the section "Unreleased"`);
  else if (!/\] - \d{4}-\d\d-\d\d$/.test(heading))
    troubles.push(`the section of ${version} in CHANGELOG.md has no date: "## [${version}] - <year>-<month>-<day>"`);
  if (notesOf(changelog, version) === '') troubles.push(`the section of ${version} in CHANGELOG.md is empty`);
  const stated = typeof manifest.repository === 'string' ? manifest.repository : manifest.repository?.url;
  if (repository !== undefined && !stated?.replace(/\.git$/, '').endsWith(`/${repository}`))
    troubles.push(
      `package.json names ${stated ?? 'no repository'}, but ${repository} publishes: npm compares both for the provenance; ` +
        `add "repository": "git+https://<host>/${repository}.git"`,
    );
  return troubles;
}

/** Puts all files of the release into an empty folder. `npm pack` builds the package and the extension first. */
function layOut(folder: string, version: string, notes: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: ['ignore', 2, 2] });
  copyFileSync(join(root, 'dist', 'insitu.vsix'), join(folder, `insitu-${version}.vsix`));
  const sums = readdirSync(folder)
    .sort()
    .map(
      file =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
}

function main([tag, folder]: readonly string[]): number {
  if (tag === undefined || folder === undefined) {
    console.error('usage: node .ci/bootstrap.mjs .ci/release.ts TAG FOLDER');
    return 2;
  }
  const manifest: Release['manifest'] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const troubles = troublesOf({ tag, manifest, changelog, repository: process.env.GITHUB_REPOSITORY });
  for (const trouble of troubles) console.error(`insitu: ${trouble}`);
  if (troubles.length > 0) return 1;
  layOut(resolve(folder), manifest.version, notesOf(changelog, manifest.version) ?? '');
  console.error(`insitu: ${tag} is laid out in ${folder}`);
  return 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
