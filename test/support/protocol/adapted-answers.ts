// The answers that editors reach by their names; operations that describe the present choice have the other names.
import { ANSWERS } from '../../../server/features/answers/answer-table.ts';

const TAKEN = ['status', 'executions', 'tasks'];

export const ADAPTED = ANSWERS.filter(({ name }) => !TAKEN.includes(name));
