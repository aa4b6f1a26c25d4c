import { addressAt, type Moment } from '../start-time.ts'

/** Returns the address of a show's page that names a time of its live broadcast. @param time milliseconds since the epoch */
export function addressAtTime(page: string, time: number): string {
  const address = new URL(addressAt(page, undefined))
  // A colon needs no escape in a query (RFC 3986, 3.4), and people read the address.
  return `${address.href}${address.search ? '&' : '?'}at=${new Date(time).toISOString().slice(0, 19)}Z`
}

/** Returns the time that an address names by `?at=`, in milliseconds since the epoch. */
export function namedTime({ search }: { readonly search: string }): number | undefined {
  const time = Date.parse(new URLSearchParams(search).get('at') ?? '')
  return Number.isNaN(time) ? undefined : time
}

/** Returns the moment of a recording that begins at a time; undefined if the recording does not have it. */
export function momentAtTime(
  time: number | undefined,
  { createdAt, duration }: { readonly createdAt: string; readonly duration: number | null },
): Moment | undefined {
  if (time === undefined) return undefined
  const from = (time - Date.parse(createdAt)) / 1000
  return from >= 0 && from < (duration ?? 0) ? { from } : undefined
}
