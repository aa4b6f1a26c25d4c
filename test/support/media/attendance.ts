import { expect } from 'vitest'
import type { Picture } from '../../../local/sandbox/media/composing/picture.ts'
import { FRAMES_PER_SECOND } from '../../../local/sandbox/media/timebase.ts'
import type { PlatformRecord, Recorded } from '../platform-record.ts'
import { findCells, readCellTimecode } from './cells.ts'
import { timeOfCode } from './times.ts'

/**
 * Milliseconds between the record of a change and its command to the media engine, or the reverse. Both are made in one
 * turn of the event loop, in which a quota may stop the process for a few slices.
 */
export const ONE_TURN = 250

type Streams = PlatformRecord['streams']

/**
 * Expects each picture to show the participants who published at the time that its timecode shows.
 * @param start when the archive began, in milliseconds since the epoch
 */
export function expectAttendance(pictures: readonly Picture[], streams: Streams, start: number): void {
  expect(pictures.length).toBeGreaterThan(0)
  const wrong = pictures.flatMap((picture, frame) => {
    const cells = findCells(picture)
    const [code] = [...cells.values()].flatMap((cell) => readCellTimecode(picture, cell) ?? [])
    const seen = [...cells.keys()]
    if (code === undefined) return [{ frame, seen }]
    const time = timeOfCode(code, start + (1000 * frame) / FRAMES_PER_SECOND)
    const isAsRecorded = (place: number) => [undefined, cells.has(place)].includes(isRecorded(streams, place, time))
    const places = new Set([...seen, ...streams.map(({ place }) => place)])
    return [...places].every(isAsRecorded) ? [] : [{ frame, time, seen }]
  })
  expect(wrong, `pictures that differ from ${JSON.stringify(streams)}`).toEqual([])
}

/** Returns whether a participant published at a time; undefined within a turn of a change, when either may be seen. */
function isRecorded(streams: Streams, place: number, time: number): boolean | undefined {
  const own = streams.filter((stream) => stream.place === place)
  if (own.some(({ start, end }) => Math.abs(time - start) < ONE_TURN || Math.abs(time - end) < ONE_TURN))
    return undefined
  return own.some(({ start, end }) => time > start && time < end)
}

/** Returns how many flashes of a stream are whole in a recording: one for each second that begins while both last. */
export function countFlashes(stream: Recorded, recording: Recorded): number {
  const from = Math.max(stream.start, recording.start) + ONE_TURN
  const to = Math.min(stream.end, recording.end) - ONE_TURN
  return Math.max(0, Math.floor(to / 1000) - Math.ceil(from / 1000) + 1)
}
