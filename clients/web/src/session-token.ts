// Where the token of this session comes from: the address's one-time code, this tab's storage, or another tab of the same page.
import { tokenFor } from './ask-over-http.ts';

const KEY = 'insitu-token';
const CHANNEL = 'insitu-session';
/** Other tabs answer at once or not at all. */
const PATIENCE = 400;

/** Takes the code out of the address before anything else sees it. */
export function takeCode(): string | null {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const code = parameters.get('code');
  if (code === null) return null;
  parameters.delete('code');
  history.replaceState(null, '', `#${parameters}`);
  return code;
}

/** null: this tab has to be opened by a command. */
export async function findToken(code: string | null): Promise<string | null> {
  const token = code === null ? (sessionStorage.getItem(KEY) ?? (await tokenOfOtherTab())) : await tokenFor(code);
  if (token !== null) {
    sessionStorage.setItem(KEY, token);
    answerOtherTabs(token);
  }
  return token;
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

function tokenOfOtherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise(resolve => {
    const end = (token: string | null): void => {
      channel.close();
      resolve(token);
    };
    channel.onmessage = ({ data }: MessageEvent<{ readonly token?: string }>) => {
      if (typeof data.token === 'string') end(data.token);
    };
    setTimeout(() => end(null), PATIENCE);
    channel.postMessage({ wanted: true });
  });
}

function answerOtherTabs(token: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ readonly wanted?: boolean }>) => {
    if (data.wanted === true && sessionStorage.getItem(KEY) === token) channel.postMessage({ token });
  };
}
