const SECONDS = { h: 3600, m: 60, s: 1 } as const

/** Parses a time such as `90`, `90s`, `1h02m03s`, `2:03` or `1:02:03`. Returns seconds, or undefined for any other text. */
export function secondsOf(text: string): number | undefined {
  if (/^\d{1,6}(\.\d{1,3})?s?$/.test(text)) return Number.parseFloat(text)
  if (/^\d{1,3}(:\d{1,2}){1,2}$/.test(text)) return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  const units = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s)?$/.exec(text)
  if (!text || !units) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = units.slice(1).map((part) => Number(part ?? 0))
  return hours * SECONDS.h + minutes * SECONDS.m + seconds
}

/** A moment of a recording, in seconds. */
export interface Moment {
  readonly from: number
  /** Absent for the end of the recording. */
  readonly to?: number
}

/**
 * Returns the moment that an address names: that of `#t=`, else of `?t=`. `t=12` begins at a second, and `t=12,45` also ends at
 * one, as media fragments do (Media Fragments URI 1.0, 4.2.1).
 */
export function momentOf({ hash, search }: Readonly<Record<'hash' | 'search', string>>): Moment | undefined {
  const text = new URLSearchParams(hash.slice(1)).get('t') ?? new URLSearchParams(search).get('t')
  const [first = '', last] = text?.split(',', 2) ?? []
  const from = text?.startsWith(',') ? 0 : secondsOf(first)
  const to = last === undefined ? undefined : secondsOf(last)
  if (from === undefined) return undefined
  return to !== undefined && to > from ? { from, to } : { from }
}

/** Returns the address of the page that plays a moment. @param moment undefined for the whole recording */
export function addressAt(page: string, moment: Moment | undefined): string {
  const address = new URL(page)
  address.hash = ''
  address.pathname = address.pathname.replace(/\/embed\/?$/, '')
  for (const name of ['t', 'at']) address.searchParams.delete(name)
  if (!moment) return address.href
  const { from, to } = moment
  const end = to === undefined ? '' : `,${Math.ceil(to)}`
  // A comma needs no escape in a query (RFC 3986, 3.4), and people read the address.
  return `${address.href}${address.search ? '&' : '?'}t=${Math.floor(from)}${end}`
}

/** Pauses a video once, at the end of a moment, unless the viewer has moved out of it before. */
export function pauseAtEnd(
  video: EventTarget & { readonly currentTime: number; pause(): void },
  { from, to }: Moment,
): void {
  if (to === undefined) return
  const end = () => {
    for (const event of ['timeupdate', 'seeking']) video.removeEventListener(event, check)
  }
  function check({ type }: Event): void {
    const { currentTime } = video
    const isOutside = currentTime < from - OUTSIDE || currentTime > (to ?? 0) + OUTSIDE
    const isOver = type === 'timeupdate' && currentTime >= (to ?? 0)
    if (isOver || (type === 'seeking' && isOutside)) end()
    if (isOver) video.pause()
  }
  for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, check)
}

/** Seconds outside a moment from which a seek has left it: the start of playback is not exact. */
const OUTSIDE = 1
