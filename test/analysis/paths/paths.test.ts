// Checks queries by call paths on drawn data: the profiles of the paper on CPPROFJ, recursion, views, mistakes with their places.
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { AnswerTo, ParametersOf } from '../../../server/analysis/questions/question-table.ts';
import { loadedFrom, loadedFromText } from '../../support/profiles/loaded.ts';
import { profileOfStacks } from '../../support/profiles/profiles.ts';

type PathWish = ParametersOf<'paths'>;
type PathAnswer = Extract<AnswerTo<'paths'>, { kind: 'answer' }>['answer'];

function outcome(data: LoadedData, query: string, wish: Partial<PathWish> = {}) {
  return answer(data, 'paths', {
    ...{ query, aspects: [], view: null, refine: null, least: 0, most: 99, ...wish },
  });
}

function ask(data: LoadedData, query: string, wish: Partial<PathWish> = {}): PathAnswer {
  const found = outcome(data, query, wish);
  if (found.kind !== 'answer') throw new Error(JSON.stringify(found));
  return found.answer;
}

/** `0.051`: as the paper writes costs. */
function cost(data: LoadedData, query: string, wish: Partial<PathWish> = {}): string {
  const { amount, whole } = ask(data, query, wish);
  return (amount.weight / whole.weight).toFixed(3);
}

function refined(data: LoadedData, query: string, refine: PathWish['refine'], wish: Partial<PathWish> = {}) {
  const { rows, whole } = ask(data, query, { ...wish, refine });
  return rows!.map(({ name, amount }) => `${(amount.weight / whole.weight).toFixed(3)} ${name}`);
}

/** `A.a B.b*7`: seven samples of a stack. */
function stacks(text: string): LoadedData {
  const samples = text
    .trim()
    .split('\n')
    .map(line => {
      const [path = '', count = '1', thread = '0'] = line.trim().split(/ *[*@] */);
      const frames = path.split(' ').map(method => ({ method, line: 1 }));
      return { frames, count: Number(count), thread: Number(thread) };
    });
  return loadedFrom(profileOfStacks(samples, { threads: ['main', 'SMTP_sender-#', 'gc'] }));
}

describe("the paper's profiles", () => {
  const sender = stacks(`
    SMTP_sender.run tools.msg_queue.add_msg tools.msg_queue.length * 15 @ 1
    SMTP_sender.run tools.Mail.send tools.msg_queue.add_msg * 19 @ 1
    SMTP_sender.run tools.msg_queue.add_msg tools.msg_queue.length tools.Node.next * 15 @ 1
    SMTP_sender.run tools.msg_queue.delete * 2 @ 1
    SMTP_sender.run tools.Mail.send java.net.Socket.write * 949 @ 1
    Other.run * 5000 @ 0`);

  test('an aspect in the Thread View, and its members', () => {
    const wish = { view: ['SMTP_sender-*'] };
    expect(cost(sender, 'SMTP_sender-* ..msg_queue.*', wish)).toBe('0.051');
    // In the paper length is called beside add_msg; here within it, which the sum of the rows shows.
    expect(refined(sender, '* ..msg_queue.*', { kind: 'down' }, wish)).toEqual([
      '0.049 tools.msg_queue.add_msg',
      '0.030 tools.msg_queue.length',
      '0.002 tools.msg_queue.delete',
    ]);
    expect(cost(sender, '* ..msg_queue.* msg_queue.length', wish)).toBe('0.030');
  });

  test('members that do not call each other add up', () => {
    const data = stacks(`
      SMTP_sender.run tools.msg_queue.add_msg * 34
      SMTP_sender.run tools.Mail.send tools.msg_queue.length * 15
      SMTP_sender.run tools.msg_queue.delete tools.Node.unlink * 2
      SMTP_sender.run tools.Mail.send * 949`);
    expect(cost(data, '* ..msg_queue.*')).toBe('0.051');
    expect(refined(data, '* ..msg_queue.*', { kind: 'down' })).toEqual([
      '0.034 tools.msg_queue.add_msg',
      '0.015 tools.msg_queue.length',
      '0.002 tools.msg_queue.delete',
    ]);
    expect(cost(data, 'msg_queue.* ..Node.unlink')).toBe('0.002');
  });

  test('character conversion, split upwards step by step', () => {
    const way =
      'java.io.PrintWriter.close java.io.BufferedWriter.close java.io.BufferedWriter.flush java.io.OutputStreamWriter.write sun.io.CharToByteConverter.convert';
    const data = stacks(`
      Main.run tools.dbplist.save ${way} * 108
      Main.run tools.dbplist.save java.io.PrintWriter.close * 8
      Main.run tools.dbplist.save * 96
      Main.run tools.msg.write_bfile ${way} * 135
      Main.run tools.msg.write_bfile * 38
      Main.run tools.msg.write_hfile ${way} * 8
      Main.run tools.msg.write_hfile * 30
      Main.run sun.io.CharToByteConverter.convert * 30
      Main.run * 547`);
    expect(cost(data, '* ..sun.io.CharToByteConverter')).toBe('0.281');
    const up = { kind: 'up', at: 2 } as const;
    expect(refined(data, '* ..CharToByteConverter', up)).toEqual([
      '0.251 java.io.OutputStreamWriter.write',
      '0.030 Main.run',
    ]);
    let query = '* ..CharToByteConverter';
    for (let step = 0; step < 4; step++) query = ask(data, query, { refine: up }).rows![0]!.query;
    expect(refined(data, query, up)).toEqual([
      '0.135 tools.msg.write_bfile',
      '0.108 tools.dbplist.save',
      '0.008 tools.msg.write_hfile',
    ]);
  });
});

