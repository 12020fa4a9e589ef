// The answers that editors reach by their names; the other names are those of operations that tell what is looked at.
import { ANSWERS } from '../../../server/features/answers/answer-table.ts';

const TAKEN = ['status', 'executions', 'tasks'];

export const ADAPTED = ANSWERS.filter(({ name }) => !TAKEN.includes(name));
