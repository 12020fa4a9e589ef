// The meaning of the shapes and colours of the blueprint.
import { useMemo } from 'preact/hooks';
import { PLAIN_WIDTH } from './blueprint-layout.ts';
import { blueprint, layoutOf } from './blueprint-model.ts';
import { KIND_SIGNS, KIND_WORDS, KINDS, kindColour } from './blueprint-words.ts';
import { shownName } from './name-trimming.ts';
import { theme } from './page-state.ts';

const SCALING_WORDS = {
  share: 'shares of everything in each version',
  perSecond: 'amounts per second',
  absolute: 'absolute amounts',
  anchored: 'amounts anchored on methods of both versions',
} as const;

const LEGEND_WORDS = {
  ...KIND_WORDS,
  slowerChanged: 'slower, source changed',
  slower: 'slower, source unchanged or not known',
  fasterChanged: 'faster, source changed',
  faster: 'faster, source unchanged or not known',
};

export function BlueprintLegend() {
  const tree = blueprint.value;
  const scale = useMemo(() => (tree === null ? 0 : layoutOf(tree, () => 0).heightScale), [tree]);
  if (tree === null) return null;
  const { counted, scaling, versions } = tree.answer;
  const at = theme.value;
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        {shownName(versions[1])} against {shownName(versions[0])}: {SCALING_WORDS[scaling]}
      </li>
      {KINDS.map(kind => (
        <li key={kind}>
          <span class="swatch" style={{ background: kindColour(kind, false, at) }} />{' '}
          <span class="swatch" style={{ background: kindColour(kind, true, at) }} /> {KIND_SIGNS[kind]}{' '}
          {LEGEND_WORDS[kind]}
        </li>
      ))}
      <li>pale: not tested</li>
      <li>thick border: calls are hidden</li>
      {scale === 0 ? null : <li>height: |H|, {Math.round(scale / 100)} px a point</li>}
      <li>{counted ? 'width: log (1 + |Δ executions|)' : `${PLAIN_WIDTH} px wide: executions are not counted`}</li>
    </ul>
  );
}
