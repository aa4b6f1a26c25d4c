import type { OwnerEvent } from '../../events/owner-events.ts'

/** Milliseconds after the time of an event within which its record becomes visible. Records of two functions may swap. */
const LATENESS = 60_000
/** Hexadecimal digits of a hash. */
const DIGITS = 8

/** Matches a cursor: a time, and hashes of the events shortly before it. */
export const eventCursorPattern = /^[0-9a-z]{1,10}(\.[0-9a-f]{8})*$/

/** Returns the cursor behind some events, which may be none. */
export function eventCursorOf(events: readonly Pick<OwnerEvent, 'id' | 'at'>[]): string {
  const newest = Math.max(0, ...events.map(({ at }) => Date.parse(at)))
  const late = events.filter(({ at }) => Date.parse(at) > newest - LATENESS)
  return [newest.toString(36), ...late.map(({ id }) => hashOf(id))].join('.')
}

/** Returns the events that a cursor does not include. */
export function eventsAfter<Event extends Pick<OwnerEvent, 'id' | 'at'>>(
  events: readonly Event[],
  cursor: string,
): Event[] {
  const [time = '', ...hashes] = cursor.split('.')
  const since = Number.parseInt(time, 36) - LATENESS
  const known = new Set(hashes)
  return events.filter(({ id, at }) => Date.parse(at) > since && !known.has(hashOf(id)))
}

/** Hashes a text with FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(DIGITS, '0')
}
