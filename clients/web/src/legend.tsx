// What the colours and marks of the picture mean; always visible.

import { percentText } from './amount-words.ts';
import { hottest } from './box-fills.ts';
import type { Frame } from './frame-decoder.ts';
import { packageOf, shownName } from './name-trimming.ts';
import { activePicture, data, shown, theme } from './page-state.ts';
import { changeColour, heatColour, packageColour } from './palette.ts';

const MOST_PACKAGES = 6;

export function Legend() {
  const frame = activePicture.value?.shot.value?.frame;
  if (frame === undefined) return null;
  const { colour, search } = shown.value;
  return (
    <ul class="legend" aria-label="Legend">
      {colour === 'package' ? <Packages frame={frame} /> : null}
      {colour === 'heat' ? <Heat frame={frame} /> : null}
      {colour === 'change' ? <Change /> : null}
      <li>
        <span class="swatch hatched" /> too narrow
      </li>
      {shown.value.view === 'ring' ? (
        <li>
          <span class="swatch rim" /> goes deeper
        </li>
      ) : null}
      {search === '' ? null : (
        <li>
          <span class="swatch hit" /> hit
        </li>
      )}
      {data.value?.live === true ? (
        <li>
          <span class="swatch recent" /> active in the last seconds
        </li>
      ) : null}
    </ul>
  );
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span class="swatch" style={{ background: colour }} />;
}

/** The packages with most own time in the picture. */
function Packages({ frame }: { readonly frame: Frame }) {
  const { boxes, header } = frame;
  const own = new Map<string, { weight: number; library: boolean }>();
  boxes.method.forEach((method, box) => {
    const info = header.methods[method];
    if (info === undefined) return;
    const name = packageOf(info);
    const entry = own.get(name) ?? { weight: 0, library: info.library };
    entry.weight += boxes.self[box] ?? 0;
    own.set(name, entry);
  });
  const heaviest = [...own].sort(([, a], [, b]) => b.weight - a.weight).slice(0, MOST_PACKAGES);
  return (
    <>
      {heaviest.map(([name, { library }]) => (
        <li key={name}>
          <Swatch colour={packageColour(name, library, theme.value)} /> {name === '' ? 'no package' : shownName(name)}
        </li>
      ))}
      <li class="aside">libraries are paler</li>
    </>
  );
}

function Heat({ frame }: { readonly frame: Frame }) {
  const stops = [0, 0.25, 0.5, 0.75, 1].map(heatColour).join(', ');
  return (
    <li>
      own time 0 % <span class="swatch wide" style={{ background: `linear-gradient(to right, ${stops})` }} />{' '}
      {percentText(hottest(frame), 1) ?? '< 0.1 %'} of all
    </li>
  );
}

function Change() {
  const at = theme.value;
  return (
    <>
      <li>
        <Swatch colour={changeColour(2, 1, 1, at)} /> ▲ more
      </li>
      <li>
        <Swatch colour={changeColour(1, 1, 0, at)} /> no significant change
      </li>
      <li>
        <Swatch colour={changeColour(1, 2, -1, at)} /> ▼ less
      </li>
      <li>+ new</li>
    </>
  );
}
