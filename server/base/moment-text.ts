// Moments as text, for people in the zone of this machine, for programs in UTC, and text as moments. Moments that no calendar has do no harm.

type Parts = { readonly date: string; readonly time: string; readonly zone: string };

/** `2026-11-20`, `17:00:05` and `+01:00` of this machine; null for milliseconds that are no moment of the calendar. */
export function localParts(millis: number): Parts | null {
  const moment = new Date(millis);
  if (Number.isNaN(moment.getTime())) return null;
  const east = -moment.getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(east) / 60), Math.abs(east) % 60];
  return {
    date: [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(twoDigits).join('-'),
    time: [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(':'),
    zone: `${east < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`,
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** `2026-11-20 17:00:05 +01:00`, which `--from` takes too, or `an unknown time`. */
export function momentText(millis: number): string {
  const parts = localParts(millis);
  return parts === null ? 'an unknown time' : `${parts.date} ${parts.time} ${parts.zone}`;
}

/** `2026-11-20 17:00:05 to 17:05:00 +01:00`; the second date and the first offset only where they differ. */
export function timeSpan(startMillis: number, endMillis: number): string {
  const [start, end] = [localParts(startMillis), localParts(endMillis)];
  if (start === null || end === null || start.zone !== end.zone)
    return `${momentText(startMillis)} to ${momentText(endMillis)}`;
  return `${start.date} ${start.time} to ${start.date === end.date ? '' : `${end.date} `}${end.time} ${end.zone}`;
}

/** `2026-11-20T16:00:05.250Z`, for programs; null for milliseconds that are no moment of the calendar. */
export function isoTime(millis: number): string | null {
  const moment = new Date(millis);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** How people and programs write a moment that `momentOf` reads. */
export const MOMENT_FORMS = '2026-11-20T16:00, 2026-11-20 or "2026-11-20 17:00 local"';

/** Milliseconds of `2026-11-20T16:00`, in UTC unless `+01:00` or `local` stands behind it; null for other texts. */
export function momentOf(text: string): number | null {
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?: ?(Z|[+-]\d{2}:\d{2}|local))?$/i.exec(
      text.trim(),
    ) ?? [];
  // Without a zone it is the time of this machine.
  const zoneText = /local/i.test(zone) ? '' : zone.toUpperCase();
  const millis = day === undefined ? Number.NaN : Date.parse(`${day}T${clock}${zoneText}`);
  return Number.isNaN(millis) ? null : millis;
}