describe('the meaning of a path', () => {
  test('the method that is called and the one that calls may be two frames', () => {
    const data = stacks('A.a B.b D.d B.b C.c * 3\nA.a B.b D.d C.c * 4\nA.a D.d B.b C.c * 8');
    expect(ask(data, 'A.a B.b C.c').amount.count).toBe(3);
    expect(ask(data, 'A.a ..B.b C.c').amount.count).toBe(11);
  });

  test('siblings of a split may sum to more than their parent', () => {
    const data = stacks('A.a M.m B.b M.m * 1');
    expect(refined(data, '* ..M.m', { kind: 'up', at: null })).toEqual(['1.000 A.a', '1.000 B.b']);
  });

  test('an extended call to itself needs recursion', () => {
    const data = stacks('A.a C.c * 1\nA.a C.c D.d C.c * 2');
    expect(ask(data, 'C.c ..C.c').amount.count).toBe(2);
    expect(ask(data, 'A.a ..C.c').amount.count).toBe(3);
  });

  test('overloads are one method unless parameters are given', () => {
    const data = stacks('A.a B.b(I)V * 1\nA.a B.b(Ljava/lang/String;)V * 2\nA.a B.<init>()V * 4');
    expect(ask(data, 'A.a B.b').amount.count).toBe(3);
    expect(ask(data, 'A.a B.b(String)').amount.count).toBe(2);
    expect(ask(data, 'A.a B.b(..)').amount.count).toBe(3);
    expect(ask(data, 'A.a B.<init>').amount.count).toBe(4);
    expect(ask(data, 'A.a ..B').amount.count).toBe(7);
    expect(refined(data, 'A.a', { kind: 'down' })).toEqual(['0.571 B.<init>', '0.429 B.b']);
  });

  test('a thread begins below what the platform starts it with', () => {
    const data = stacks(`
      java.lang.Thread.run java.util.concurrent.ThreadPoolExecutor$Worker.run A.a B.b * 3 @ 1
      java.lang.Thread.run B.b A.a * 5 @ 0`);
    expect(ask(data, '* A.a').amount.count).toBe(3);
    expect(ask(data, '* ..A.a').amount.count).toBe(8);
    expect(ask(data, 'thread:SMTP_sender-* A.a B.b').amount.count).toBe(3);
    expect(refined(data, '*', { kind: 'down' })).toEqual(['0.625 B.b', '0.375 A.a']);
    expect(answer(data, 'threadList', { methods: null }).rows).toEqual([
      { name: 'main', group: 'main', names: 1, total: { weight: 5, count: 5 } },
      { name: 'SMTP_sender-#', group: 'main', names: 1, total: { weight: 3, count: 3 } },
    ]);
  });

  test('pruned samples leave numerator and denominator', () => {
    const data = stacks('A.a Log.debug * 1\nA.a B.b * 3\nGc.run * 4');
    const found = ask(data, 'A.a ..Log.* where A.a and not ..B.b');
    expect([found.amount.count, found.whole.count]).toEqual([1, 1]);
    expect(cost(data, 'A.a and not ..B.b')).toBe('0.125');
    expect(cost(data, '(B.b or Gc.run) where not Log.debug')).toBe('1.000');
  });

  test('aspects in the query, which may overlap and name each other', () => {
    const data = stacks('A.a MyQueue.put * 1\nA.a msg_queue.add * 2\nA.a msg_queue.add MyQueue.put * 4\nA.a * 8');
    const query = 'let queue = msg_queue.* | *Queue.put(..); let both = queue | A.a; * ..queue';
    expect(ask(data, query).amount.count).toBe(7);
    expect(refined(data, `${query} where MyQueue.put`, { kind: 'extended' })).toEqual([
      '0.800 MyQueue.put',
      '0.800 queue',
      '0.800 both',
    ]);
  });

  test('rows with few samples are hidden and counted', () => {
    const data = stacks('A.a B.b * 10\nA.a C.c * 9\nA.a D.d * 1');
    const { rows, hidden } = ask(data, 'A.a', { refine: { kind: 'down' }, least: 10 });
    expect([rows!.map(({ name }) => name), hidden]).toEqual([['B.b'], 2]);
  });

  test('below a focus, stacks begin at it', () => {
    const data = loadedFromText(
      'A.a\n  B.b :1 | 2@1\n    A.a :2 | 4@1\n      C.c :3 | 8@1\n  C.c :2 | 16@1',
      {},
      {},
      { focus: ['B.b'] },
    );
    expect(ask(data, 'A.a').whole.count).toBe(14);
    expect(ask(data, 'A.a').amount.count).toBe(12);
    expect(ask(data, '* B.b').amount.count).toBe(14);
    expect(refined(data, 'C.c', { kind: 'up', at: 1 })).toEqual(['0.571 A.a']);
  });

  test('recursion a thousand calls deep', () => {
    const deep = Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? 'A.a' : 'B.b')).join(' ');
    const data = stacks(`Main.run ${deep} C.c * 3\nMain.run * 1`);
    expect(refined(data, 'Main.run ..B.b ..C.c', { kind: 'up', at: 2 })).toEqual(['0.750 A.a']);
    expect(ask(data, 'A.a B.b A.a B.b A.a ..C.c').amount.count).toBe(3);
  });
});

