// Tests which calls are told as queries in a loop: calls that an edit puts into one, with their round trips, and no others.
import { expect, test } from 'vitest';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { queryDiagnostics } from '../../../server/features/prediction/prediction-limit.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { classOf, MS } from './edited-run.ts';

const PICTURE = `Shop.run | 10@3
  Store.find :5 | 10@9
    com.zaxxer.hikari.pool.ProxyPreparedStatement.executeQuery :9 | 5@1
      org.h2.jdbc.JdbcPreparedStatement.executeQuery :2 | 5@1
  Store.fetch :6 | 9@1
  Store.rank :7 | 10@9`;

/** `find` reaches a database by its stacks, `fetch` a server by its timed calls, `rank` none. */
function data(more: string) {
  const profile = profileOfText(`${PICTURE}${more}\njava.net.http.HttpClient.send | 3@1`);
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  const run = rows.get('Shop.run')!;
  for (let at = 0; at < 20; at++) {
    times.addCall(run, 0, 0, 100 * MS);
    for (const name of ['Store.find', 'Store.fetch', 'Store.rank']) times.addCall(rows.get(name)!, run, 0, 3 * MS);
    times.addCall(rows.get('java.net.http.HttpClient.send')!, rows.get('Store.fetch')!, 0, 2 * MS);
  }
  return loadedFrom({ ...profile, times: times.finish()! });
}

const CALLED = 'store.find("a"); store.fetch("a"); store.rank("a");';

async function told(after: string, before = CALLED, more = ''): Promise<string[]> {
  const loaded = data(more);
  const mapping = new KeptMapping({ ...openedText(classOf(before)), from: 'commit' });
  const document = documentWithData(classOf(after), loaded, undefined, 'Shop.java', { mapping });
  return queryDiagnostics(await predictFile(document, loaded)).map(
    ({ span, message, code }) => `${code} ${classOf(after).slice(span.start, span.end)} ${message}`,
  );
}

const OPEN = 'a round trip in each iteration, and it is not known how many there are';
const FIND =
  'query-in-loop find query in a loop: Store.find leads to com.zaxxer.hikari.pool.ProxyPreparedStatement.executeQuery, ';

test.each<[what: string, after: string, wanted: string[]]>([
  ['a new call in a new loop', `${CALLED} for (String word : words) store.find(word);`, [`${FIND}${OPEN}`]],
  [
    'a loop of which the text tells how often it runs',
    `${CALLED} for (int i = 0; i < 12; i++) store.find("b");`,
    [`${FIND}× 12 round trips more in one run of Shop.run`],
  ],
  [
    'a call that moves into a loop',
    'for (int i = 0; i < 4; i++) store.find("a"); store.fetch("a"); store.rank("a");',
    [`${FIND}× 3 round trips more in one run of Shop.run`],
  ],
  ['a lambda that runs once an element', `${CALLED} words.forEach(word -> store.find(word));`, [`${FIND}${OPEN}`]],
  [
    'a client of HTTP behind timed calls',
    `${CALLED} for (String word : words) store.fetch(word);`,
    [`query-in-loop fetch query in a loop: Store.fetch leads to java.net.http.HttpClient.send, ${OPEN}`],
  ],
  [
    'a call of a database that never ran',
    `${CALLED} for (String word : words) statement.executeQuery(word);`,
    [`query-in-loop executeQuery query in a loop: executeQuery, ${OPEN}`],
  ],
  ['code that leads to no other process', `${CALLED} for (String word : words) store.rank(word);`, []],
  ['a query outside of loops', `${CALLED} store.find("b");`, []],
  ['a cache that queries once at most', `${CALLED} cache.computeIfAbsent("b", key -> store.find(key));`, []],
])('%s', async (_, after, wanted) => {
  expect(await told(after)).toEqual(wanted);
});

test.each([
  'org.h2.jdbc.JdbcPreparedStatement.executeQuery',
  'com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeUpdate',
  'org.postgresql.jdbc.PgPreparedStatement.execute',
  'oracle.jdbc.driver.OraclePreparedStatementWrapper.executeBatch',
  'com.mysql.cj.jdbc.ClientPreparedStatement.executeLargeUpdate',
  'io.opentelemetry.Client.postgresql',
])('of java.sql no frame is its own interface’s: %s', async driver => {
  const loop = `${CALLED} for (String word : words) store.rank(word);`;
  expect(await told(loop, CALLED, `\n  Store.rank :7 | 10@9\n    ${driver} :3 | 5@1`)).toEqual([
    `query-in-loop rank query in a loop: Store.rank leads to ${driver}, ${OPEN}`,
  ]);
});

test.each(['com.acme.IfStatement.execute', 'com.acme.Index.executeQuery', 'org.h2.jdbc.JdbcResultSet.next'])(
  'a method of another kind is no query: %s',
  async other => {
    const loop = `${CALLED} for (String word : words) store.rank(word);`;
    expect(await told(loop, CALLED, `\n  Store.rank :7 | 10@9\n    ${other} :3 | 5@1`)).toEqual([]);
  },
);

test('a loop that runs less often than before adds no round trips', async () => {
  const loop = (times: number) => `for (int i = 0; i < ${times}; i++) store.find("b");`;
  // The query was recorded to run once.
  expect(await told(loop(0), loop(2))).toEqual([]);
  expect(await told(loop(4), loop(2))).toEqual([`${FIND}× 3 round trips more in one run of Shop.run`]);
});

test('a query that was in the loop before is not told again', async () => {
  const loop = (more: string) => `for (String word : words) { store.find(word); ${more} }`;
  expect(await told(loop('store.rank(word);'), loop(''))).toEqual([]);
});
