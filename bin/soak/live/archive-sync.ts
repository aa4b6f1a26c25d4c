import { median } from '../../../bench/figures.ts'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import type { Rect } from '../../../local/sandbox/media/composing/picture.ts'
import type { Observed } from './browser-participant.ts'
import { PERIOD } from './flash-files.ts'

/** The place of a participant in an archive, and what the participant has captured. */
export interface Captured {
  /** Part of the frame that shows the participant. */
  readonly cell: Rect
  /** Hertz of the participant's beep. */
  readonly tone: number
  readonly observed: Observed
}

/** A flash or a beep that is in an archive. */
export interface Found {
  /** Milliseconds since the epoch at which it was captured. */
  readonly captured: number
  /** Milliseconds from then to its time in the archive. */
  readonly delay: number
}

/** A participant's flashes and beeps in an archive, in their order. */
export interface Delays {
  readonly flashes: readonly Found[]
  readonly beeps: readonly Found[]
}

const FRAMES_PER_SECOND = 30
const BLOCKS_PER_SECOND = 1_000
const SAMPLES_PER_BLOCK = 8
/** Volume of a beep of one participant in the mix, of 32768. */
const LOUD = 3_000
/** Share of the flashes whose median is the delay at one end of the archive. */
const END = 0.2

/**
 * Finds a participant's flashes and beeps in an archive, and returns their delays.
 * @param createdAt of the archive, in milliseconds since the epoch
 */
export async function delaysIn(
  ffmpegPath: string,
  path: string,
  createdAt: number,
  { cell, tone, observed }: Captured,
): Promise<Delays> {
  const { x, y, width, height } = cell
  const part = `crop=${width / 2}:${height / 2}:${x + width / 4}:${y + height / 4},scale=1:1:flags=area,format=gray`
  const brightness = await runFfmpeg(ffmpegPath, [
    ...['-i', path, '-map', '0:v', '-vf', `setpts=PTS-STARTPTS,${part}`, '-r', String(FRAMES_PER_SECOND)],
    ...['-f', 'rawvideo', 'pipe:1'],
  ])
  const band = `bandpass=f=${tone}:width_type=h:w=200`
  const only = `aresample=async=1:first_pts=0,${band},${band}` // late by 1.5 ms
  const samples = await runFfmpeg(ffmpegPath, [
    ...['-i', path, '-map', '0:a', '-af', only, '-ar', String(BLOCKS_PER_SECOND * SAMPLES_PER_BLOCK), '-ac', '1'],
    ...['-f', 's16le', 'pipe:1'],
  ])
  const find = (seconds: readonly number[], captured: readonly number[]) =>
    seconds.flatMap((second) => foundAt(createdAt + second * 1000, captured))
  return {
    flashes: find(onsets([...brightness], 128, FRAMES_PER_SECOND), observed.flashes),
    beeps: find(onsets(volumes(samples), LOUD, BLOCKS_PER_SECOND), observed.beeps),
  }
}

/** Returns the nearest of the captured times with its delay; none when that is not the same flash. */
function foundAt(time: number, captured: readonly number[]): Found[] {
  const isNearer = (one: number, other: number) => Math.abs(time - one) < Math.abs(time - other)
  const nearest = captured.reduce((best, one) => (isNearer(one, best) ? one : best), -Infinity)
  return Math.abs(time - nearest) < PERIOD * 500 ? [{ captured: nearest, delay: time - nearest }] : []
}

/** Returns the seconds at which values begin to be high. */
export function onsets(values: readonly number[], threshold: number, perSecond: number): number[] {
  return values.flatMap((value, index) => {
    const before = values[index - 1]
    return before !== undefined && value > threshold && before <= threshold ? [index / perSecond] : []
  })
}

/** Returns the largest volume of each block, held for some blocks, so that a wave does not count as silence. */
function volumes(bytes: Buffer): number[] {
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  const blocks = Array.from({ length: Math.floor(samples.length / SAMPLES_PER_BLOCK) }, (_, index) =>
    Math.max(...samples.subarray(index * SAMPLES_PER_BLOCK, (index + 1) * SAMPLES_PER_BLOCK).map(Math.abs)),
  )
  return blocks.map((_, index) => Math.max(...blocks.slice(Math.max(0, index - 20), index + 1)))
}

const medianOf = (found: readonly Found[]) => median(found.map(({ delay }) => delay))

/** Returns by how much the audio is later than the picture, in milliseconds. */
export const skewOf = ({ flashes, beeps }: Delays): number => medianOf(beeps) - medianOf(flashes)

/** Returns by how much the skew changes from the beginning to the end, in milliseconds. */
export function driftOf({ flashes, beeps }: Delays): number {
  const count = (found: readonly Found[]) => Math.max(1, Math.floor(found.length * END))
  const first = skewOf({ flashes: flashes.slice(0, count(flashes)), beeps: beeps.slice(0, count(beeps)) })
  return skewOf({ flashes: flashes.slice(-count(flashes)), beeps: beeps.slice(-count(beeps)) }) - first
}

/** Returns the difference between the delays of the earliest and the latest participant, in milliseconds. */
export function spreadOf(all: readonly Delays[]): number {
  const delays = all.flatMap(({ flashes, beeps }) => [medianOf(flashes), medianOf(beeps)])
  return Math.max(...delays) - Math.min(...delays)
}
