// The JFR events about single methods as the JVM lays them out, for chunks that tests write.
import { type EventType, TYPE } from './jfr-writer.ts';

export const TRACE = 220;
export const TIMING = 221;

export const METHOD_TRACE: EventType = {
  id: TRACE,
  name: 'jdk.MethodTrace',
  fields: [
    ['startTime', TYPE.long, 'ticks'],
    ['duration', TYPE.long, 'ticks'],
    ['eventThread', TYPE.thread, 'pool'],
    ['stackTrace', TYPE.stack, 'pool'],
    ['method', TYPE.method, 'pool'],
  ],
};

export const METHOD_TIMING: EventType = {
  id: TIMING,
  name: 'jdk.MethodTiming',
  fields: [
    ['startTime', TYPE.long, 'ticks'],
    ['method', TYPE.method, 'pool'],
    ['invocations', TYPE.long],
    ['minimum', TYPE.long, 'ticks'],
    ['average', TYPE.long, 'ticks'],
    ['maximum', TYPE.long, 'ticks'],
  ],
};
