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

/** Returns the second at which an address starts the recording: that of `#t=`, else of `?t=`. */
export function startOf({ hash, search }: Readonly<Record<'hash' | 'search', string>>): number | undefined {
  const text = new URLSearchParams(hash.slice(1)).get('t') ?? new URLSearchParams(search).get('t')
  return text === null ? undefined : secondsOf(text)
}

/** Returns the address of the page that starts at a second. @param at undefined for the beginning */
export function addressAt(page: string, at: number | undefined): string {
  const address = new URL(page)
  address.hash = ''
  address.pathname = address.pathname.replace(/\/embed\/?$/, '')
  address.searchParams.delete('t')
  if (at !== undefined) address.searchParams.set('t', String(Math.floor(at)))
  return address.href
}
