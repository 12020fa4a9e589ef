// Measures one body of compiled sources: every class against the outline of its file, every file against one edit.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outlineOf } from '../../grammar/parse.ts';
import { randomNumbers } from '../../server/base/random-numbers.ts';
import { packageOf } from '../../server/mapping/class-names.ts';
import { voteLambdaRules } from '../../server/mapping/lambda-rule.ts';
import { indexOutline } from '../../server/mapping/outline-index.ts';
import { sitesByLine } from './call-lines.ts';
import { accessorsOf, type ClassTruth } from './class-files.ts';
import { type CallTallies, callTallies, measureCalls } from './measure-calls.ts';
import { type MethodTallies, measureClass, methodTallies } from './measure-classes.ts';
import { measureEdits } from './measure-edits.ts';
import { Tally } from './tally.ts';

export type Measured = {
  readonly name: string;
  readonly files: number;
  readonly classes: number;
  readonly methods: MethodTallies;
  readonly calls: CallTallies;
  /** Valid files, right when no problem is reported. */
  readonly valid: Tally;
  readonly edits: Tally;
};

/** `sources` is the folder that holds the package tree; classes whose file is not there are left out. */
export function measure(name: string, truths: readonly ClassTruth[], sources: string): Measured {
  const methods = methodTallies();
  const calls = callTallies();
  const valid = new Tally('valid files without a problem');
  const edits = new Tally('members found after one line was deleted or doubled');
  const rules = voteLambdaRules(
    truths.flatMap(truth => truth.methods.map(({ name }) => ({ className: truth.class, name }))),
  );
  const accessors = accessorsOf(truths);
  const random = randomNumbers(20261120);
  const withSource = truths.filter(truth => truth.source !== '');
  const byFile = Map.groupBy(withSource, truth =>
    join(sources, packageOf(truth.class).replaceAll('.', '/'), truth.source),
  );
  let files = 0;
  let classes = 0;
  for (const [path, inFile] of byFile) {
    if (!existsSync(path)) continue;
    files++;
    classes += inFile.length;
    const text = readFileSync(path, 'utf8');
    const outline = outlineOf(text, path);
    const { problems } = outline;
    valid.add(
      problems.length === 0 ? 'right' : 'wrong',
      'problem',
      () => `${path}:${problems[0]!.line} ${problems[0]!.message}`,
    );
    const index = indexOutline(outline);
    const source = { index, byLine: sitesByLine(index, text), lines: text.split(/\r\n|\r|\n/), accessors };
    for (const truth of inFile) {
      measureClass(index, truth, rules, methods);
      measureCalls(source, truth, calls);
    }
    measureEdits(path, text, outline, edited => outlineOf(edited, path), random, edits);
  }
  return { name, files, classes, methods, calls, valid, edits };
}
