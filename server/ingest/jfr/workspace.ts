// Memory that reading one chunk needs, kept from chunk to chunk and from file to file, so that most readings allocate little.
import { Buffer } from 'node:buffer';
import { PADDING } from './cursor.ts';
import { KnownMetadata } from './known-metadata.ts';
import { Pools } from './pools.ts';
import { Samples } from './samples.ts';

/** Chunks of usual recordings fit; what a larger one needed is not kept between files. */
const KEPT_BYTES = 4 << 20;
const KEPT_SLOTS = 1 << 17;

/** One for a whole file; used for one chunk after the other. */
class Workspace {
  readonly samples = new Samples();
  readonly pools = new Pools();
  readonly metadata = new KnownMetadata();
  #buffer: Uint8Array = new Uint8Array(0);

  /** Room for a chunk of `size` bytes and PADDING behind it; its bytes are old. */
  buffer(size: number): Uint8Array {
    const needed = size + PADDING;
    if (this.#buffer.length < needed) this.#buffer = Buffer.allocUnsafeSlow(Math.ceil(needed / 65_536) * 65_536);
    return this.#buffer;
  }

  get isSmall(): boolean {
    return this.#buffer.length <= KEPT_BYTES && this.samples.stackNumbers.capacity <= KEPT_SLOTS;
  }
}

/** That of the file before, when no reader uses it. */
let spare: Workspace | null = null;

export function takeWorkspace(): Workspace {
  const taken = spare ?? new Workspace();
  spare = null;
  return taken;
}

export function giveBack(workspace: Workspace): void {
  workspace.samples.clear();
  workspace.pools.clear();
  if (workspace.isSmall) spare = workspace;
}
