// Chips of what was chosen, the page that explains a number, links to a view, and rows of hot methods by each order.
import type { EditorMethod, Share, SourceStatus } from 'insitu/protocol';
import { describe, expect, test } from 'vitest';
import { chipsOf, metricName, shownSource } from '../../../clients/vscode/src/chips.ts';
import { methodMarkdown, whyPage } from '../../../clients/vscode/src/pages.ts';
import { hotMethodText, movedText, shortLabels } from '../../../clients/vscode/src/rows.ts';
import { linkTo, namesMethod, sharedView } from '../../../clients/vscode/src/shared-view.ts';
import { shortHashes } from '../../../clients/vscode/src/shown-text.ts';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';
import { expectHarmless, HOSTILE_NAMES } from '../../support/terminals/hostile-text.ts';
import { nothingChosen, source } from './shown-source.ts';

const HASH = 'de3214dbf3b0c9a88b8a4c1a9e1d0c9b7a6f5e4d';

function share(part: number): Share {
  const count = Math.round(part * 200);
  return { share: part, count, of: 200, weight: count, text: `${Math.round(part * 100)}%`, interval: null };
}

const origin = fakeOrigin({ versions: ['1'], samples: 200, weight: 200 });

function listed<Row>(rows: readonly Row[]) {
  return { origin, total: rows.length, leftOut: 0, rows };
}

function method(name: string, line: number | null): EditorMethod {
  const start = { line: (line ?? 1) - 1, character: 0 };
  const location = line === null ? null : { uri: 'file:///src/My%20(x).java', range: { start, end: start } };
  const key = `acme.Shop.${name}(String)`;
  return {
    key,
    id: name,
    className: 'acme.Shop',
    name,
    ...{ descriptor: null, place: null },
    label: `Shop.${name}(String)`,
    location,
    certain: true,
  };
}

describe('chips', () => {
  test('name each part of what was chosen, and how it is taken back', () => {
    expect(chipsOf(source)).toEqual([]);
    const chosen = {
      ...nothingChosen,
      metric: 'alloc',
      threads: ['http-*', 'main'],
      version: HASH,
      instances: ['a'],
      path: 'com.acme.Shop.run ..B',
    };
    const all = { ...source, focus: ['com.acme.Shop.search'], baseline: `version ${HASH}`, chosen };
    expect(chipsOf(all)).toEqual([
      { label: 'of Shop.search', operation: 'clearFocus', parameters: {} },
      { label: 'threads http-*, main', operation: 'select', parameters: { threads: null } },
      { label: 'along Shop.run ..B', operation: 'select', parameters: { path: null } },
      { label: 'Allocations', operation: 'select', parameters: { metric: null } },
      { label: 'version de3214d', operation: 'select', parameters: { version: null, program: null } },
      { label: 'instance a', operation: 'select', parameters: { instances: null } },
      { label: 'against version de3214d', operation: 'compareWith', parameters: {} },
    ]);
    const tagged = chipsOf({ ...all, tags: { [HASH]: 'v2' } }).map(({ label }) => label);
    expect([tagged[4], tagged[6]]).toEqual(['version v2', 'against version v2']);
    const [time] = chipsOf({ ...source, chosen: { ...nothingChosen, from: 0 } });
    expect(time).toMatchObject({ label: expect.stringMatching(/^from \d{4}/), parameters: { from: null } });
  });

  test('of several sources are those of one that the choice leaves nothing of', () => {
    const none = { ...source, state: 'none', project: 'other' } as const;
    const status = (...sources: SourceStatus[]) => ({ sources, text: '' }) as never;
    expect(shownSource(null)).toBeNull();
    expect(shownSource(status(none, source))).toBe(source);
    const emptied = { ...none, part: 'threads idle-*' };
    expect(shownSource(status(source, emptied))).toBe(emptied);
    expect(metricName('com.acme.Query')).toBe('com.acme.Query');
  });
});

describe('hot methods', () => {
  test('have no parameter lists but where two would be the same', () => {
    const labels = [
      'Shop.find(int)',
      'Shop.find(String)',
      'Shop.take(Order)',
      'Shop.take(Order)',
      'lambda in Shop.run',
    ];
    expect(labels.map(label => shortLabels(labels).get(label))).toEqual([
      'Shop.find(int)',
      'Shop.find(String)',
      'Shop.take',
      'Shop.take',
      'lambda in Shop.run',
    ]);
  });

  test('by own time begin with it, of everything; by change with the change', () => {
    const row = {
      method: method('search', 3),
      isPlatform: false,
      total: share(0.5),
      self: share(0.02),
      own: share(0.1),
      change: null,
    };
    expect(hotMethodText(row, 'own', 'Shop.search')).toMatchObject({
      label: '10%  Shop.search',
      description: 'of 50%',
    });
    expect(hotMethodText(row, 'self', 'Shop.search')).toMatchObject({
      label: '2%  Shop.search',
      description: 'of 50%',
    });
    expect(hotMethodText(row, 'total', 'Shop.search')).toMatchObject({
      label: '50%  Shop.search',
      description: 'self 2%',
    });
    const change = {
      ...{ baseline: 0.4, current: 0.055, angle: 90, verdict: 'faster' as const, text: '↘ −35' },
      colour: { red: 0, green: 0, blue: 0 },
    };
    expect(movedText({ method: method('search', 3), change })).toMatchObject({
      label: '↘ −35  Shop.search(String)',
      description: '40% → 5.5%',
    });
  });
});

