// Times that the server itself takes for its requests, as its trace tells them, beside what a client sees.
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { LogTraceNotification, SetTraceNotification } from 'vscode-languageserver/node';

export type ServerTimes = {
  /** Asks the server to trace its requests. */
  start(connection: MessageConnection): Promise<void>;
  /** Milliseconds of each request since the last call, in order; waits until there are at least `count` of them. */
  take(count: number): Promise<number[]>;
};

/** Longest wait for a trace that lags behind its answer. */
const LONGEST_WAIT_MILLIS = 2_000;

/** `prepare` has to be given to the client before it listens. */
export function serverTimes(): ServerTimes & { readonly prepare: (connection: MessageConnection) => void } {
  let taken: number[] = [];
  return {
    prepare: connection =>
      void connection.onNotification(LogTraceNotification.type, ({ message }) => {
        const millis = / took ([\d.]+) ms/.exec(message)?.[1];
        if (millis !== undefined) taken.push(Number(millis));
      }),
    start: connection => connection.sendNotification(SetTraceNotification.type, { value: 'messages' }),
    take: async count => {
      const deadline = performance.now() + LONGEST_WAIT_MILLIS;
      while (taken.length < count && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, 5));
      if (taken.length < count) throw new Error(`the server told the time of ${taken.length} of ${count} requests`);
      const all = taken;
      taken = [];
      return all;
    },
  };
}
