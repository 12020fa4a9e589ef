// The meaning of the picture's colours and marks; always visible.

import { partText, plural } from './amount-words.ts';
import { hottest } from './box-fills.ts';
import type { Frame } from './frame-decoder.ts';
import { namesOfHits } from './hidden-hits.ts';
import { shownName } from './name-trimming.ts';
import { belongingsShown, tintsShown } from './package-hues.ts';
import { groupNames, MOST_HUES, OTHER_OWN } from './package-tints.ts';
import { data, shown, theme } from './page-state.ts';
import { belongingOf, changeColour, heatColour, packageColour, stateColour } from './palette.ts';
import { activePicture } from './pictures-shown.ts';
import { kindColour, kindWords, stackingOrder, tracksShown } from './track-kinds.ts';
import { VanishedEntry } from './vanished-list.tsx';
import { verdictOf } from './verdicts.ts';
import { viewNamed } from './views.ts';

export function Legend() {
  const frame = activePicture.value?.shot.value?.frame;
  if (frame === undefined) return null;
  const { colour, search } = shown.value;
  return (
    <ul class="legend" aria-label="Legend">
      {colour === 'package' ? <Packages found={belongingsShown.value} /> : null}
      {colour === 'heat' ? <Heat frame={frame} /> : null}
      {colour === 'change' ? <Change frame={frame} /> : null}
      {colour === 'staleness' ? <Staleness /> : null}
      <li>
        <span class="swatch hatched" /> too narrow
      </li>
      {viewNamed(shown.value.view).picture === 'ring' ? (
        <li>
          <span class="swatch rim" /> goes deeper
        </li>
      ) : null}
      <VanishedEntry />
      {search === '' ? null : (
        <li>
          <span class="swatch hit" /> hit
        </li>
      )}
      <HiddenHits />
      {data.value?.live === true ? (
        <li>
          <span class="swatch recent" /> active in the last seconds
        </li>
      ) : null}
    </ul>
  );
}

/** The hits of the search below the last row that is drawn. */
function HiddenHits() {
  const hidden = activePicture.value?.hidden.value ?? [];
  if (hidden.length === 0) return null;
  return (
    <li>
      <span class="swatch hit-below" /> {plural(hidden.length, 'hit')} not drawn: {namesOfHits(hidden)} (key n)
    </li>
  );
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span class="swatch" style={{ background: colour }} />;
}

/** The legend of the timeline: time types in the order in which they are stacked, or packages. */
export function TracksLegend() {
  const kinds = tracksShown.value?.kinds ?? [];
  const isTyped = tracksShown.value?.metric === 'typed';
  const found = new Set(
    kinds.map(({ name, library }) => {
      const belonging = belongingOf(name, library, tintsShown.value);
      return typeof belonging === 'string' ? belonging : belonging.hue;
    }),
  );
  return (
    <ul class="legend" aria-label="Legend">
      {isTyped ? (
        stackingOrder(kinds).map(kind => (
          <li key={kind}>
            <Swatch colour={kindColour(kinds[kind]!, theme.value, tintsShown.value)} /> {kindWords(kinds[kind]!)}
          </li>
        ))
      ) : (
        <Packages found={found} />
      )}
    </ul>
  );
}

/** The packages in the pictures: own packages in the order of their hues, other own code, libraries, the platform. */
function Packages({ found }: { readonly found: ReadonlySet<number | string> }) {
  const { groups } = tintsShown.value;
  const names = groupNames(groups);
  const at = theme.value;
  return (
    <>
      {groups.slice(0, MOST_HUES).map((group, hue) =>
        found.has(hue) ? (
          <li key={group} title={shownName(group)}>
            <Swatch colour={packageColour({ hue, tone: 0 }, at)} /> {shownName(names[hue] ?? '') || 'no package'}
          </li>
        ) : null,
      )}
      {found.has(MOST_HUES) ? (
        <li>
          <Swatch colour={packageColour(OTHER_OWN, at)} /> other own code
        </li>
      ) : null}
      {found.has('library') ? (
        <li>
          <Swatch colour={packageColour('library', at)} /> libraries
        </li>
      ) : null}
      {found.has('platform') ? (
        <li>
          <Swatch colour={packageColour('platform', at)} /> Java platform
        </li>
      ) : null}
    </>
  );
}

function Heat({ frame }: { readonly frame: Frame }) {
  const stops = [0, 0.25, 0.5, 0.75, 1].map(heatColour).join(', ');
  return (
    <li>
      own time 0 % <span class="swatch wide" style={{ background: `linear-gradient(to right, ${stops})` }} />{' '}
      {partText(hottest(frame), 1)} of all
    </li>
  );
}

function Staleness() {
  const at = theme.value;
  return (
    <>
      <li>
        <span class="swatch stale" style={{ backgroundColor: stateColour('changed', at) }} /> ~ changed since it ran
      </li>
      <li>
        <Swatch colour={stateColour('unchanged', at)} /> unchanged
      </li>
      <li>
        <Swatch colour={stateColour('missing', at)} /> no source here
      </li>
      <li>
        <Swatch colour={stateColour('unknown', at)} /> ? unknown
      </li>
    </>
  );
}

/** Words of what a test says stand here only where it says so of some part. */
function Change({ frame }: { readonly frame: Frame }) {
  const at = theme.value;
  const said = new Set(Array.from(frame.boxes.id.keys(), box => verdictOf(frame, box)));
  const isTested = said.has('slower') || said.has('faster') || said.has('same');
  return (
    <>
      {said.has('slower') ? (
        <li>
          <Swatch colour={changeColour(2, 1, 'slower', at)} /> ▲ slower
        </li>
      ) : null}
      <li>
        <Swatch colour={changeColour(1, 1, 'notTested', at)} /> {isTested ? 'the same, or not tested' : 'not tested'}
      </li>
      {said.has('faster') ? (
        <li>
          <Swatch colour={changeColour(1, 2, 'faster', at)} /> ▼ faster
        </li>
      ) : null}
      <li>+ new</li>
    </>
  );
}
