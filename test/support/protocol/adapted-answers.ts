// The answers that editors reach by their names; the other names are those of operations that begin at a position.
import { ANSWERS } from '../../../server/features/answers/answer-table.ts';

const TAKEN = ['status', 'executions', 'callers', 'callees', 'callTree', 'threads', 'tasks', 'why'];

export const ADAPTED = ANSWERS.filter(({ name }) => !TAKEN.includes(name));
