import { expect } from 'vitest'

interface Entry {
  readonly duration: number
  readonly uri: string
  readonly offset: number
  readonly size: number
}

/** The entries of a playlist by byte ranges. */
export function entriesOf(playlist: string): Entry[] {
  const entries: Entry[] = []
  let duration = 0
  let range: [number, number] = [0, 0]
  for (const line of playlist.split('\n')) {
    if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8))
    if (line.startsWith('#EXT-X-BYTERANGE:')) range = line.slice(17).split('@').map(Number) as [number, number]
    if (line && !line.startsWith('#')) entries.push({ duration, uri: line, size: range[0], offset: range[1] })
  }
  return entries
}

/** Holds a playlist to what RFC 8216 demands of the whole: target duration, ranges within their files, a map, an end. */
export function expectValid(playlist: string, files: ReadonlyMap<string, Buffer>): void {
  expect(playlist).toMatch(/^#EXTM3U\n#EXT-X-VERSION:7\n/)
  expect(playlist).toMatch(/\n#EXT-X-ENDLIST\n$/)
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)\n/.exec(playlist)?.[1])
  expect(files.has(/#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1] ?? '')).toBe(true)
  const entries = entriesOf(playlist)
  expect(entries.length).toBeGreaterThan(0)
  for (const { duration, uri, offset, size } of entries) {
    expect(Math.round(duration)).toBeLessThanOrEqual(target)
    expect(offset + size).toBeLessThanOrEqual(files.get(uri)?.length ?? 0)
    expect(files.get(uri)?.toString('latin1', offset + 4, offset + 8)).toBe('moof')
  }
}

/** Every byte of every file is in exactly one entry. */
export function expectWhole(playlist: string, files: ReadonlyMap<string, Buffer>): void {
  const ends = new Map<string, number>()
  for (const { uri, offset, size } of entriesOf(playlist)) {
    expect(offset).toBe(ends.get(uri) ?? 0)
    ends.set(uri, offset + size)
  }
  for (const [uri, end] of ends) expect(end).toBe(files.get(uri)?.length)
}

export const totalDuration = (playlist: string) => entriesOf(playlist).reduce((sum, { duration }) => sum + duration, 0)
