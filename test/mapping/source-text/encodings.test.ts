// A Java file has one text in each encoding, whatever ends its lines and wherever the encoding is declared: on disk, in a commit, in the index of sources.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import type { GitRepository } from '../../../server/mapping/git/git-repository.ts';
import { asOnScreen, textOnDisk } from '../../../server/mapping/recorded/profiled-text.ts';
import { SourceIndex } from '../../../server/mapping/source-index.ts';
import { textOfBytes } from '../../../server/mapping/source-text/java-text.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';

const SHOP = `package acme;

// prüft größe
class Größe {
  int länge(String a) { return a.length() + "ééß".length(); } // Länge
  int zwei() { return 2; }
}
`;

/** Bytes of a text in an encoding of one byte a character, by the decoder of the platform. */
function singleBytes(label: string): (text: string) => Buffer {
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [new TextDecoder(label).decode(Buffer.of(code)), code] as const),
  );
  return text => Buffer.from(Array.from(text, each => codes.get(each)!));
}

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Each encoding with its bytes, the names by which it is declared, and whether the bytes tell it without a declaration. */
const ENCODINGS = {
  'UTF-8': { bytesOf: text => Buffer.from(text), names: ['utf-8', 'UTF8'], isTold: true },
  'UTF-8 with a mark': { bytesOf: text => Buffer.from(`\ufeff${text}`), names: ['utf-8-bom', 'UTF-8'], isTold: true },
  'UTF-16 with a mark': { bytesOf: text => Buffer.from(`\ufeff${text}`, 'utf16le'), names: ['UTF-16'], isTold: true },
  'UTF-16 BE with a mark': { bytesOf: text => swapped(`\ufeff${text}`), names: ['utf-16be'], isTold: true },
  'UTF-16 LE': { bytesOf: text => Buffer.from(text, 'utf16le'), names: ['utf-16le', 'UTF-16LE'], isTold: false },
  'UTF-16': { bytesOf: swapped, names: ['UTF-16', 'utf-16be'], isTold: false },
  'Latin-1': {
    bytesOf: text => Buffer.from(text, 'latin1'),
    names: ['latin1', 'ISO-8859-1', 'ISO8859_1'],
    isTold: true,
  },
  'windows-1250': { bytesOf: singleBytes('windows-1250'), names: ['Cp1250', 'windows-1250'], isTold: false },
  'IBM 866': { bytesOf: singleBytes('ibm866'), names: ['Cp866', 'IBM866'], isTold: false },
  'ISO-8859-15': {
    bytesOf: singleBytes('iso-8859-15'),
    names: ['ISO-8859-15', 'ISO8859_15', '8859_15'],
    isTold: false,
  },
} satisfies Record<string, { bytesOf: (text: string) => Buffer; names: string[]; isTold: boolean }>;

/** IBM 866 is one of Cyrillic letters. */
const textFor = (encoding: string) => (encoding === 'IBM 866' ? SHOP.replaceAll(/[äéöüß]+/g, 'Жы') : SHOP);

/** Where an encoding is declared, for `modules/a/src/acme/*.java`. */
const PLACES: Readonly<Record<string, (name: string) => Readonly<Record<string, string>>>> = {
  editorConfig: name => ({ '.editorconfig': `root = true\n[*]\nindent_size = 2\n[*.{java,kt}]\ncharset = ${name}\n` }),
  'nearest editorConfig': name => ({
    '.editorconfig': 'root = true\n[*.java]\ncharset = utf-8\n[modules/b/**]\ncharset = latin1\n',
    'modules/a/.editorconfig': `[src/**/[!x]*.java]\ncharset=${name}\n`,
  }),
  maven: name => ({ 'modules/a/pom.xml': `<project.build.sourceEncoding>${name}</project.build.sourceEncoding>` }),
  'compiler of a parent': name => ({
    'modules/a/pom.xml': '<project><!-- <encoding>x</encoding> --></project>',
    'pom.xml': `<project.build.sourceEncoding>US-ASCII</project.build.sourceEncoding><plugin>
      <artifactId>maven-compiler-plugin</artifactId><configuration><encoding>${name}</encoding></configuration></plugin>`,
  }),
  gradle: name => ({
    'build.gradle': `// encoding = 'none'\ntasks.withType(JavaCompile) { options.encoding = '${name}' }\n`,
  }),
  kotlin: name => ({ 'modules/a/build.gradle.kts': `tasks.compileJava {\n  options.encoding = "${name}"\n}\n` }),
  'gradle properties': name => ({ 'gradle.properties': `org.gradle.jvmargs=-Xmx2g -Dfile.encoding=${name}\n` }),
  ant: name => ({ 'modules/a/build.xml': `<javac srcdir="src" encoding="${name}"/>` }),
};

