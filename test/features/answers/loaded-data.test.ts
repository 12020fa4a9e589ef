// The cautions of the answer about the loaded data.

import { expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import type { AnswerContext } from '../../../server/features/answers/answer.ts';
import { loadedData } from '../../../server/features/answers/loaded-data.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

test('losses are told once', async () => {
  const data = loadedFromText('Main.main\n  Shop.run :3 | 8@5\n[truncated]\n  Shop.run | 4@5');
  const context: Pick<AnswerContext, 'data' | 'reach'> = { data: async () => data, reach: inlineReach };
  const { cautions } = await loadedData.answer(context as AnswerContext, {});
  expect(cautions.join(' · ').match(/were cut off/g)).toHaveLength(1);
});
