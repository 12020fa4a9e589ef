// Writes small JFR chunks byte by byte, right or deliberately wrong, for tests of the reader.

export type Integer = number | bigint;

/** Ids of the types that every chunk written here declares. */
export const TYPE = {
  int: 4,
  long: 5,
  boolean: 6,
  string: 7,
  class: 8,
  thread: 9,
  group: 10,
  symbol: 11,
  method: 12,
  frame: 13,
  stack: 14,
  timespan: 15,
  state: 16,
  float: 17,
  executionSample: 100,
  sleep: 101,
} as const;

export type TextEncoding = 'utf8' | 'latin1' | 'utf16' | 'pool' | 'null';

export type ChunkOptions = {
  readonly version?: readonly [major: number, minor: number];
  readonly compressed?: boolean;
  /** Width of event sizes in bytes, padded with continued zeros; 0 for the shortest. */
  readonly sizeWidth?: number;
  /** The bits that the 9th byte of a long integer carries besides its value: async-profiler sets the high bit. */
  readonly ninthByte?: number;
  readonly generation?: number;
  /** Event types besides the usual ones; one with a usual name takes its place. */
  readonly events?: readonly EventType[];
};

/** How a field is stored, when not as its plain value: as a key into a pool, as an array, as a span of ticks (microseconds here). */
type FieldType = readonly [name: string, type: number, how?: 'pool' | 'array' | 'ticks'];
export type EventType = { readonly id: number; readonly name: string; readonly fields: readonly FieldType[] };

const START_NANOS = 1_700_000_000_000_000_000n;
export const START_MILLIS = 1_700_000_000_000;

/** Grows bytes with the integer encoding of a chunk. */
export class JfrBytes {
  readonly bytes: number[] = [];
  readonly options: ChunkOptions;

  constructor(options: ChunkOptions) {
    this.options = options;
  }

