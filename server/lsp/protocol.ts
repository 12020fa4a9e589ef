// The shapes of insitu's own messages; docs/lsp-extensions.md says what each is for. They import nothing but each other and the types of answers: the package ships them as types.
export type * from '../features/answers/answer-types.ts';
export type * from './protocol/answers.ts';
export type * from './protocol/numbers.ts';
export type * from './protocol/pictures.ts';
export type * from './protocol/recordings.ts';
export type * from './protocol/shown.ts';
export type * from './protocol/terms.ts';
