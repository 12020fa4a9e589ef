// Which JVMs are refused before anybody attaches to them, and why.
import { expect, test } from 'vitest';
import { describeJvm, type Jvm, listJvms, refusalOf } from '../../server/record/jvms.ts';

/** This process stands in: it is no JVM, but its user and its signals can be asked. */
const JVM: Jvm = {
  pid: process.pid,
  startTicks: 1,
  user: 1000,
  root: '',
  name: 'com.acme.Shop',
  main: 'com.acme.Shop',
  args: '',
  jvmArgs: [],
  classPath: '',
  javaVersion: '17.0.15',
  sinceMillis: 0,
  identity: '',
};

test('a JVM of another user is refused, but not to root', () => {
  expect(refusalOf(JVM, 1001)).toBe('it belongs to another user');
  expect(refusalOf(JVM, 0)).not.toBe('it belongs to another user');
});

test('a JVM that nobody may attach to is refused', () => {
  expect(refusalOf({ ...JVM, jvmArgs: ['-XX:+DisableAttachMechanism'] }, 1000)).toContain('DisableAttachMechanism');
});

test('a JVM that would die of being asked is refused, an old one as well', () => {
  // Without a handler for SIGQUIT.
  expect(refusalOf(JVM, 1000)).toBe('it is starting, or was started with -Xrs');
  const quit = () => undefined;
  process.on('SIGQUIT', quit);
  try {
    expect(refusalOf(JVM, 1000)).toBeNull();
    expect(refusalOf({ ...JVM, javaVersion: '1.8.0_292' }, 1000)).toMatch(/^its Java 1\.8\.0_292 is too old/);
    expect(refusalOf({ ...JVM, javaVersion: '' }, 1000)).toBeNull();
  } finally {
    process.off('SIGQUIT', quit);
  }
});

test('what is no JVM, or gone, is not listed', () => {
  expect(describeJvm(process.pid)).toBeNull();
  expect(describeJvm(4_194_304)).toBeNull();
  expect(listJvms().map(({ pid }) => pid)).not.toContain(process.ppid);
});
