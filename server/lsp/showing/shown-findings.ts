// The findings of tests between the shown data and their baselines: asked once for each pair of them, for diagnostics.
import { AskFailed, type Door } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { withComparedCode } from '../../answering/compared-code.ts';
import { Cancelled } from '../../base/pause.ts';
import { type Finding, findings } from '../../features/compare/door.ts';
import type { Source } from '../../workspace/data/source.ts';
import { sourceKey } from '../../workspace/data/source.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { RequestLog } from '../request.ts';

type Asked = {
  readonly data: LoadedData;
  readonly baseline: Baseline;
  readonly found: Promise<readonly Finding[]>;
};

export class ShownFindings {
  readonly #questions: Door;
  readonly #log: RequestLog;
  /** The last question by source. */
  readonly #asked = new Map<string, Asked>();

  constructor(questions: Door, log: RequestLog) {
    this.#questions = questions;
    this.#log = log;
  }

  /** The findings; none without a baseline, until its methods are paired and tested, and where the JVMs are too few for a test. */
  async of({ mapped, baseline, source }: DocumentView): Promise<readonly Finding[]> {
    if (mapped === null || baseline === null || source === null || baseline.pairing.state !== 'done') return [];
    const { data } = mapped;
    if ((baseline.pairing.verdictsOf(data, baseline.data)?.ofMethod ?? null) === null) return [];
    const key = sourceKey(source);
    const known = this.#asked.get(key);
    if (known?.data === data && known.baseline.data === baseline.data && known.baseline.pairing === baseline.pairing)
      return known.found;
    const found = this.#ask(source, data, baseline);
    this.#asked.set(key, { data, baseline, found });
    return found;
  }

  async #ask(source: Source, data: LoadedData, baseline: Baseline): Promise<readonly Finding[]> {
    try {
      return await findings(data, baseline, {
        reach: {
          ask: (about, name, parameters, before) =>
            this.#questions.ask(about, name, parameters, before === undefined ? {} : { baseline: before }),
        },
        withCodeOf: (shown, before, work) => withComparedCode(source, shown, before, work),
      });
    } catch (error) {
      if (error instanceof AskFailed) this.#log.error(error.message);
      else if (!(error instanceof Cancelled)) throw error;
      return [];
    }
  }
}