describe('pages', () => {
  const path = listed([
    { method: method('run', 3), ofAll: share(0.6), self: share(0.06), line: 0 },
    { method: method('take', 9), ofAll: share(0.5), self: share(0.5), line: 5 },
  ]);
  const why = {
    ...{ origin, verdict: 'hot', subject: 'acme.Shop.run', ofAll: share(0.6), self: null },
    ...{ methods: [], recordedAs: '', state: null, stateText: '', claims: '' },
    ...{ explanation: 'It ran_', remedy: '' },
    nearest: [],
    calledBy: [{ method: method('main', null), ofItsTime: share(1) }],
    spentIn: [],
    objects: [],
  };

  test('say what is hot inside, who calls, and where the time goes, with links', () => {
    const shares = { ofItsTime: share(0.8), ofAll: share(0.5), self: share(0.5) };
    const rows = [{ method: method('take', 9), ...shares, lines: [5] }];
    const subject = { subject: method('run', 3), subjectText: 'Shop.run(String)' };
    const around = { ...listed(rows), ...subject, ofAll: share(0.6), self: share(0.1) };
    const page = whyPage(why, { callees: around, callers: around, path });
    expect(page).toMatchInlineSnapshot(`
      "<h2>acme.Shop.run: hot</h2>
      <p>It ran_</p>
      <h3>Hot inside</h3>
      <table><tr><th>of its time<th>samples<th>method<th>line
      <tr><td>80%<td>160<td>Shop.take(String)<td>5
      <tr><td>10%<td>12<td>in its own code<td>
      </table>
      <h3>Who calls it</h3>
      <table><tr><th>of its time<th>samples<th>method<th>where
      <tr><td>80%<td>160<td>Shop.take(String)<td><a href="command:insitu.goTo?%5B%7B%22uri%22%3A%22file%3A%2F%2F%2Fsrc%2FMy%2520(x).java%22%2C%22range%22%3A%7B%22start%22%3A%7B%22line%22%3A8%2C%22character%22%3A0%7D%2C%22end%22%3A%7B%22line%22%3A8%2C%22character%22%3A0%7D%7D%7D%5D">My (x).java:9</a>
      </table>
      <h3>The heaviest way into it</h3>
      <table><tr><th>of its time<th>samples<th>method<th>where
      <tr><td>100%<td>200<td>Shop.main(String)<td>
      </table>
      <h3>The heaviest path from here</h3>
      <table><tr><th>of all<th>samples<th>method<th>where
      <tr><td>60%<td>120<td>Shop.run(String)<td><a href="command:insitu.goTo?%5B%7B%22uri%22%3A%22file%3A%2F%2F%2Fsrc%2FMy%2520(x).java%22%2C%22range%22%3A%7B%22start%22%3A%7B%22line%22%3A2%2C%22character%22%3A0%7D%2C%22end%22%3A%7B%22line%22%3A2%2C%22character%22%3A0%7D%7D%7D%5D">My (x).java:3</a>
      <tr><td>50%<td>100<td>Shop.take(String)<td><a href="command:insitu.goTo?%5B%7B%22uri%22%3A%22file%3A%2F%2F%2Fsrc%2FMy%2520(x).java%22%2C%22range%22%3A%7B%22start%22%3A%7B%22line%22%3A8%2C%22character%22%3A0%7D%2C%22end%22%3A%7B%22line%22%3A8%2C%22character%22%3A0%7D%7D%7D%5D">My (x).java:9</a>
      </table>"
    `);
    const none = { callees: null, callers: null, path: null };
    const unseen = { ...why, explanation: `No method is in shop ${HASH}`, calledBy: [] };
    expect(whyPage(unseen, none, { [HASH]: 'v2' })).toContain('in shop v2<');
    expect(whyPage(unseen, none)).toContain('in shop de3214d<');
    const classes = [{ share: '83 %', text: 'a.<B> · 1 s' }].map(row => ({
      ...{ ...row, className: 'a.<B>', amount: '1 s', weight: 1e9, count: 10, hadBefore: [] },
    }));
    const sums = { weight: 1.2e9, count: 12, total: 2, leftOut: 1 };
    const objects = [{ metric: 'lock', title: 'Monitors', amount: '1.2 s', ...sums, rows: classes }];
    expect(whyPage({ ...why, objects, calledBy: [] }, none)).toContain(`<h3>Monitors · 1.2 s</h3>
<table><tr><th>share<th>class
<tr><td>83 %<td>a.&#60;B&#62; · 1 s
</table><p>and 1 more</p>`);
    expect(whyPage({ ...why, ofAll: null, nearest: ['acme.<b>"\u202e'], calledBy: [] }, none)).toBe(
      '<h2>acme.Shop.run: hot</h2>\n<p>It ran_</p>\n<p>Similar names: acme.&#60;b&#62;&#34;\\u202e</p>',
    );
  });

  test('a copied method has its share, its heaviest stack and a link', () => {
    const above = { label: 'Main.main(String[])', share: share(0.6), rows: [] };
    const callers = {
      direction: 'incoming',
      rows: [{ label: 'Shop.run()', share: share(0.6), rows: [above] }],
    } as never;
    const tagged = { ...source, versions: [HASH], tags: { [HASH]: 'v2' } };
    expect(methodMarkdown(path, callers, tagged, null)).toMatch(/ · `shop v2`\n/);
    expect(methodMarkdown(path, callers, { ...source, versions: [HASH] }, 'vscode://x')).toMatchInlineSnapshot(`
      "**\`acme.Shop.run\`**: 60% of \`CPU\` (120 of 200 samples), 10% of that in its own code · \`shop de3214d\`

      \`\`\`
                Main.main(String[])
           60%  Shop.run(String)
           50%  Shop.take(String)
      \`\`\`

      [Show in the editor](vscode://x)"
    `);
  });

  test.each(HOSTILE_NAMES.map(name => [JSON.stringify(name.slice(0, 30)), name] as const))(
    'a copied method is one line and one block, with %s',
    (_, name) => {
      const [first] = path.rows;
      const method = { ...first!.method, className: name, name, label: name };
      const about = { ...source, program: name, versions: [name], metric: name };
      const text = methodMarkdown({ ...path, rows: [{ ...first!, method }] }, null, about as never, null);
      expectHarmless(text);
      expect(text).toMatch(/^\*\*`[^`\n]+`\*\*: [^`\n]+`[^`\n]+`[^`\n]+`[^`\n]+`\n\n```\n[^`\n]+\n```$/);
    },
  );
});

