// Tests that nothing walks over a tree on the thread that serves an editor: what was left out is asked for, and writing begins again.
import { describe, expect, test } from 'vitest';
import { Answers } from '../../server/analysis/answers.ts';
import { AskFailed, answer, type Door, lookAt } from '../../server/analysis/ask.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { hoverNeeds, hoverOf } from '../../server/features/hover/hover.ts';
import { documentNeeds } from '../../server/features/needs.ts';
import { gather } from '../../server/lsp/gather.ts';
import { documentWithData } from '../../server/workspace/document/document-view.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

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

/** Data as the server has them. */
function served(): LoadedData {
  return { ...loadedFromText(PICTURE), answers: new Answers() };
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

test('the hover of a call with few samples needs nothing that was not gathered', async () => {
  const document = documentWithData(TEXT, served());
  const offset = TEXT.lastIndexOf('fill');
  await gather(asking(), documentNeeds(document));
  await gather(asking(), hoverNeeds(document, offset));
  expect(hoverOf(document, offset)?.markdown).toContain('*What ran*');
});
