import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gunzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { median } from '../../../../../bench/figures.ts'
import { measureHours } from '../../../../../bench/live-hls/measure-hours.ts'
import { createSyntheticEncoding } from '../../../../../bench/live-hls/synthetic-encoding.ts'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { parseKept } from '../../../../../lib/media/hls/live/kept-playlist.ts'
import { createHlsRoutes } from '../../../../../local/sandbox/broadcasts/hls.ts'
import { createHosts } from '../../../../../local/sandbox/http/hosts.ts'
import { createLivePlaylists } from '../../../../../local/sandbox/media/packaging/live-playlists.ts'
import { packageLive } from '../../../../../local/sandbox/media/packaging/packager.ts'
import type { BroadcastRecord } from '../../../../../local/sandbox/state/records.ts'
import type { Store } from '../../../../../local/sandbox/state/store.ts'
import { followPlaylist } from '../../../../support/hls/expect-valid-playlist.ts'

const START = Date.UTC(2026, 10, 23, 9)
const HOURS = 12
const SEGMENTS_PER_HOUR = 1800
/** Bytes that a list holds for each segment: its range, its time and its duration. */
const BYTES_PER_SEGMENT = 40
/** Bytes of memory that differ between two measurements of the same state. */
const NOISE = 4_000_000
/** The same for medians of four measurements in a process that does nothing else. */
const MEDIAN_NOISE = 1_000_000
/** Bytes that the memory of that process may grow: V8 enlarges its heap in the first hours, and returns little of it. */
const MAX_RESIDENT_GROWTH = 60_000_000
/** Bytes that a reload with DVR may transfer. */
const MAX_RELOAD = 10_000

/** Hours after which the checker reads the whole playlist, which takes it a second for 7,200 segments. */
const JUDGED = [1, HOURS]

const nameOf = (number: number) => `segment-${String(number).padStart(5, '0')}.m4s`
const namesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => nameOf(from + index)).join('\n')
/** Returns the names as one text: vitest holds what it has compared. */
const namesIn = (playlist: string) => [...playlist.matchAll(/^segment-.*$/gm)].join('\n')

setFlagsFromString('--expose-gc')
const gunzipped = promisify(gunzip)
const collectGarbage = runInNewContext('gc') as () => void

/** Serves playlists by HTTP as the sandbox does. Each form of a broadcast is one id. */
function serve(forms: Record<string, ReturnType<typeof createLivePlaylists>>, directory: string) {
  const broadcasts = { played: async (id: string) => forms[id] }
  const records = { get: (id: string) => ({ id, directory, hls: { dvr: id === 'dvr' } }) as unknown as BroadcastRecord }
  const routes = createHlsRoutes({ broadcasts: records } as unknown as Store, broadcasts, createHosts())
  return async (path: string) => {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await routes.request(`http://127.0.0.1/broadcasts/${path}`, { headers })
    expect(response.status, path).toBe(200)
    const sent = Buffer.from(await response.arrayBuffer())
    const isCompressed = response.headers.get('content-encoding') === 'gzip'
    return { sent, text: isCompressed ? (await gunzipped(sent)).toString() : '' }
  }
}