describe('links', () => {
  test('give back what they were made of, whatever names hold', () => {
    const view = { ...source, versions: ['1.4+b'], focus: ['acme.Shop#<init>', 'pay by card'] };
    const link = new URL(linkTo('vscodium', view));
    expect(link.href).toMatch(/^vscodium:\/\/insitu\.insitu\/show\?/);
    const query = decodeURIComponent(link.search.slice(1));
    expect(sharedView({ path: '/show', query })).toEqual({
      ...{ program: 'shop', version: '1.4+b', metric: 'cpu', focus: view.focus },
    });
    // A parenthesis would end the link where it is written in Markdown.
    const unbalanced = linkTo('vscode', { ...view, focus: ['a)b', '(c'] });
    expect(unbalanced).toMatch(/&focus=a%29b&focus=%28c$/);
    expect(linkTo('vscode', { ...view, program: 'a&b', focus: ['x\u202ey'] })).not.toMatch(/program|focus/);
  });

  test.each([
    ['/other', ''],
    ['/show', 'nothing'],
    ['/show', 'file=/etc/passwd'],
    ['/show', 'version='],
    ['/show', 'version=a\nb'],
    ['/show', 'metric=cpu&metric=alloc'],
    ['/show', Array(30).fill('focus=a.b').join('&')],
  ])('%s?%s means nothing, with a reason', (path, query) => {
    expect(sharedView({ path, query })).toMatch(/link/);
  });

  test('of methods are told from expressions', () => {
    for (const good of ['acme.Shop#search', 'Shop.search', 'acme.Shop$1.<init>(Ljava/lang/String;)V'])
      expect(namesMethod(good)).toBe(true);
    for (const bad of ['regex:(a+)+', 'prefix:acme', 'acme', 'a/b', '*.x*']) expect(namesMethod(bad)).toBe(false);
  });
});

test('hashes are cut to seven digits, other versions stay', () => {
  expect(shortHashes(`shop ${HASH}, 1.4.20250101 and v2-${HASH.slice(0, 12)}`)).toBe(
    'shop de3214d, 1.4.20250101 and v2-de3214d',
  );
  const short = HASH.slice(0, 8);
  expect(shortHashes(`shop ${short} and 20250101`, { [short]: 'v2' })).toBe('shop v2 and 20250101');
});
