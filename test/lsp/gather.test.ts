// Tests that nothing walks over a tree on the thread that serves an editor: everything that is written was gathered before.
import { describe, expect, test } from 'vitest';
import { Answers } from '../../server/analysis/answers.ts';
import { AskFailed, answer, type Door, inlineReach, lookAt } from '../../server/analysis/ask.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { staleDiagnostics } from '../../server/features/diagnostics/stale-diagnostics.ts';
import { documentNumbers, metricNeeds } from '../../server/features/document-metrics.ts';
import { hintNeeds, hintsOf } from '../../server/features/hints/hints.ts';
import { hoverNeeds, hoverOf, methodsAround } from '../../server/features/hover/hover.ts';
import { lensesOf, lensNeeds } from '../../server/features/lenses.ts';
import { documentNeeds } from '../../server/features/needs.ts';
import { gather } from '../../server/lsp/gather.ts';
import { documentWithData } from '../../server/workspace/document/document-view.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';
import { sampled } from '../support/runs.ts';

/** The lines of the constructor's code are those of the field and of its own body: sets that take a walk. */
const TEXT = `class Shop {
  Cart cart = load();
  Shop() {
    fill();
  }
  Cart load() { return null; }
  void fill() {}
  void rare() { fill(); }
}
`;
const PICTURE = `
Main.main | 10@1
  Shop.<init> :1 | 20@3
    Shop.load :2 | 40@6
    Shop.fill :4 | 30@7
  Shop.rare :1 | 1@8
    Shop.fill :8 | 2@7`;

/** Of data of the server: nothing is worked out where it is read. */
class GatheredAnswers extends Answers {
  override beforeWalk(what: string): void {
    throw new Error(`${what} were not gathered`);
  }
}

/** Data as the server has them. */
function served(picture = PICTURE): LoadedData {
  return { ...loadedFromText(picture), answers: new GatheredAnswers() };
}

function doorThat(fails: () => boolean): Door {
  return {
    ask: async (subject, name, parameters) => {
      if (fails()) throw new AskFailed([{ severity: 'error', message: 'the thread failed' }]);
      return answer(lookAt(subject), name, parameters);
    },
  };
}

function asking(fails: () => boolean = () => false) {
  const errors: string[] = [];
  return { questions: doorThat(fails), log: { trace: () => {}, error: (line: string) => errors.push(line) }, errors };
}

const inCommand = hintsOf(documentWithData(TEXT, loadedFromText(PICTURE))).map(({ line, text }) => `${line}: ${text}`);

describe('hints', () => {
  const hints = (data: LoadedData) => () =>
    hintsOf(documentWithData(TEXT, data)).map(({ line, text }) => `${line}: ${text}`);

  test('are not written before their numbers were gathered', () => {
    expect(hints(served())).toThrow('not gathered');
    expect(inCommand.length).toBeGreaterThan(2);
  });

  test('whose needs were gathered ask for nothing', async () => {
    const data = served();
    expect(await gather(asking(), documentNeeds(documentWithData(TEXT, data)))).toBe(true);
    expect(hints(data)()).toEqual(inCommand);
  });

  test('are written although the thread failed once, and not when it fails again', async () => {
    const failing = asking(() => true);
    let failures = 1;
    const once = asking(() => failures-- > 0);
    const data = served();
    expect(await gather(once, documentNeeds(documentWithData(TEXT, data)))).toBe(true);
    expect(once.errors).toEqual(['the thread failed']);
    expect(hints(data)()).toEqual(inCommand);
    const again = gather(failing, documentNeeds(documentWithData(TEXT, served())));
    await expect(again).rejects.toThrow(AskFailed);
  });
});

/** A method with a lambda, two constructors with one initializer, a call that was never seen, and a loop. */
const MANY = `class Shop {
  Cart cart = load();
  Shop() { fill(); }
  Shop(int size) {
    fill();
    never();
  }
  Cart load() { return null; }
  void fill() {
    for (Cart each : carts) each.add(() -> load());
    never();
  }
  void never() {}
}
`;
const MANY_RAN = `
Main.main | 10@1
  Shop.<init> :1 | 20@2
    Shop.load :2 | 40@8
    Shop.fill :3 | 30@10
      Shop.lambda$fill$0 :10 | 25@10
        Shop.load :10 | 25@8
  Shop.<init>(int) :2 | 9@4
    Shop.fill :5 | 12@10`;

test('what was gathered is all that hovers, hints, lenses, lists and diagnostics of any place read', async () => {
  const written = async (data: LoadedData, offset: number, gatherFirst: boolean) => {
    const document = documentWithData(MANY, data);
    const needed = async (needs: Parameters<typeof gather>[1]) => gatherFirst && (await gather(asking(), needs));
    await needed(hintNeeds(document));
    await needed(hoverNeeds(document, offset));
    const { shown, overrides } = await methodsAround(document, offset, inlineReach);
    const hover = hoverOf(document, offset, { overrides })?.markdown;
    // Lenses leave out what is not known yet.
    await gather(asking(), lensNeeds(document));
    await needed(metricNeeds(document, null));
    const numbers = [...documentNumbers(document, null)].map(({ title, calls, graphic }) => [
      title,
      calls.length,
      graphic,
    ]);
    const hints = hintsOf(document).map(({ line, text }) => `${line}: ${text}`);
    return JSON.stringify([shown, hover, hints, lensesOf(document), staleDiagnostics(document), numbers]);
  };
  for (const offset of sampled(Array.from(MANY, (_, at) => at))) {
    const atHand = await written(loadedFromText(MANY_RAN), offset, false);
    const gathered = await written(served(MANY_RAN), offset, true);
    expect(gathered, MANY.slice(offset, offset + 20)).toBe(atHand);
  }
});