it(`packages ${HOURS} hours: playlists are right at every hour, and memory grows by the list only`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-hours-'))
  const directory = folder.path
  const { header, partsPerSegment, partOf } = await createSyntheticEncoding(directory)
  const clock = createSteppedClock(START)
  const forms = {
    dvr: createLivePlaylists({ dvr: true, lowLatency: false }, clock),
    low: createLivePlaylists({ dvr: false, lowLatency: true }, clock),
  }
  const request = serve(forms, directory)
  const memory: number[] = []
  const reloads: number[] = []

  /** Expects what a player receives after so many segments. */
  async function check(segments: number): Promise<void> {
    const whole = (await request('dvr/dvr.m3u8')).text
    expect(namesIn(whole)).toBe(namesOf(0, segments))
    const update = await request('dvr/dvr.m3u8?_HLS_skip=YES')
    reloads.push(update.sent.length)
    expect(update.text).toContain(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${segments - 6}\n`)
    expect(namesIn(update.text)).toBe(namesOf(segments - 6, segments))
    if (JUDGED.includes(segments / SEGMENTS_PER_HOUR)) {
      const follower = followPlaylist('dvr')
      follower.add(whole)
      follower.add(update.text)
    }

    const { text } = await request('low/index.m3u8')
    followPlaylist('window').add(text)
    expect(namesIn(text)).toBe(namesOf(segments - 15, segments))
    const dates = [...text.matchAll(/^#EXT-X-PROGRAM-DATE-TIME:(.*)$/gm)].map(([, date = '']) => Date.parse(date))
    expect(dates[0]).toBe(START + 2000 * (segments - 15))
    expect(dates[14]).toBe(clock.now() - 2000)

    for (const [form, number] of [
      ['dvr', 0],
      ['dvr', segments - 1],
      ['low', 0], // no longer in memory
      ['low', segments - 1],
    ] as const) {
      const { sent } = await request(`${form}/${nameOf(number)}`)
      const expected = Buffer.concat(
        Array.from({ length: partsPerSegment }, (_, part) => Buffer.from(partOf(number, part))),
      )
      expect(sent.equals(expected)).toBe(true)
    }
  }

  async function* encode() {
    yield header
    for (let segment = 0; segment < HOURS * SEGMENTS_PER_HOUR; segment++) {
      for (let part = 0; part < partsPerSegment; part++) {
        await clock.advance(START + 1000 * (2 * segment + (2 * (part + 1)) / partsPerSegment) - clock.now())
        yield partOf(segment, part)
      }
      if ((segment + 1) % SEGMENTS_PER_HOUR > 0) continue
      await check(segment + 1)
      collectGarbage()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      memory.push(heapUsed + arrayBuffers)
    }
  }
  const addPart: (typeof forms.dvr)['addPart'] = (part) => {
    for (const form of Object.values(forms)) form.addPart(part)
  }
  await packageLive(encode(), { directory, startTime: START, onPart: addPart })
  for (const form of Object.values(forms)) form.end()

  expect((await request('dvr/dvr.m3u8')).text).toMatch(/\n#EXT-X-ENDLIST\n$/)
  const kept = parseKept(await readFile(join(directory, 'index.m3u8'), 'utf8'))
  expect(kept).toHaveLength(HOURS * SEGMENTS_PER_HOUR)
  const files = (await readdir(directory)).filter((name) => name.startsWith('media-'))
  expect(files).toHaveLength(2 * HOURS)
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(directory, file))).size))
  expect(kept.reduce((total, { size }) => total + size, 0)).toBe(sizes.reduce((total, size) => total + size, 0))
  expect(Math.max(...reloads)).toBeLessThan(MAX_RELOAD)
  const grown = (memory.at(-1) ?? 0) - (memory[0] ?? 0)
  expect(grown).toBeLessThan(NOISE + BYTES_PER_SEGMENT * (HOURS - 1) * SEGMENTS_PER_HOUR)
})

it.each([
  { dvr: false, what: 'does not grow without DVR', bytes: 0 },
  { dvr: true, what: 'grows at most by the list of its segments with DVR', bytes: BYTES_PER_SEGMENT },
])('$what', async ({ dvr, bytes }) => {
  const { held, resident } = await measureHours({ dvr, hours: HOURS }, new AbortController().signal)
  expect([held.length, resident.length]).toEqual([HOURS, HOURS])
  const [first = 0, second = 0] = [median(held.slice(0, 4)), median(held.slice(-4))]
  const growth = bytes * (HOURS - 4) * SEGMENTS_PER_HOUR
  expect(second - first).toBeLessThan(growth + MEDIAN_NOISE)
  expect(Math.max(...resident) - (resident[0] ?? 0), 'memory of the process').toBeLessThan(MAX_RESIDENT_GROWTH)
})
