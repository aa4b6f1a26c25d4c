import { expect, it } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import { arrangeStreams } from '../../../../../lib/platform/layouts/layouts.ts'
import type { Picture, Rect } from '../../../../../local/sandbox/media/composing/picture.ts'
import { childrenWith } from '../../../../support/processes.ts'
import { openRecording } from '../open-recording.ts'
import { openSessionPage, type SeenSession } from './session-page.ts'

const TONES = { ada: 440, bob: 1_100 } as const
const RATE = 48_000
/** Samples of a window in which tones are searched, and the amplitude from which a tone counts. */
const WINDOW = RATE / 10
const AUDIBLE = 500

type OpenPage = Awaited<ReturnType<typeof openSessionPage>>

it('two pages see each other and are recorded, while one is muted, changes its size, loses its network, and one is removed', async () => {
  const { url, sessionId, clientToken, call, record, ffmpegPath, directory, watch } = await openRecording()
  const moderator = await watch()
  const ada = await openSessionPage(ffmpegPath, directory, { colour: 'red', tone: TONES.ada })
  const bob = await openSessionPage(ffmpegPath, directory, { colour: 'blue', tone: TONES.bob })
  const published = { status: 'connected', own: [{ status: 'connected', streamId: expect.any(String) }] }
  for (const [page, name] of [[ada, 'Ada'] as const, [bob, 'Bob'] as const]) {
    await page.join({ url, sessionId, name, token: await clientToken() })
    await expect.poll(page.look).toMatchObject(published)
  }
  const [adaId = ''] = (await ada.look()).own.map(({ streamId }) => streamId)
  await expectToSee(ada, { streams: [{ name: 'Bob', status: 'connected' }], colour: 'blue', size: '320x240' })
  await expectToSee(bob, { streams: [{ name: 'Ada', status: 'connected' }], colour: 'red', size: '320x240' })
  for (const page of [ada, bob]) await expect.poll(async () => (await page.look()).level).toBeGreaterThan(0.01)

  const { pictures, audio } = await record(3, async () => {
    await expect.poll(() => childrenWith(' -f ogg -protocol_whitelist pipe').length).toBe(2) // on a busy machine, they start late
    await realClock.sleep(2_000) // of the archive, with both
    await call('muteStream', { sessionId, streamId: adaId })
    await expect.poll(ada.look).toMatchObject({ own: [{ isMutedByModerator: true }] })
    await expect.poll(async () => (await bob.look()).level).toBeLessThan(0.001)

    await ada.changeSize()
    await expect.poll(async () => ratioOf(await bob.look())).toBeCloseTo(16 / 9, 1)
    await loseNetwork(ada, adaId)
    await expectToSee(bob, { streams: [{ name: 'Ada', status: 'connected' }], colour: 'red' }, 7)

    const connectionId = moderator.events.flatMap((event) =>
      event.type === 'streamCreated' && event.stream.name === 'Bob' ? event.stream.connectionId : [],
    )[0]
    await call('forceDisconnect', { sessionId, connectionId })
    await expect.poll(bob.look).toMatchObject({ status: 'left', reason: 'forceDisconnected', own: [] })
    await expect.poll(ada.look).toMatchObject({ status: 'connected', streams: [], own: [{ streamId: adaId }] })
  })

  const [adaCell, bobCell] = cellsOfTwo()
  const shown = (cell: Rect, colour: string) => pictures.filter((picture) => colourOf(picture, cell) === colour).length
  expect(shown(adaCell, 'red')).toBeGreaterThan(5 * 30)
  expect(shown(bobCell, 'blue')).toBeGreaterThan(5 * 30)
  const moved = pictures.flatMap((picture, index) =>
    index > 0 && differenceOf(picture, pictures[index - 1] as Picture, adaCell) > 1 ? [index] : [],
  )
  const gaps = moved.map((index, place) => (moved[place + 1] ?? index) - index)
  const stillAt = gaps.indexOf(Math.max(...gaps))
  expect(gaps[stillAt], 'pictures while the network is gone').toBeGreaterThan(2 * 30)
  expect(moved.length - stillAt, 'pictures that move afterwards').toBeGreaterThan(5)
  const heard = (tone: number) => windowsOf(audio).map((samples) => amplitudeOf(samples, tone) > AUDIBLE)
  const [adaHeard, bobHeard] = [heard(TONES.ada), heard(TONES.bob)]
  expect(adaHeard.filter(Boolean).length).toBeGreaterThan(0)
  expect(bobHeard.slice(adaHeard.lastIndexOf(true)).filter(Boolean).length, 'Bob is heard alone').toBeGreaterThan(50)
})

