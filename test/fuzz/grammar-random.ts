// Random bytes, random tokens and mutated real Java, from a seed that is printed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Numbers in [0, 1) that follow from the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const words =
  `class interface enum record @interface sealed permits extends implements throws new this super static final
default void int var public private import package module ( ) [ ] { } < > , ; . :: : -> ? @ = + += & | * ... "a" 'b' """
/* */ // \\u0041 \\u007b x y Foo yield when case switch for try catch assert instanceof return if else do while 1 0x1F 1.5e3 -> { }
<<<<<<< ======= >>>>>>> non-sealed`.split(/\s+/);

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

export function randomCharacters(random: () => number): string {
  const length = Math.floor(random() ** 3 * 20_000);
  const range = pick(random, [96, 256, 65_536]);
  return Array.from({ length }, () => String.fromCharCode(32 + Math.floor(random() * (range - 32)))).join('');
}

export function randomTokens(random: () => number): string {
  const length = Math.floor(random() ** 3 * 8_000);
  const few = random() < 0.5 ? words : Array.from({ length: 4 }, () => pick(random, words));
  return Array.from({ length }, () => pick(random, few) + pick(random, [' ', '', '\n'])).join('');
}

/** A real file with lines deleted, doubled, swapped or cut, or with words of another kind put in. */
export function mutated(random: () => number, text: string): string {
  const lines = text.split('\n');
  for (let times = Math.ceil(random() * 6); times > 0; times--) {
    const at = Math.floor(random() * lines.length);
    const line = lines[at] ?? '';
    const cut = Math.floor(random() * line.length);
    const way = random();
    if (way < 0.3) lines.splice(at, 1);
    else if (way < 0.5) lines.splice(at, 0, line);
    else if (way < 0.7) lines[at] = line.slice(0, cut);
    else if (way < 0.9) lines[at] = `${line.slice(0, cut)} ${pick(random, words)} ${line.slice(cut)}`;
    else lines.length = at;
  }
  return lines.join('\n');
}

/** All Java files below a folder. */
export function javaFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.java'))
    .map(name => readFileSync(join(folder, name), 'utf8'));
}