describe('mistakes', () => {
  const data = stacks('com.acme.PathFinder.search com.acme.Log.debug * 3\norg.Log.debug com.acme.Shop.sell * 2');
  const mistake = (query: string) => {
    const found = outcome(data, query);
    if (found.kind !== 'mistake') throw new Error(JSON.stringify(found));
    const { from, to, message, remedy } = found.mistake;
    return `${from}-${to} ${message} (${remedy})`;
  };

  test.each([
    [
      'Pathfinder.search',
      '0-17 no method that ran, class or aspect is called "Pathfinder.search" (did you mean com.acme.PathFinder.search?)',
    ],
    ['* ..Pathfinder', '4-14 no method that ran, class or aspect is called "Pathfinder" (did you mean PathFinder?)'],
    ['Shop ..Log.debug', '7-16 several fit "Log.debug" (write com.acme.Log.debug or org.Log.debug)'],
    [
      'Shop com.acme.Log',
      '5-17 "Shop com.acme.Log" would be a direct call from one set of methods to another (write Shop ..com.acme.Log)',
    ],
    [
      'Shop.* PathFinder.search',
      '7-24 "PathFinder.search" is no method of "Shop.*" (write Shop.* ..PathFinder.search for what its methods call)',
    ],
    ['com.acme.*', '0-10 no method that ran is like "com.acme.*" (did you mean com.acme.**?)'],
    ['Shop.sell ..', '12-12 something is missing after ".." (write a method, pattern or aspect behind "..")'],
    [
      'Shop.sell and',
      '13-13 something is missing after "and" (a path is written A B ..C: methods, patterns or aspects, with ".." for one or more calls)',
    ],
    [
      '(Shop.sell',
      '10-10 something is missing after "Shop.sell" (a path is written A B ..C: methods, patterns or aspects, with ".." for one or more calls)',
    ],
    [
      '',
      '0-0 something is missing at the beginning (a path is written A B ..C: methods, patterns or aspects, with ".." for one or more calls)',
    ],
    [
      'Shop.sell ]',
      '10-11 "]" means nothing here (write methods, patterns, aspects, "..", "and", "or", "not" and "where")',
    ],
    ['"Shop.sell', '0-1 nothing closes this quotation mark (add another quotation mark)'],
    ['Shop.sell thread:main', '10-21 a thread calls and is not called (begin the path with it)'],
    ['thread:mian Shop.sell', '0-11 no thread fits "mian" (did you mean main?)'],
    [
      'x = Shop; x',
      '2-3 "=" does not fit after "x" (begin the query with "let" to define an aspect: let queue = *Queue.*; …)',
    ],
  ])('%s', (query, wanted) => {
    expect(mistake(query)).toBe(wanted);
  });

  test('an aspect that is defined by itself, alone or by way of another', () => {
    const aspects = [
      { name: 'Log', value: 'PathFinder | Log' },
      { name: 'shop', value: 'Shop | sale' },
      { name: 'sale', value: 'shop' },
      { name: 'all', value: 'PathFinder | sale' },
      { name: 'PathFinder', value: '"PathFinder"' },
    ];
    const mistakeOf = (query: string) => {
      const found = outcome(data, query, { aspects });
      return found.kind === 'mistake'
        ? `${found.mistake.from} ${found.mistake.message} (${found.mistake.remedy})`
        : null;
    };
    const remedy = 'take it out of its own definition; a method or class of its name is written in quotes';
    expect(mistakeOf('* ..Log')).toBe(`4 aspect "Log": aspect "Log": it is defined by itself (${remedy})`);
    const ofShop = `aspect "shop": aspect "sale": aspect "shop": it is defined by itself (${remedy})`;
    expect(mistakeOf('* ..shop')).toBe(`4 ${ofShop}`);
    expect(mistakeOf('let x = Shop | shop; ..x')).toBe(`15 ${ofShop}`);
    expect(mistakeOf('..all')).toMatch(/^2 aspect "all": aspect "sale": aspect "shop": aspect "sale": it is defined/);
    expect(mistakeOf('..PathFinder')).toBeNull();
  });

  const names = (written: string, most = 9) => {
    const at = written.indexOf('|');
    const query = written.replace('|', '');
    const aspects = [{ name: 'logging', value: '*Log.*' }];
    const found = answer(data, 'pathNames', { query, at, aspects, most });
    return [
      `${query.slice(0, found.from)}[${query.slice(found.from, found.to)}]`,
      ...found.names.map(({ text }) => text),
    ];
  };

  test('names to go on with: aspects, threads where a path begins, methods with most time first', () => {
    expect(names('* ..lo|')).toEqual(['* ..[lo]', 'logging', 'com.acme.Log.debug', 'org.Log.debug']);
    expect(names('* ..Shop.s|ale where x')).toEqual(['* ..[Shop.sale]', 'Shop.sell']);
    expect(names('* ..SHOP.SE|')).toEqual(['* ..[SHOP.SE]', 'Shop.sell']);
    expect(names('ma|')).toContain('thread:main');
    expect(names('A and ma|')).toContain('thread:main');
    expect(names('A ma|')).not.toContain('thread:main');
    expect(names('A ..thread:ma|')).toEqual(['A ..[thread:ma]', 'thread:main']);
    expect(names('|', 2)).toHaveLength(3);
    expect(names('* ..nothing|')).toEqual(['* ..[nothing]']);
  });

  test('each name that is offered is understood', () => {
    for (const text of names('|', 99).slice(1)) {
      const query = text.startsWith('thread:') ? text : `* ..${text}`;
      if (text !== 'logging') expect(outcome(data, query)).toMatchObject({ kind: 'answer' });
    }
  });

  const missing = (query: string) => {
    const { amount, missing: found } = ask(data, query);
    expect(amount.count).toBe(0);
    return `${found!.from}-${found!.to} ${found!.message} (${found!.remedy})`;
  };

  test.each([
    [
      'PathFinder.search Shop.sell',
      '18-27 no stack goes on to "Shop.sell" after "PathFinder.search" ("..Shop.sell" allows calls between)',
    ],
    [
      '* PathFinder.search com.acme.Log.debug ..Shop',
      '39-45 no stack goes on to "..Shop" after "* PathFinder.search com.acme.Log.debug" (shorten the path)',
    ],
    ['thread:gc ..Shop', '0-9 no sample has "thread:gc" (shorten the path)'],
    ['PathFinder and Shop', '0-19 no sample satisfies all of it together (ask the paths one by one)'],
    ['Shop where PathFinder ..Shop', '0-28 no sample fulfils the condition behind "where" (ask the condition alone)'],
  ])('an empty answer: %s', (query, wanted) => {
    expect(missing(query)).toBe(wanted);
  });

  test('nesting and length have limits', () => {
    expect(mistake(`${'('.repeat(9000)}A.a${')'.repeat(9000)}`)).toMatch(/nested too deeply/);
    expect(mistake(`${'not '.repeat(9000)}A.a`)).toMatch(/nested too deeply/);
    expect(mistake('Shop.sell ..'.repeat(9000))).toMatch(/too long/);
    expect(mistake(Array.from({ length: 17 }, () => 'Shop').join(' or '))).toMatch(/at most 16 paths/);
    expect(mistake(`${'*a'.repeat(500)}`)).toMatch(/no method that ran is like/);
  });
});