/** Expects a page to see the other as described, and moving: in more than so many different pictures. */
async function expectToSee(
  { look }: OpenPage,
  expected: Partial<Record<keyof SeenSession, unknown>>,
  pictures = 3,
): Promise<void> {
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      const looked = await look()
      seen.add(looked.pixels)
      return { ...looked, isMoving: seen.size > pictures }
    })
    .toMatchObject({ ...expected, isMoving: true })
}

/** Loses the network of a page until the page restarts ICE, and waits until the same stream continues. */
async function loseNetwork({ network, look }: OpenPage, streamId: string): Promise<void> {
  const { answers } = await look()
  const both = (status: string) => ({ own: [{ status, streamId }], streams: [{ status }] })
  network.isGone = true
  await expect.poll(look).toMatchObject(both('interrupted'))
  await expect.poll(async () => (await look()).answers).toBeGreaterThanOrEqual(answers + 2)
  network.isGone = false
  await expect.poll(look).toMatchObject(both('connected'))
}

/** Returns the aspect ratio of the other's video: a busy browser sends it smaller for a while. */
function ratioOf({ size }: SeenSession): number {
  const [width = 0, height = 1] = size.split('x').map(Number)
  return width / height
}

/** Returns the cells of two cameras in the order of their publishing. */
function cellsOfTwo(): [Rect, Rect] {
  const camera = { videoType: 'camera', layoutClasses: [] } as const
  return arrangeStreams({ type: 'bestFit' }, [camera, camera], 640, 480).map(({ cell }) => cell) as [Rect, Rect]
}

/** Returns the mean difference of brightness in a cell. */
function differenceOf({ planes: [one] }: Picture, { planes: [other] }: Picture, { x, y, width, height }: Rect): number {
  let sum = 0
  for (let row = y; row < y + height; row += 4) {
    for (let place = row * one.width + x; place < row * one.width + x + width; place += 4)
      sum += Math.abs((one.data[place] as number) - (other.data[place] as number))
  }
  return (16 * sum) / (width * height)
}

/**
 * Returns the colour of the video in a cell, at two places on its middle line.
 * The moving box is narrower than their distance, so it hides one at most, also while the video is frozen.
 */
function colourOf({ planes }: Picture, { x, y, width, height }: Rect): 'red' | 'blue' | 'none' {
  const at = (left: number) => {
    const [row, column] = [Math.floor((y + height / 2) / 2), Math.floor((x + left) / 2)]
    const [blue = 0, red = 0] = planes.slice(1).map((plane) => plane.data[row * plane.width + column] ?? 0)
    return red > 160 ? 'red' : blue > 160 ? 'blue' : 'none'
  }
  const one = at(width / 4)
  return one === 'none' ? at((3 * width) / 4) : one
}

const windowsOf = (audio: Int16Array) =>
  Array.from({ length: Math.floor(audio.length / WINDOW) }, (_, index) =>
    audio.subarray(index * WINDOW, (index + 1) * WINDOW),
  )

/** Returns the amplitude of a tone in samples. */
function amplitudeOf(samples: Int16Array, frequency: number): number {
  let [real, imaginary] = [0, 0]
  samples.forEach((sample, index) => {
    const phase = (2 * Math.PI * frequency * index) / RATE
    real += sample * Math.cos(phase)
    imaginary += sample * Math.sin(phase)
  })
  return (2 * Math.hypot(real, imaginary)) / samples.length
}
