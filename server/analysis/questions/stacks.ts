// The question for all that is looked at as a profile of its own: what exports write.
import type { Profile } from '../../cct/profile.ts';
import { selectedProfile } from '../../metrics/selected-profile.ts';
import type { Question } from './question.ts';

export const stacks: Question<null, Profile> = ({ analysis }) => selectedProfile(analysis);
