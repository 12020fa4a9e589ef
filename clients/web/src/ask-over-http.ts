// Asks the server of the page's own origin by POST, with the token of this session as Bearer.
import type { Question, Refused } from 'insitu/views';
import { type AnswerTo, type Ask, isAnsweredByBytes, Refusal } from './ask.ts';

const OPEN_ANEW = 'Open the page again by the editor’s command “show picture”, or run: insitu view';

export function askOverHttp(token: string): Ask {
  return async <Asked extends Question>(question: Asked, signal?: AbortSignal): Promise<AnswerTo<Asked>> => {
    const response = await post('/ask', question, { authorization: `Bearer ${token}` }, signal);
    if (!response.ok) throw await refusalOf(response);
    return (isAnsweredByBytes(question) ? await response.arrayBuffer() : await response.json()) as AnswerTo<Asked>;
  };
}

/** Exchanges the code of the address, which is good for one time, for a token. */
export async function tokenFor(code: string): Promise<string> {
  const response = await post('/session', { code }, {});
  if (!response.ok) throw await refusalOf(response);
  const { token } = (await response.json()) as { readonly token: string };
  return token;
}

async function post(
  path: string,
  body: object,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    cache: 'no-store',
    ...(signal === undefined ? {} : { signal }),
  };
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof TypeError)
      throw new Refusal({ message: 'The server of this page does not answer: it may have ended.', remedy: OPEN_ANEW });
    throw error;
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const isStranger = response.status === 401 || response.status === 403;
  try {
    const { error } = (await response.json()) as Refused;
    return new Refusal(error, isStranger);
  } catch {
    const message = isStranger ? 'This page’s session has ended.' : `The server answered ${response.status}.`;
    return new Refusal({ message, remedy: OPEN_ANEW }, isStranger);
  }
}
