// Keeps on this machine what was read from a bucket, so that it is read once and there when the bucket is not.
import { chmod, lstat, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularLater } from '../../base/regular-file.ts';

const DEFAULT_MEBIBYTES = 512;
/** The share that is thrown away at once, so that not every write has to look for room. */
const ROOM = 0.1;
/** A file that is being written is younger than this. */
const LEFT_BEHIND_MILLIS = 60 * 60 * 1000;
const NAME = /^[0-9a-f]{32,64}\.(cct|head|list)$/;

/** Where the cache lies and how large it may become: `INSITU_CACHE_MB` mebibytes, none for 0. */
export function cacheSettings(env: NodeJS.ProcessEnv): { readonly folder: string; readonly mostBytes: number } {
  const mebibytes = Number(env.INSITU_CACHE_MB ?? DEFAULT_MEBIBYTES);
  const usable = Number.isFinite(mebibytes) && mebibytes >= 0 ? mebibytes : DEFAULT_MEBIBYTES;
  return {
    folder: join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'insitu', 'bucket'),
    mostBytes: usable * 2 ** 20,
  };
}

/**
 * Files in a folder that no other user can read; when they become too many bytes, those used least lately go. Its content is as
 * little trusted as what came over the net. Never rejects: a cache that cannot be used is none.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #mostBytes: number;
  #bytes: number | null = null;
  #usable: Promise<boolean> | null = null;
  #making = Promise.resolve();

  constructor({ folder, mostBytes }: { readonly folder: string; readonly mostBytes: number }) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** null when it is not there. */
  async get(name: string): Promise<Uint8Array | null> {
    if (!NAME.test(name) || !(await this.#isUsable())) return null;
    const path = join(this.#folder, name);
    try {
      const found = await lstat(path);
      if (!found.isFile() || found.size > this.#mostBytes) return null;
      const bytes = await readRegularLater(path, this.#mostBytes);
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return bytes;
    } catch {
      return null;
    }
  }

  async has(name: string): Promise<boolean> {
    if (!NAME.test(name) || !(await this.#isUsable())) return false;
    return lstat(join(this.#folder, name)).then(
      found => found.isFile(),
      () => false,
    );
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (!NAME.test(name) || bytes.length > this.#mostBytes * ROOM || !(await this.#isUsable())) return;
    const path = join(this.#folder, name);
    const fresh = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
    try {
      const file = await open(fresh, 'wx', 0o600);
      await file.writeFile(bytes).finally(() => file.close());
      await rename(fresh, path);
      this.#bytes = (this.#bytes ?? 0) + bytes.length;
    } catch {
      await rm(fresh, { force: true }).catch(() => undefined);
    }
    this.#making = this.#making.then(() => this.#makeRoom());
    await this.#making;
  }

  async remove(name: string): Promise<void> {
    if (NAME.test(name) && (await this.#isUsable()))
      await rm(join(this.#folder, name), { force: true }).catch(() => undefined);
  }

  #isUsable(): Promise<boolean> {
    this.#usable ??= this.#prepare();
    return this.#usable;
  }

  async #prepare(): Promise<boolean> {
    if (this.#mostBytes === 0) return false;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const found = await lstat(this.#folder);
      // Another user's folder, or a link to one, is no place for data that only this user may read.
      const isOwn = process.getuid === undefined || found.uid === process.getuid();
      if (!found.isDirectory() || !isOwn) return false;
      if ((found.mode & 0o077) !== 0) await chmod(this.#folder, 0o700);
      // Files that others have put there since count too.
      this.#bytes = null;
      await this.#makeRoom(true);
      return true;
    } catch {
      return false;
    }
  }

  /** Looks at all files where there may be too many, and removes the least recently used ones. */
  async #makeRoom(always = false): Promise<void> {
    if (!always && this.#bytes !== null && this.#bytes <= this.#mostBytes) return;
    const files: { readonly path: string; readonly bytes: number; readonly used: number }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await lstat(path).catch(() => null);
      if (found === null || !found.isFile()) continue;
      if (NAME.test(name)) files.push({ path, bytes: found.size, used: found.mtimeMs });
      else if (name.endsWith('.tmp') && Date.now() - found.mtimeMs > LEFT_BEHIND_MILLIS)
        await rm(path, { force: true }).catch(() => undefined);
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > this.#mostBytes) {
      for (const file of files.sort((a, b) => a.used - b.used)) {
        if (bytes <= this.#mostBytes * (1 - ROOM)) break;
        await rm(file.path, { force: true }).catch(() => undefined);
        bytes -= file.bytes;
      }
    }
    this.#bytes = bytes;
  }
}