const FILE = 'modules/a/src/acme/Größe.java';
const END = fc.constantFrom('\n', '\r', '\r\n');
const cases = fc.record({
  encoding: fc.constantFrom(...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[])),
  place: fc.constantFrom(null, ...Object.keys(PLACES)),
  choice: fc.nat(),
  end: END,
});

describe('encodings and line ends', () => {
  let scratch: ScratchRepository;
  let repository: GitRepository;
  beforeAll(async () => {
    scratch = new ScratchRepository();
    repository = await scratch.open();
  });
  afterAll(() => {
    repository.close();
    scratch.remove();
  });

  function write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(scratch.root, path)), { recursive: true });
      writeFileSync(join(scratch.root, path), content);
    }
  }

  test('give one text on disk and in the commit', async () => {
    const drawn = fc.sample(cases, 150).filter(({ encoding, place }) => place !== null || ENCODINGS[encoding].isTold);
    const textOf = ({ encoding, end }: (typeof drawn)[number]) => textFor(encoding).replaceAll('\n', end);
    for (const [at, each] of drawn.entries()) {
      const { bytesOf, names } = ENCODINGS[each.encoding];
      const declared = each.place === null ? {} : PLACES[each.place]!(names[each.choice % names.length]!);
      for (const [path, content] of Object.entries({ ...declared, [FILE]: bytesOf(textOf(each)) }))
        write({ [`${at}/${path}`]: content });
    }
    const commit = scratch.commit();
    for (const [at, each] of drawn.entries()) {
      const text = textOf(each);
      expect([each, textOnDisk(join(scratch.root, `${at}`, FILE))]).toEqual([each, text]);
      expect([each, (await repository.textAt(commit, `${at}/${FILE}`)).value]).toEqual([each, text]);
      expect(asOnScreen(textFor(each.encoding), text)).toBe(textFor(each.encoding));
      const methods = outlineOf(text).declarations.filter(({ kind }) => kind === 'method');
      expect(methods.map(({ name, lines }) => [name, lines.flat()])).toEqual([
        [/l\S+(?=\(S)|\S+(?=\(S)/.exec(text)![0], [5, 5]],
        ['zwei', [6, 6]],
      ]);
    }
  });

  test('a commit is read as it declares itself, not as the working tree does now', async () => {
    write({ ...PLACES.maven!('Cp1250'), [FILE]: ENCODINGS['windows-1250'].bytesOf(SHOP) });
    const before = scratch.commit();
    write({ ...PLACES.maven!('UTF-8'), [FILE]: SHOP });
    scratch.commit();
    expect((await repository.textAt(before, FILE)).value).toBe(SHOP);
    expect(textOnDisk(join(scratch.root, FILE))).toBe(SHOP);
  });

  test('an index finds a class by a name in any encoding', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-encodings-'));
    writeFileSync(join(folder, 'A.java'), Buffer.from('package acme; class Größe { }', 'latin1'));
    writeFileSync(join(folder, 'B.java'), Buffer.from('\ufeffpackage acme; class Länge { }', 'utf16le'));
    const long = `package acme; class Weiß { }\n${'// é\n'.repeat(100_000)}`;
    writeFileSync(join(folder, 'C.java'), long);
    const index = new SourceIndex({ roots: [folder] });
    await index.complete;
    for (const name of ['Größe', 'Länge', 'Weiß'])
      expect([name, index.filesOfClass(`acme.${name}`).length]).toEqual([name, 1]);
    rmSync(folder, { recursive: true });
  });
});

test('what is declared wrongly does not spoil a text', () => {
  const bytes = Buffer.from('class A { String s = "é"; }', 'latin1');
  for (const name of ['utf-8', 'utf-16le', 'us-ascii', 'nonsense', 'unset']) {
    const declaring = (path: string) => (path.endsWith('.editorconfig') ? `[*]\ncharset = ${name}\n` : null);
    expect(textOfBytes('/a/A.java', bytes, declaring)).toBe('class A { String s = "é"; }');
  }
});

test('an editor that takes Latin-1 for UTF-8 has the recorded text on its screen', () => {
  const recorded = 'class A {\n  String s = "éé";\n}\n';
  const screen = 'class A {\r\n  String s = "\ufffd\ufffd";\r\n}\r\n';
  expect(asOnScreen(screen, recorded)).toBe(screen);
  expect(asOnScreen(`${screen}// é`, recorded)).toBe(recorded.replaceAll('\n', '\r\n'));
});
