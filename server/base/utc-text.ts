// Moments as people read them, in UTC; moments that no calendar has do no harm.

/** Date and time of day in UTC, `2026-11-20` and `16:00:05`; null for milliseconds that are no moment of the calendar. */
export function utcParts(millis: number): { readonly date: string; readonly time: string } | null {
  const moment = new Date(millis);
  if (Number.isNaN(moment.getTime())) return null;
  const iso = moment.toISOString();
  const at = iso.indexOf('T');
  return { date: iso.slice(0, at), time: iso.slice(at + 1, at + 9) };
}

/** `2026-11-20 16:00:05 UTC`, or `an unknown time`. */
export function utcText(millis: number): string {
  const parts = utcParts(millis);
  return parts === null ? 'an unknown time' : `${parts.date} ${parts.time} UTC`;
}

/** `2026-11-20T16:00:05.250Z`, for programs; null for milliseconds that are no moment of the calendar. */
export function isoTime(millis: number): string | null {
  return utcParts(millis) === null ? null : new Date(millis).toISOString();
}
