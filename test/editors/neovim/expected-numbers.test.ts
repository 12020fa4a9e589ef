// Everything behind the hints in a real Neovim, method by method against the oracle: hover, lenses, callers, callees, threads, hierarchies, lists.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type ExpectedChange,
  type ExpectedMethod,
  type ExpectedNumbers,
  type ExpectedShare,
  expectedNumbers,
} from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import type { Neovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { askInLua, first, openAll, renamed, type ShopInGit, second, shopInGit } from './expected-shop.ts';
import { luaErrors } from './fake-session.ts';

const ROOT = 'com.acme.shop.Shop.search(Ljava/lang/String;I)Ljava/util/List;';
const TASKS = { '^com\\.acme\\.shop\\.(?<part>\\w+)\\.': `part \${part}` };
const FEWEST = 10;

/** A row of the server's lists: method or thread, line, samples, share as text. */
type Row = readonly [what: string, line: number, count: number, share: string];

needs('jdk17', 'numbers of the sample', () => needs('jdk25', 'by the oracle', checkNumbers));

function own({ methods }: ExpectedNumbers): ExpectedMethod[] {
  return [...methods.values()].filter(({ file, total }) => file !== null && total.count > 0);
}

function rows(
  beside: readonly { readonly what: string; readonly line: number; readonly amount: ExpectedShare }[],
): Row[] {
  return beside.map(({ what, line, amount }): Row => [what, line, amount.count, amount.text]).sort(byText);
}

function byText(a: Row, b: Row): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** `Class.name(descriptor)` as the server's messages name a method. */
function named(key: string): { className: string; name: string; descriptor: string } {
  const end = key.indexOf('(');
  const dot = key.lastIndexOf('.', end);
  return { className: key.slice(0, dot), name: key.slice(dot + 1, end), descriptor: key.slice(end) };
}

/** Kinds of waiting with the events that each counts. */
const WAITS = {
  lock: ['jdk.JavaMonitorEnter'],
  wait: ['jdk.JavaMonitorWait'],
  park: ['jdk.ThreadPark'],
  sleep: ['jdk.ThreadSleep'],
  socket: ['jdk.SocketRead', 'jdk.SocketWrite'],
  file: ['jdk.FileRead', 'jdk.FileWrite'],
} as const;

/** Lua functions over the server's rows. */
const rowsInLua = `
  ${askInLua}
  local shop = vim.fn.bufnr('src/main/java/com/acme/shop/Shop.java')
  local function key(method) return method.className .. '.' .. method.name .. method.descriptor end
`;

function checkNumbers(): void {
  let shop: ShopInGit;
  let expected: ExpectedNumbers;
  let compared: ExpectedNumbers;
  const waiting = new Map<string, ExpectedNumbers>();
  beforeAll(() => {
    const asked = { ...second, root: ROOT, tasks: TASKS };
    const waits = Object.values(WAITS).map(events => ({ ...second, events }));
    const [one, other, ...rest] = expectedNumbers(asked, { ...second, before: first, renamed }, ...waits);
    [expected, compared] = [one!, other!];
    for (const [i, kind] of Object.keys(WAITS).entries()) waiting.set(kind, rest[i]!);
    shop = shopInGit();
  });
  afterAll(() => shop?.remove());

  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      async function open(more = ''): Promise<Neovim> {
        const neovim = await openAll(program, shop, more);
        onTestFinished(async () => {
          expect(luaErrors(await neovim.messages())).toEqual([]);
          await neovim.close();
        });
        return neovim;
      }

      test('callers, callees and threads of every method', async () => {
        const neovim = await open();
        const methods = own(expected);
        expect(methods.length).toBeGreaterThan(120);
        const seen = await neovim.lua<Record<'callers' | 'callees' | 'threads', Row[]>[]>(
          `${rowsInLua}
          return vim.tbl_map(function(method)
            local found = {}
            for _, kind in ipairs({ 'callers', 'callees', 'threads' }) do
              local answer = ask(shop, 'insitu/' .. kind, { method = method, limit = 10000 })
              found[kind] = vim.tbl_map(function(row)
                local what = row.method and key(row.method) or row.group .. '/' .. row.name
                local line = row.lines and #row.lines == 1 and row.lines[1] or 0
                return { what, line, row.ofItsTime.count, row.ofItsTime.text }
              end, answer.rows)
            end
            return found
          end, ...)`,
          methods.map(({ method }) => named(method)),
        );
        for (const [index, { method, callers, callees, threads }] of methods.entries()) {
          const { callers: above, callees: below, threads: on } = seen[index]!;
          const what = (each: (typeof callers)[number]) => ({ ...each, what: each.method });
          // Calls of one method on several lines are one row, in which a sample may have several of them.
          const lines = Map.groupBy(callees, each => each.method);
          const isOnOne = (callee: string) => lines.get(callee)?.length === 1;
          expect(below.filter(([callee]) => isOnOne(callee)).sort(byText), `callees of ${method}`).toEqual(
            rows(callees.filter(each => isOnOne(each.method)).map(what)),
          );
          for (const [callee, , count] of below.filter(([callee]) => !isOnOne(callee))) {
            const counts = lines.get(callee)!.map(({ amount }) => amount.count);
            expect(count, `${callee} of ${method}`).toBeGreaterThanOrEqual(Math.max(...counts));
            expect(count, `${callee} of ${method}`).toBeLessThanOrEqual(counts.reduce((sum, each) => sum + each));
          }
          expect(below.length, `callees of ${method}`).toBe(lines.size);
          const withoutLine = above.map(([caller, , count, text]): Row => [caller, 0, count, text]);
          expect(withoutLine.sort(byText), `callers of ${method}`).toEqual(rows(callers.map(what)));
          const kinds = threads.map(each => ({ ...each, line: 0, what: `${each.group}/${each.name}` }));
          expect([...on].sort(byText), `threads of ${method}`).toEqual(rows(kinds));
        }
      });

      test('hover and lenses on every method with a hint', async () => {
        const neovim = await open('settings = { lenses = { enabled = true } }');
        const methods = own(expected).filter(
          ({ total, method }) => total.count >= FEWEST && total.share >= 0.001 && !method.includes('.lambda$'),
        );
        const places = methods.map(({ file, line, method }) => {
          const { className, name } = named(method);
          return { file, line, name: name === '<init>' ? className.replace(/.*[.$]/, '') : name };
        });
        const seen = await neovim.lua<{ hover: string; lenses: string[] }[]>(
          `${rowsInLua}
          local lenses = {}
          return vim.tbl_map(function(place)
            local buffer = vim.fn.bufnr('src/main/java/' .. place.file)
            local text = vim.api.nvim_buf_get_lines(buffer, place.line - 1, place.line, true)[1]
            local column = vim.fn.match(text, '\\\\<' .. place.name .. '\\\\>\\\\s*[({]')
            local position = { line = place.line - 1, character = column }
            lenses[place.file] = lenses[place.file] or ask(buffer, 'textDocument/codeLens', {})
            local titles = {}
            for _, lens in ipairs(lenses[place.file]) do
              if lens.range.start.line == place.line - 1 then titles[#titles + 1] = lens.command.title end
            end
            local hover = ask(buffer, 'textDocument/hover', { position = position })
            return { hover = hover and hover.contents.value or '', lenses = titles }
          end, ...)`,
          places,
        );
        const waited = new Set<string>();
        for (const [index, { method, total, self, selfOfMethod, callers, callees, threads }] of methods.entries()) {
          const { hover, lenses } = seen[index]!;
          const kinds = new Set(callees.map(each => each.method)).size;
          const wanted = [
            `${total.text} of cpu · ${grouped(total.count)} of ${grouped(total.of)}`,
            ...counted(callers.length, 'caller'),
            ...counted(kinds, 'callee'),
            ...counted(threads.length, 'thread'),
          ];
          expect(lenses, `lenses of ${method}`).toEqual(wanted);
          expect(hover, method).toContain(
            `${prose(total.text)} of cpu · ${grouped(total.count)} of ${grouped(total.of)} samples`,
          );
          const own = self.count < FEWEST ? [] : [`self: ${prose(self.text)}`, prose(selfOfMethod.text)];
          for (const text of own) expect(hover, method).toContain(text);
          expect(hover, method).toContain(`${grouped(total.of)} samples of cpu`);
          const around = { Callers: callers, Callees: callees } as const;
          for (const [title, all] of Object.entries(around)) {
            const listed = all.toSorted((one, other) => other.amount.weight - one.amount.weight);
            const { rows: shown, more } = listIn(hover, title);
            const place = `${title} of ${method} in\n${hover}`;
            expect(shown.length + more, place).toBe(all.length);
            expect(shown.length, place).toBe(Math.min(8, all.length));
            expect(
              shown.map(({ numbers }) => numbers),
              place,
            ).toEqual(listed.slice(0, 8).map(({ amount }) => numbersIn(amount)));
            // Each row is, by its name, one of the listed rows that have its numbers.
            for (const { numbers, text } of shown) {
              const alike = listed.filter(({ amount }) => numbersIn(amount) === numbers);
              expect(
                alike.some(each => isCalled(text, named(each.method))),
                `${text}: ${place}`,
              ).toBe(true);
            }
          }
          for (const kind of expectWaits(hover, method, waiting)) waited.add(kind);
          const { rows: on, more } = listIn(hover, 'Threads');
          expect(on.length + more, `threads of ${method}`).toBe(threads.length);
          const known = threads.map(({ group, name, amount }) => {
            return `${numbersIn(amount)} · \`${name}\`${group === '' ? '' : ` (group \`${group}\`)`}`;
          });
          for (const { numbers, text } of on) expect(known, `threads of ${method}`).toContain(`${numbers} · ${text}`);
        }
        expect(methods.length).toBeGreaterThan(90);
        expect([...waited].sort()).toEqual(Object.keys(WAITS).sort());
      });

      test('classes behind each call through an interface, hottest first', async () => {
        const neovim = await open();
        const asked = own(expected).flatMap(({ file, callees }) =>
          [...Map.groupBy(callees, ({ line, method }) => `${line} ${named(method).name}`)].flatMap(([call, behind]) => {
            const places = behind
              .toSorted((a, b) => b.amount.weight - a.amount.weight)
              .flatMap(({ method }) => expected.methods.get(method) ?? [])
              .filter(each => each.file !== null);
            const name = call.slice(call.indexOf(' ') + 1);
            const isTied = new Set(behind.map(({ amount }) => amount.weight)).size < behind.length;
            const isCertain = !isTied && places.length === behind.length && behind.length > 1 && /^\w+$/.test(name);
            return isCertain ? [{ file, line: behind[0]!.line, name, places }] : [];
          }),
        );
        expect(asked.length).toBeGreaterThan(3);
        const seen = await neovim.lua<string[][]>(
          `${rowsInLua}
          return vim.tbl_map(function(call)
            local buffer = vim.fn.bufnr('src/main/java/' .. call.file)
            local text = vim.api.nvim_buf_get_lines(buffer, call.line - 1, call.line, true)[1]
            local position = { line = call.line - 1, character = vim.fn.match(text, '\\\\<' .. call.name .. '(') }
            return vim.tbl_map(function(found)
              local range = found.targetSelectionRange or found.range
              return (found.targetUri or found.uri):match('src/main/java/(.*)$') .. ':' .. range.start.line + 1
            end, ask(buffer, 'textDocument/implementation', { position = position }) or {})
          end, ...)`,
          asked.map(({ file, line, name }) => ({ file, line, name })),
        );
        expect(seen).toEqual(asked.map(({ places }) => places.map(({ file, line }) => `${file}:${line}`)));
      });

      // Neovim 0.10 loses the nulls of what it hands back to the server.
      if (engine !== 'nvim010')
        test('call hierarchies two calls deep in both directions', async () => {
          const neovim = await open();
          const seen = await neovim.lua<{ outgoing: string[]; incoming: string[] }>(
            `${rowsInLua}
            local position = { line = ${expected.methods.get(ROOT)!.line - 1}, character = 26 }
            local top = ask(shop, 'textDocument/prepareCallHierarchy', { position = position })[1]
            local function walk(direction, what)
              local found = {}
              for _, call in ipairs(ask(shop, 'callHierarchy/' .. direction .. 'Calls', { item = top })) do
                local path = key(vim.tbl_get(call[what], 'data', 'path', 2, 1) or { className = '', name = '', descriptor = '' })
                found[#found + 1] = path .. ' ' .. call[what].detail
                if call[what].data.seen then
                  for _, below in ipairs(ask(shop, 'callHierarchy/' .. direction .. 'Calls', { item = call[what] })) do
                    local last = below[what].data.path[3]
                    if below[what].data.seen and last then
                      found[#found + 1] = path .. ' ' .. key(last[1]) .. ' ' .. below[what].detail
                    end
                  end
                end
              end
              return found
            end
            return { outgoing = walk('outgoing', 'to'), incoming = walk('incoming', 'from') }`,
          );
          for (const direction of ['outgoing', 'incoming'] as const) {
            const paths = expected.paths.filter(each => each.direction === direction);
            const wholes = new Map(
              paths.filter(({ path }) => path.length === 1).map(each => [each.path[0], each.amount]),
            );
            const wanted = paths.map(({ path, amount }) => {
              const whole = path.length === 1 ? amount.of : wholes.get(path[0])!.count;
              return `${path.join(' ')} ${detail(amount.count, whole)}`;
            });
            const ran = seen[direction].filter(each => !/not seen running/.test(each));
            const plain = ran.map(each => each.replace(/ · (no source|~).*$/, '').replace(/(samples?) · .*$/, '$1'));
            expect(plain.sort()).toEqual(wanted.sort());
          }
        });

      test('the hottest methods, saved tasks and what moved against the version before', async () => {
        const tasks = Object.entries(TASKS).map(([value, taskName]) => ({
          name: 'parts',
          type: 'regex',
          value,
          taskName,
        }));
        const neovim = await open();
        await neovim.lua(`require('insitu').setup({ settings = { tasks = ... } })`, tasks);
        await expect
          .poll(() => neovim.lua(`${rowsInLua} return #ask(shop, 'insitu/tasks', { limit = 1000 }).rows`), {
            timeout: 15_000,
          })
          .toBe(expected.tasks.length);
        const seen = await neovim.lua<Record<'tasks' | 'total' | 'self', Row[]>>(
          `${rowsInLua}
          local function list(by)
            return vim.tbl_map(function(row)
              return { key(row.method), 0, row[by].count, row[by].text }
            end, ask(shop, 'insitu/top', { limit = 1000, sort = by, platform = true }).rows)
          end
          return {
            tasks = vim.tbl_map(function(task)
              return { task.name, 0, task.share.count, task.share.text }
            end, ask(shop, 'insitu/tasks', { limit = 1000 }).rows),
            total = list('total'),
            self = list('self'),
          }`,
        );
        const task = expected.tasks.map(each => ({ ...each, what: each.task, line: 0 }));
        expect([...seen.tasks].sort(byText)).toEqual(rows(task));
        for (const by of ['total', 'self'] as const) {
          const all = [...expected.methods.values()].filter(each => each[by].count > 0);
          const shown = seen[by].filter(([, , count]) => count > 0);
          const wanted = all.map(each => ({ what: each.method, line: 0, amount: each[by] }));
          expect(shown.toSorted(byText)).toEqual(rows(wanted));
          expect(shown.map(([, , count]) => count)).toEqual(
            shown.map(([, , count]) => count).toSorted((a, b) => b - a),
          );
        }

        await neovim.lua(`vim.cmd('Insitu compare v1')`);
        const changes = (): Promise<[string, number, string, string][]> =>
          neovim.lua(
            `${rowsInLua}
            return vim.tbl_map(function(row)
              local change = row.change
              local colour = ('%d/%d/%d'):format(change.colour.red, change.colour.green, change.colour.blue)
              return { key(row.method), change.angle, change.text .. ' ' .. colour, change.verdict }
            end, ask(shop, 'insitu/moved', { limit = 1000 }).rows)`,
          );
        const wanted = [...compared.methods.values()]
          .flatMap(({ method, change }) => (isListed(change) ? [{ method, ...change }] : []))
          .sort((a, b) => b.current - b.baseline - (a.current - a.baseline) || (a.method < b.method ? -1 : 1))
          .map(({ method, angle, text, colour: { red, green, blue } }) => [
            method,
            angle,
            `${text} ${red}/${green}/${blue}`,
            'notTested',
          ]);
        expect(wanted.length).toBeGreaterThan(20);
        const sorted = (list: readonly unknown[]) => list.map(each => JSON.stringify(each)).sort();
        await expect.poll(async () => sorted(await changes()), { timeout: 15_000 }).toEqual(sorted(wanted));
      });
    });
}

/** Each kind of waiting has the number of events and the time of the oracle; the kinds that the method waited by. */
function expectWaits(hover: string, method: string, waiting: ReadonlyMap<string, ExpectedNumbers>): string[] {
  const waited: string[] = [];
  for (const [kind, { methods }] of waiting) {
    const { count, weight } = methods.get(method)?.total ?? { count: 0, weight: 0 };
    const [, time = '0', unit = 's', times = '0'] =
      new RegExp(` ${kind} · ([\\d.,]+) (\\S+) · ([\\d,]+)×`).exec(hover) ?? [];
    expect(numberIn(times), `${kind} of ${method} in\n${hover}`).toBe(count);
    // Written with three digits.
    const nanos = numberIn(time) * NANOS[unit]!;
    expect(Math.abs(nanos - weight), `${time} ${unit} of ${weight} ns`).toBeLessThanOrEqual(weight / 100);
    if (count > 0) waited.push(kind);
  }
  return waited;
}

const NANOS: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

function numberIn(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Rows of a list in a hover, and how many are left out. */
function listIn(hover: string, title: string): { rows: { numbers: string; text: string }[]; more: number } {
  const section = hover.split('\n\n').find(each => each.startsWith(`*${title}*\n`)) ?? '';
  const lines = section.split('\n').filter(line => line.startsWith('- '));
  const more = /^- and (\d+) more$/.exec(lines.at(-1) ?? '')?.[1];
  const rows = (more === undefined ? lines : lines.slice(0, -1)).map(line => {
    const [, numbers = '', text = ''] =
      /^- (few samples \(\d\)|(?:[\d.]+ % · )?[\d,]+(?: samples?)?) · (.*)$/.exec(line) ?? [];
    return { numbers, text };
  });
  return { rows, more: Number(more ?? 0) };
}

/** As a hover writes a part of a method: `41 % · 57`, the count alone where that is next to nothing. */
function numbersIn({ count, text }: { readonly count: number; readonly text: string }): string {
  if (count < FEWEST) return `few samples (${count})`;
  return text.endsWith('%') ? `${text.replace('%', ' %')} · ${grouped(count)}` : text;
}

/** Whether a row begins with the label of a method: its name, a constructor's class, the method around a lambda. */
function isCalled(text: string, { className, name }: { readonly className: string; readonly name: string }): boolean {
  const simple = className.slice(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
  if (name === '<init>') return text.includes(`new ${simple}`) || text.includes(simple);
  const lambda = /^lambda\$(.+)\$\d+$/.exec(name)?.[1];
  if (lambda !== undefined) return text.includes('lambda in');
  return name === '<clinit>' ? text.includes(simple) : text.includes(`.${name}(`);
}

/** Whether a share moved by a thousandth of all samples. */
function isListed(change: ExpectedChange | null): change is ExpectedChange {
  return change !== null && Math.abs(change.current - change.baseline) >= 0.001;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** As call hierarchies write a share of a path: `68 % · 721 samples`. */
function detail(count: number, of: number): string {
  if (count < FEWEST) return `few samples (${count})`;
  const percent = (100 * count) / of;
  const digits = percent >= 10 ? 0 : percent >= 1 ? 1 : 2;
  const share = (Math.floor((count * 10 ** (digits + 2) * 2 + of) / (2 * of)) / 10 ** digits).toFixed(digits);
  return `${share} % · ${grouped(count)} samples`;
}

/** A part of a lens; none where there is nothing to count. */
function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
}

/** A share as hovers write it. */
function prose(text: string): string {
  return text.replace('%', ' %');
}
