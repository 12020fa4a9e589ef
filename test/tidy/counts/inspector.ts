// Asks V8's inspector which files run code while something is done.

/** Sends one message of the inspector's protocol and gives its result; node:inspector's sessions are of this form too. */
export type Post = (method: string, params?: object) => Promise<unknown>;

export type Inspector = { readonly post: Post; close(): void };

/** The inspector of another process, which was started with `--inspect=127.0.0.1:<port>`. */
export async function connectInspector(port: number): Promise<Inspector> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await listed.json()) as { webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error(`the process that listens on port ${port} cannot be inspected`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<void>();
  socket.addEventListener('open', () => opened.resolve());
  const fail = () => {
    const error = new Error('the connection to the inspector has ended');
    opened.reject(error);
    for (const { reject } of waiting.values()) reject(error);
  };
  socket.addEventListener('error', fail);
  socket.addEventListener('close', fail);
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: object };
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || asked === undefined) return;
    waiting.delete(id);
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(`the inspector answers ${JSON.stringify(error)}`));
  });
  await opened.promise;
  let lastId = 0;
  return {
    post: (method, params = {}) => {
      const asked = Promise.withResolvers<unknown>();
      waiting.set(++lastId, asked);
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return asked.promise;
    },
    close: () => socket.close(),
  };
}

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
};

/** The URLs of files of which a function is called each of the `count` times that `work` is done: what runs beside it now and then is left out. */
export async function filesRunBy(post: Post, work: () => unknown, count: number): Promise<string[]> {
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const times: string[][] = [];
  for (let i = 0; i < count; i++) {
    // Sets all counts to zero.
    await post('Profiler.takePreciseCoverage');
    await work();
    const { result } = (await post('Profiler.takePreciseCoverage')) as Coverage;
    const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    times.push(called.map(({ url }) => url));
  }
  await post('Profiler.stopPreciseCoverage');
  return [...new Set(times[0])].filter(url => times.every(each => each.includes(url))).sort();
}