  raw(...bytes: readonly number[]): this {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  /** A big-endian integer of `width` bytes. */
  fixed(value: Integer, width: number): this {
    for (let i = width - 1; i >= 0; i--) this.raw(Number((BigInt(value) >> BigInt(8 * i)) & 0xffn));
    return this;
  }

  /** LEB128 where the chunk is compressed, else `width` bytes. */
  integer(value: Integer, width: number): this {
    if (this.options.compressed === false) return this.fixed(value, width);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let i = 0; i < 8; i++) {
      if (rest < 128n) return this.raw(Number(rest));
      this.raw(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    return this.raw(Number(rest) | (this.options.ninthByte ?? 0));
  }

  int(value: number): this {
    return this.integer(value, 4);
  }

  long(value: Integer): this {
    return this.integer(value, 8);
  }

  text(text: string, encoding: TextEncoding = 'utf8', poolKey: Integer = 1): this {
    if (encoding === 'null') return this.raw(0);
    if (text === '') return this.raw(1);
    if (encoding === 'pool') return this.raw(2).long(poolKey);
    if (encoding === 'utf16') {
      this.raw(4).int(text.length);
      for (let i = 0; i < text.length; i++) this.integer(text.charCodeAt(i), 2);
      return this;
    }
    const bytes = Buffer.from(text, encoding);
    return this.raw(encoding === 'utf8' ? 3 : 5)
      .int(bytes.length)
      .raw(...bytes);
  }

  /** An event: its size, then `body`. */
  event(body: JfrBytes): this {
    const length = body.bytes.length;
    if (this.options.compressed === false) return this.fixed(length + 4, 4).raw(...body.bytes);
    const width = this.options.sizeWidth || (length + 1 < 128 ? 1 : length + 2 < 16384 ? 2 : 3);
    for (let i = 0; i < width; i++) {
      const part = ((length + width) >>> (7 * i)) & 127;
      this.raw(i < width - 1 ? part | 128 : part);
    }
    return this.raw(...body.bytes);
  }
}

export type Frame = { readonly method: Integer; readonly line: number };
type Entry = readonly [key: Integer, write: (out: JfrBytes) => void];
export type Pool = { readonly type: number; readonly entries: readonly Entry[] };

export function stackPool(stacks: readonly { key: Integer; truncated?: boolean; frames: readonly Frame[] }[]): Pool {
  const write =
    ({ truncated, frames }: { truncated?: boolean; frames: readonly Frame[] }) =>
    (out: JfrBytes) => {
      out.raw(truncated ? 1 : 0).int(frames.length);
      for (const { method, line } of frames) out.long(method).int(line).int(0);
    };
  return { type: TYPE.stack, entries: stacks.map(stack => [stack.key, write(stack)]) };
}

/** Pools for methods of one class each; symbols and classes get keys derived from the method's. */
export function methodPools(
  methods: readonly { key: Integer; owner: string; name: string; descriptor?: string; modifiers?: number }[],
  encoding: TextEncoding = 'utf8',
): Pool[] {
  const symbol = (key: Integer, part: number) => BigInt(key) * 4n + BigInt(part);
  return [
    {
      type: TYPE.method,
      entries: methods.map(({ key, modifiers }) => [
        key,
        out =>
          out
            .long(key)
            .long(symbol(key, 1))
            .long(symbol(key, 2))
            .int(modifiers ?? 0)
            .raw(0),
      ]),
    },
    { type: TYPE.class, entries: methods.map(({ key }) => [key, out => out.long(symbol(key, 3))]) },
    {
      type: TYPE.symbol,
      entries: methods.flatMap(({ key, owner, name, descriptor }): Entry[] => [
        [symbol(key, 1), out => out.text(name, encoding)],
        [symbol(key, 2), out => out.text(descriptor ?? '()V', encoding)],
        [symbol(key, 3), out => out.text(owner, encoding)],
      ]),
    },
  ];
}

export function threadPool(threads: readonly { key: Integer; name: string; virtual?: boolean }[]): Pool {
  const entries = threads.map(({ key, name, virtual }): Entry => {
    return [
      key,
      out =>
        out
          .text('', 'null')
          .text(name)
          .long(1)
          .raw(virtual ? 1 : 0),
    ];
  });
  return { type: TYPE.thread, entries };
}

const FIELDS: Readonly<Record<string, readonly FieldType[]>> = {
  'java.lang.Class': [['name', TYPE.symbol, 'pool']],
  'java.lang.Thread': [
    ['osName', TYPE.string],
    ['javaName', TYPE.string],
    ['group', TYPE.group, 'pool'],
    ['virtual', TYPE.boolean],
  ],
  'jdk.types.ThreadState': [['name', TYPE.string]],
  'jdk.types.ThreadGroup': [['name', TYPE.string]],
  'jdk.types.Symbol': [['string', TYPE.string]],
  'jdk.types.Method': [
    ['type', TYPE.class, 'pool'],
    ['name', TYPE.symbol, 'pool'],
    ['descriptor', TYPE.symbol, 'pool'],
    ['modifiers', TYPE.int],
    ['hidden', TYPE.boolean],
  ],
  'jdk.types.StackFrame': [
    ['method', TYPE.method, 'pool'],
    ['lineNumber', TYPE.int],
    ['bytecodeIndex', TYPE.int],
  ],
  'jdk.types.StackTrace': [
    ['truncated', TYPE.boolean],
    ['frames', TYPE.frame, 'array'],
  ],
  'jdk.ExecutionSample': [
    ['startTime', TYPE.long, 'ticks'],
    ['sampledThread', TYPE.thread, 'pool'],
    ['stackTrace', TYPE.stack, 'pool'],
  ],
  'jdk.ThreadSleep': [
    ['startTime', TYPE.long, 'ticks'],
    ['duration', TYPE.long, 'ticks'],
    ['eventThread', TYPE.thread, 'pool'],
    ['stackTrace', TYPE.stack, 'pool'],
  ],
};

const TYPE_NAMES: readonly (readonly [id: number, name: string])[] = [
  [TYPE.int, 'int'],
  [TYPE.long, 'long'],
  [TYPE.boolean, 'boolean'],
  [TYPE.string, 'java.lang.String'],
  [TYPE.class, 'java.lang.Class'],
  [TYPE.thread, 'java.lang.Thread'],
  [TYPE.group, 'jdk.types.ThreadGroup'],
  [TYPE.symbol, 'jdk.types.Symbol'],
  [TYPE.method, 'jdk.types.Method'],
  [TYPE.frame, 'jdk.types.StackFrame'],
  [TYPE.stack, 'jdk.types.StackTrace'],
  [TYPE.timespan, 'jdk.jfr.Timespan'],
  [TYPE.state, 'jdk.types.ThreadState'],
  [TYPE.float, 'float'],
  [TYPE.executionSample, 'jdk.ExecutionSample'],
  [TYPE.sleep, 'jdk.ThreadSleep'],
];

type Element = { name: string; attributes: Record<string, string>; children: Element[] };

function metadataTree(events: readonly EventType[]): Element {
  const usual = TYPE_NAMES.map(([id, name]): EventType => ({ id, name, fields: FIELDS[name] ?? [] }));
  const types = [...usual.filter(type => !events.some(({ name }) => name === type.name)), ...events];
  const classes = types.map(({ id, name, fields }): Element => {
    const children = fields.map(([field, type, how]): Element => {
      const attributes: { name: string; class: string; constantPool?: string; dimension?: string } = {
        name: field,
        class: String(type),
      };
      if (how === 'pool') attributes.constantPool = 'true';
      if (how === 'array') attributes.dimension = '1';
      const unit = { name: 'annotation', attributes: { class: String(TYPE.timespan), value: 'TICKS' }, children: [] };
      return { name: 'field', attributes, children: how === 'ticks' ? [unit] : [] };
    });
    return { name: 'class', attributes: { id: String(id), name }, children };
  });
  const metadata = { name: 'metadata', attributes: {}, children: classes };
  return { name: 'root', attributes: {}, children: [metadata, { name: 'region', attributes: {}, children: [] }] };
}

/** Writes one chunk: events and checkpoints in the order of the calls, the metadata last. */
export class ChunkWriter extends JfrBytes {
  #checkpoint = 0;
  #strings: string[] = [];

  constructor(options: ChunkOptions = {}) {
    super(options);
    this.raw(...new Array<number>(68).fill(0));
  }

  /** The offset where the next event will start. */
  get offset(): number {
    return this.bytes.length;
  }

  /** A body for `event`, starting with its type. */
  body(type: number): JfrBytes {
    return new JfrBytes(this.options).long(type);
  }

  sample(stack: Integer, thread: Integer = 1, millis = 0): this {
    return this.event(
      this.body(TYPE.executionSample)
        .long(millis * 1000)
        .long(thread)
        .long(stack),
    );
  }

  /** A sleep of `ticks` (microseconds here). */
  sleep(stack: Integer, thread: Integer, ticks: number): this {
    return this.event(this.body(TYPE.sleep).long(0).long(ticks).long(thread).long(stack));
  }

  /** An event of the type with this id, of longs and keys alone. */
  longs(type: number, ...values: readonly Integer[]): this {
    const body = this.body(type);
    for (const value of values) body.long(value);
    return this.event(body);
  }

  /** A checkpoint linked to the one before; `delta` overrides the link. */
  checkpoint(pools: readonly Pool[], delta?: number): this {
    const at = this.offset;
    const link = delta ?? (this.#checkpoint === 0 ? 0 : this.#checkpoint - at);
    const body = this.body(1).long(0).long(0).long(link).raw(0).int(pools.length);
    for (const { type, entries } of pools) {
      body.long(type).int(entries.length);
      for (const [key, write] of entries) {
        body.long(key);
        write(body);
      }
    }
    this.#checkpoint = at;
    return this.event(body);
  }

  /** The metadata, which `finish` writes too: a JVM writes them more than once. */
  metadata(): this {
    const body = this.body(0).long(0).long(0).long(1);
    const elements = new JfrBytes(this.options);
    this.#strings = [];
    this.#element(metadataTree(this.options.events ?? []), elements);
    body.int(this.#strings.length);
    for (const text of this.#strings) body.text(text);
    return this.event(body.raw(...elements.bytes));
  }

  /** The whole chunk. `header` may be changed by `patch` before it is returned. */
  finish(patch: (header: DataView) => void = () => {}): Uint8Array {
    const metadata = this.offset;
    this.metadata();
    const bytes = Uint8Array.from(this.bytes);
    const header = new DataView(bytes.buffer);
    const [major, minor] = this.options.version ?? [2, 1];
    header.setUint32(0, 0x464c5200);
    header.setUint16(4, major);
    header.setUint16(6, minor);
    header.setBigInt64(8, BigInt(bytes.length));
    header.setBigInt64(16, BigInt(this.#checkpoint));
    header.setBigInt64(24, BigInt(metadata));
    header.setBigInt64(32, START_NANOS);
    header.setBigInt64(40, 30_000_000_000n);
    header.setBigInt64(48, 0n);
    header.setBigInt64(56, 1_000_000n);
    const compressed = this.options.compressed === false ? 0 : 1;
    if (major === 2 && minor >= 1) {
      header.setUint8(64, this.options.generation ?? 0);
      header.setUint16(66, compressed | 2);
    } else {
      header.setUint32(64, compressed);
    }
    patch(header);
    return bytes;
  }

  // The tree written here is three levels deep.
  #element({ name, attributes, children }: Element, out: JfrBytes): void {
    out.int(this.#string(name)).int(Object.keys(attributes).length);
    for (const [key, value] of Object.entries(attributes)) out.int(this.#string(key)).int(this.#string(value));
    out.int(children.length);
    for (const child of children) this.#element(child, out);
  }

  #string(text: string): number {
    const known = this.#strings.indexOf(text);
    return known >= 0 ? known : this.#strings.push(text) - 1;
  }
}
