// Places that two servers name: when they are the same one, and lists of implementations in which what ran comes first.
import type { Location, LocationLink, Position, Range } from 'vscode-languageserver/node';
import { documentKey } from '../mapping/file-uris.ts';

export function isSamePlace(
  one: { readonly uri: string; readonly range: Range },
  other: { readonly uri: string; readonly range: Range },
): boolean {
  return samePosition(one.range.start, other.range.start) && documentKey(one.uri) === documentKey(other.uri);
}

function samePosition(one: Position, other: Position): boolean {
  return one.line === other.line && one.character === other.character;
}

type Place = Location | LocationLink;

/** The places of code that ran, hottest first, then places that are only written; a place that both name is as the Java server names it. */
export function mergedPlaces(java: Place | readonly Place[] | null, own: readonly Location[]): Place[] {
  const left = java === null ? [] : 'length' in java ? [...java] : [java];
  const linked = left.some(place => 'targetUri' in place);
  const ran = own.map(place => {
    const at = left.findIndex(other => isSamePlace(locationOf(other), place));
    const [same] = at < 0 ? [] : left.splice(at, 1);
    return same ?? (linked ? linkTo(place) : place);
  });
  return [...ran, ...left];
}

function locationOf(place: Place): Location {
  return 'targetUri' in place ? { uri: place.targetUri, range: place.targetSelectionRange } : place;
}

/** Clients take lists of one kind only. */
function linkTo({ uri, range }: Location): LocationLink {
  return { targetUri: uri, targetRange: range, targetSelectionRange: range };
}
