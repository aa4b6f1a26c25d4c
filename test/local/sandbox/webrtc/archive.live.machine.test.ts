import { expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { measureLateness } from '../../../support/lateness.ts'
import { childrenWith } from '../../../support/processes.ts'
import { eventually } from './open-doors.ts'
import { openRecording } from './open-recording.ts'
import { publishByFfmpeg } from './publish-by-ffmpeg.ts'

/** In each whole second, a white picture and a tone of 1 kHz for 200 ms. */
const FLASHES = {
  video: "color=black:s=320x240:r=30,drawbox=color=white:t=fill:enable='lt(mod(t,1),0.2)'",
  audio: 'aevalsrc=0.5*sin(2000*PI*t)*lt(mod(t\\,1)\\,0.2):s=48000',
}

it('an archive contains what ffmpeg publishes, with picture and audio in sync', async () => {
  const { door, clientToken, moderator, record } = await openRecording()
  await publishByFfmpeg(door('whip'), await clientToken(), FLASHES)
  await moderator.event('streamCreated')
  await attempt(async () => {
    const { pictures, audio } = await record(12)
    const brightness = brightnessOf(pictures)
    const flashes = onsets(brightness, (value) => value > 120, 30)
    const beeps = onsets(blocks(audio, 48), (value) => value > 3_000, 1_000)
    const pairs = flashes.flatMap((flash) =>
      beeps.filter((beep) => Math.abs(beep - flash) < 0.5).map((beep) => beep - flash),
    )
    const aligned = pairs.slice(-5) // before its first sender reports, a stream is aligned by when its packets arrive
    expect(aligned).toHaveLength(5)
    expect(Math.max(...aligned.map(Math.abs))).toBeLessThanOrEqual(0.04)
  })
})

it('nothing is decoded without an archive, and a publisher that falls silent is black after 5 s', async () => {
  const { door, clientToken, moderator, record } = await openRecording()
  const ffmpeg = await publishByFfmpeg(door('whip'), await clientToken())
  await moderator.event('streamCreated')
  await realClock.sleep(2_000)
  expect(decoders()).toEqual([])
  const meter = measureLateness()
  onTestFinished(meter.stop)
  let killedAt = 0
  const { pictures, audio, createdAt } = await record(0, async () => {
    await realClock.sleep(3_000)
    await expect.poll(decoders).toEqual(['ivf', 'ogg'])
    killedAt = Date.now()
    await ffmpeg.kill()
    await realClock.sleep(8_000)
  })
  const late = meter.between(createdAt, killedAt + 8_000)
  const brightness = brightnessOf(pictures)
  const isDark = (value: number) => value < 20
  const lit = brightness.findIndex((value) => !isDark(value))
  const dark = brightness.findIndex((value, index) => index > lit && isDark(value))
  const afterKill = (frame: number) => createdAt + (frame * 1000) / 30 - killedAt
  expect(lit / 30).toBeLessThan(3 + late / 1000)
  expect(afterKill(dark)).toBeGreaterThan(4_500 - late)
  expect(afterKill(dark)).toBeLessThan(7_000 + late)
  const silentFrom = Math.round((killedAt + 2_000 + Math.min(late, 4_000) - createdAt) * 48)
  expect(mean(audio.subarray(silentFrom, silentFrom + 2 * 48_000).map(Math.abs))).toBe(0)
  await eventually(decoders, (found) => found.length === 0)
})

/** Returns the formats that the decoders of this process read. */
const decoders = (): string[] =>
  ['ivf', 'ogg'].filter((format) => childrenWith(` -f ${format} -protocol_whitelist pipe`).length > 0)

/** Returns the mean brightness of each picture. */
const brightnessOf = (pictures: readonly Picture[]) => pictures.map(({ planes }) => mean(planes[0].data))

/** Returns the seconds at which values begin to be high. */
function onsets(values: readonly number[], isHigh: (value: number) => boolean, perSecond: number): number[] {
  return values.flatMap((value, index) =>
    index > 0 && isHigh(value) && !isHigh(values[index - 1] as number) ? [index / perSecond] : [],
  )
}

/** Returns the mean volume of each block of samples. */
const blocks = (audio: Int16Array, length: number) =>
  Array.from({ length: Math.floor(audio.length / length) }, (_, index) =>
    mean(audio.subarray(index * length, (index + 1) * length).map(Math.abs)),
  )

function mean(values: Uint8Array | Int16Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
