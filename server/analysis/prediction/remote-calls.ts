// Which methods lead to another process: to a database by java.sql, or to a server by a client of HTTP.
import { methodName } from '../../cct/method-names.ts';
import { PARTIAL_METHOD, type Profile } from '../../cct/profile.ts';

/** Packages and classes whose methods wait for another process. */
const REMOTE =
  /^(?:java\.sql\.|javax\.sql\.|java\.net\.http\.|jdk\.internal\.net\.http\.|java\.net\.(?:HttpURLConnection|URLConnection)$|sun\.net\.www\.protocol\.https?\.|okhttp3\.|org\.apache\.(?:http|hc\.client5)\.|(?:javax|jakarta)\.ws\.rs\.client\.|org\.springframework\.(?:web\.client|web\.reactive\.function\.client|jdbc)\.|io\.opentelemetry\.Client$)/;
/**
 * Methods of drivers and pools that implement java.sql.Statement or one of its kinds (`PgPreparedStatement`): no stack has a frame of an
 * interface. Many classes have an `execute`, so that the package must tell.
 */
const STATEMENT =
  /(?:Statement[^.]*\.(?:executeQuery|executeUpdate|executeLargeUpdate|executeBatch|executeLargeBatch)|(?:^|\.)jdbc\w*\.(?:\w+\.)*\w*Statement\w*\.execute)$/;
/** Methods of java.sql.Statement and its kinds that no other class of the JDK has, by which a call is known that never ran. */
const QUERIES: ReadonlySet<string> = new Set(['executeQuery', 'executeUpdate', 'executeLargeUpdate']);

/** Whether a call of this name that was never recorded is a query of a database. */
export function isQueryName(name: string): boolean {
  return QUERIES.has(name);
}

/**
 * By row of the method table: the client method (of a database or server) that the method is, or that it was seen or timed to lead to.
 * @param callers the timed callers of a method, by row
 */
export function remoteBehind(
  { methods, tree: { parent, method } }: Pick<Profile, 'methods' | 'tree'>,
  callers: (row: number) => Iterable<number>,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++) {
    const { className, name } = methodName(methods, row);
    if (REMOTE.test(className) || STATEMENT.test(`${className}.${name}`)) found.set(row, `${className}.${name}`);
  }
  const remote = new Set(found.keys());
  const told = (row: number, behind: string): void => {
    if (row > PARTIAL_METHOD && !found.has(row)) found.set(row, behind);
  };
  const seen = new Uint8Array(parent.length);
  for (let node = 1; node < parent.length; node++) {
    if (!remote.has(method[node]!)) continue;
    const behind = found.get(method[node]!)!;
    for (let above = parent[node]!; above > 0 && seen[above] === 0; above = parent[above]!) {
      seen[above] = 1;
      told(method[above]!, behind);
    }
  }
  const pending = [...found.keys()];
  for (let row = pending.pop(); row !== undefined; row = pending.pop())
    for (const caller of callers(row)) {
      if (found.has(caller) || caller <= PARTIAL_METHOD) continue;
      told(caller, found.get(row)!);
      pending.push(caller);
    }
  return found;
}
