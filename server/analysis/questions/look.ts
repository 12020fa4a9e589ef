// The question for the columns of a selection: the same data looked at in another way, as features see them.
import type { SelectedData } from '../loaded-data.ts';
import type { Question } from './question.ts';

export const look: Question<null, SelectedData> = ({
  wish,
  key,
  revision,
  selection,
  selectionProblems,
  analysis,
  values,
  provenance,
}) => {
  const { profile: _profile, index: _index, ...selected } = analysis;
  const { sites: _sites, ...own } = values;
  return { wish, key, revision, selection, selectionProblems, analysis: selected, values: own, provenance };
};
