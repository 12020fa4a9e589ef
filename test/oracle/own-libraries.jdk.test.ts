// The times of jsoup and H2, recorded here: own times against a count over the JDK's print, and questions whose answers stand in the first two rows.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answers } from '../../server/features/answers/answer-types.ts';
import { needs } from '../support/engines/needs.ts';
import { insituProgram } from '../support/insitu/program.ts';
import { countedOwn } from './counted-own.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const SECONDS = '10';
/** Of the annotations that jsoup is compiled with. */
const ANNOTATIONS = {
  Nullable: '@Target(ElementType.TYPE_USE) public @interface Nullable {}',
  NonNull: '@Target(ElementType.TYPE_USE) public @interface NonNull {}',
  NullMarked: 'public @interface NullMarked {}',
};

/** A project whose own code is that of a package, and a recording of a program that the package does the work of. */
class Recorded {
  readonly folder = mkdtempSync(join(tmpdir(), 'insitu-own-'));
  readonly file = join(this.folder, 'work.jfr');

  constructor(own: string) {
    writeFileSync(join(this.folder, 'insitu.json'), JSON.stringify({ 'code.own': own }));
  }

  record(program: (name: string) => string, classpath: readonly string[], sources: readonly string[], main: string) {
    const classes = join(this.folder, 'classes');
    const path = [classes, ...classpath].join(':');
    execFileSync(program('javac'), ['-nowarn', '-d', classes, '-cp', path, ...sources], { stdio: 'pipe' });
    const options = [`-XX:StartFlightRecording=settings=profile,filename=${this.file}`, '-Xlog:disable'];
    const deep = '-XX:FlightRecorderOptions=stackdepth=512';
    execFileSync(program('java'), [...options, deep, '-cp', path, main, SECONDS], { stdio: 'pipe' });
  }

  asked<Name extends 'top' | 'objects'>(name: Name, ...options: readonly string[]): Answers[Name] {
    const args = [insituProgram, name, '--recording', this.file, '--json', '--limit', '10000', ...options];
    const out = execFileSync(process.execPath, args, {
      ...{ cwd: this.folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
      stdio: 'pipe',
    });
    return JSON.parse(out);
  }

  /** The two methods that cost most. */
  first(metric: string): string[] {
    const { rows } = this.asked('top', '--metric', metric);
    return rows.slice(0, 2).map(({ method }) => `${method.className.replace(/^.*\./, '')}.${method.name}`);
  }

  /** The two classes of a metric that most of it is of. */
  firstClasses(metric: string): string[] {
    const found = this.asked('objects').metrics.find(each => each.metric === metric);
    return (found?.rows ?? []).slice(0, 2).map(({ className }) => className);
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}

needs('jdk17', 'libraries that are own code', jdk => {
  needs('service', 'jsoup', service => {
    const recorded = new Recorded('org.jsoup');
    const { folder } = recorded;

    beforeAll(() => {
      const stubs = join(folder, 'org', 'jspecify', 'annotations');
      cpSync(join(service.home, 'src', 'jsoup', 'org'), join(folder, 'org'), { recursive: true });
      mkdirSync(stubs, { recursive: true });
      for (const [name, text] of Object.entries(ANNOTATIONS))
        writeFileSync(
          join(stubs, `${name}.java`),
          `package org.jspecify.annotations; import java.lang.annotation.*; ${text}`,
        );
      const files = readdirSync(join(folder, 'org'), { recursive: true, encoding: 'utf8' });
      const sources = files.filter(name => name.endsWith('.java')).map(name => join(folder, 'org', name));
      recorded.record(
        name => jdk.program(name),
        [],
        [...sources, join(here, 'libraries', 'JsoupWork.java')],
        'JsoupWork',
      );
    });
    afterAll(() => recorded.end());

    test.each([
      ['cpu', 'jdk.ExecutionSample'],
      ['alloc', 'jdk.ObjectAllocationSample'],
    ])('own times of %s are those of the print', (metric, event) => {
      const args = ['print', '--json', '--stack-depth', '2048', '--events', event, recorded.file];
      const printed = JSON.parse(execFileSync(jdk.program('jfr'), args, { encoding: 'utf8', maxBuffer: 2 ** 30 }));
      const { rows, withoutOwn, origin } = recorded.asked('top', '--metric', metric);
      const found = new Map(
        rows.map(({ method, own }) => [`${method.className}.${method.name}${method.descriptor}`, own.weight]),
      );
      if (withoutOwn !== null) found.set('', withoutOwn.weight);
      const sorted = (all: Map<string, number>) => [...all].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(origin.own).toBe('org.jsoup.* (setting code.own)');
      expect(sorted(found)).toEqual(sorted(countedOwn(printed.recording.events, /^org[/.]jsoup[/.]/)));
      expect(found.size).toBeGreaterThan(20);
    });

    test('what to make faster, what allocates, and what is allocated', () => {
      expect(recorded.first('cpu')).toContain('StringUtil.stripControlChars');
      expect(recorded.first('alloc')).toContain('StringUtil.stripControlChars');
      expect(recorded.firstClasses('alloc')).toContain('byte[]');
    });
  });

  needs('h2', 'H2', h2 => {
    const recorded = new Recorded('org.h2');
    const jar = join(h2.home, 'h2.jar');

    beforeAll(() =>
      recorded.record(name => jdk.program(name), [jar], [join(here, 'libraries', 'H2Work.java')], 'H2Work'),
    );
    afterAll(() => recorded.end());

    test('what to make faster, what allocates, and which lock is waited for', () => {
      expect(recorded.first('cpu')).toContain('CompareLike.getValue');
      expect(recorded.first('alloc')).toContain('CompareLike.getValue');
      expect(recorded.first('park')).toContain('Session.lock');
      expect(recorded.firstClasses('park')).toContain('java.util.concurrent.locks.ReentrantLock$NonfairSync');
    });
  });
});
