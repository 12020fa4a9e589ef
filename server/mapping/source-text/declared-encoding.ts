// The encoding that is declared for a Java file: for editors in .editorconfig, for the compiler in the scripts of a build.
import { dirname, join, relative, sep } from 'node:path';
import { foldersFrom } from '../../base/folders-above.ts';
import { charsetFor, type EditorConfig, parseEditorConfig } from './editor-config.ts';

/** Text of a file by its absolute path; null where there is none. */
type TextOf = (path: string) => string | null;

const EDITOR_CONFIG = '.editorconfig';
/** Readers of the encoding that a build gives the compiler, by the name of the script. */
const BUILDS: Readonly<Record<string, (text: string) => string | null>> = {
  'pom.xml': ofMaven,
  'build.gradle': ofGradle,
  'build.gradle.kts': ofGradle,
  'gradle.properties': text => firstOf(text, [/-Dfile\.encoding=["']?([\w.:-]+)/]),
  'build.xml': text => firstOf(withoutComments(text), [/<javac\b[^<>]*\sencoding\s*=\s*["']([\w.:-]+)["']/]),
};

/** Paths of the files that may declare the encoding of a file, in its folder and those above. */
export function declaringPaths(file: string): string[] {
  return foldersOf(file).flatMap(folder => [EDITOR_CONFIG, ...Object.keys(BUILDS)].map(name => join(folder, name)));
}

/**
 * The charset of .editorconfig, else the encoding of the nearest build script that names one: modules inherit the encoding of the
 * folders above.
 * @param file absolute path.
 */
export function declaredEncoding(file: string, textOf: TextOf): string | null {
  const folders = foldersOf(file);
  for (const folder of folders) {
    const config = editorConfig(folder, textOf);
    const charset = config === null ? null : charsetFor(config, relative(folder, file).split(sep).join('/'));
    if (charset !== null) return charset;
    if (config?.isRoot === true) break;
  }
  for (const folder of folders)
    for (const [name, encodingOf] of Object.entries(BUILDS)) {
      const text = textOf(join(folder, name));
      const encoding = text === null ? null : encodingOf(text);
      if (encoding !== null) return encoding;
    }
  return null;
}

function foldersOf(file: string): string[] {
  return foldersFrom(dirname(file));
}

function editorConfig(folder: string, textOf: TextOf): EditorConfig | null {
  const text = textOf(join(folder, EDITOR_CONFIG));
  return text === null ? null : parseEditorConfig(text);
}

/** The compiler's plugin goes before the property that all plugins take. */
function ofMaven(pom: string): string | null {
  const text = withoutComments(pom);
  const plugins = text.split('<plugin>').slice(1);
  const compiler = plugins.map(each => each.split('</plugin>', 1)[0]!).filter(each => each.includes(COMPILER));
  return (
    firstOf(compiler.join('\n'), [/<encoding>\s*([\w.:-]+)\s*</, /<arg>-encoding<\/arg>\s*<arg>([\w.:-]+)</]) ??
    firstOf(text, [/<project\.build\.sourceEncoding>\s*([\w.:-]+)\s*</])
  );
}

const COMPILER = 'maven-compiler-plugin';

function ofGradle(script: string): string | null {
  const text = script.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n\r]*/g, '');
  const given = firstOf(text, [
    /\bencoding\s*(?:=|\()?\s*["']([\w.:-]+)["']/,
    /["']-encoding["']\s*,\s*["']([\w.:-]+)["']/,
    /\bencoding\s*=\s*(?:[\w.]+\.)?StandardCharsets\.(\w+)/,
  ]);
  return given;
}

function withoutComments(xml: string): string {
  return xml.replaceAll(/<!--[\s\S]*?-->/g, '');
}

function firstOf(text: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
