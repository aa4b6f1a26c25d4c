import { expect, it } from 'vitest'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../../../support/media/cells.ts'
import { timeOfCode } from '../../../support/media/times.ts'
import { childrenWith } from '../../../support/processes.ts'
import { eventually } from './open-doors.ts'
import { openRecording } from './open-recording.ts'
import { capturedAt, type Decoded, decodeReceived, type Received, receive } from './receive.ts'

async function openWatching() {
  const world = await openRecording()
  const { url, sessionId, controlToken, clientToken, ffmpegPath } = world
  /** Lets a generated participant join, and returns its stream. */
  async function join(body: object = {}): Promise<string> {
    const joined = await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await joined.json()) as { streamId: string }).streamId
  }
  const token = await clientToken({ role: 'subscriber', connection_data: 'viewer' })
  const decode = (received: Received) => decodeReceived(ffmpegPath, received)
  const measurements = async () => {
    const headers = { authorization: `Bearer ${controlToken}` }
    return (await fetch(`${url}/sandbox/sessions/${sessionId}/measurements`, { headers })).json() as Promise<unknown>
  }
  return { ...world, join, token, decode, measurements }
}

/** Waits until a subscriber has so many seconds of pictures, and reports on both kinds. */
const seconds = (received: Received, count: number) =>
  eventually(
    () => received,
    ({ video, audio }) =>
      new Set(video.packets.map(({ header }) => header.timestamp)).size >= 30 * count &&
      video.reports.length > 0 &&
      audio.reports.length > 0,
  )

/** Expects each picture to be of the time that sender reports give it, and each flash to be heard. */
function expectInSync({ pictures, firstPicture, samples, firstSample }: Decoded, place = 0): void {
  const codes = pictures.map((picture) => codeOf(picture, place))
  const first = codes[0] as number
  const legible = codes.flatMap((code, index) => (code === undefined ? [] : [{ code, expected: first + index }]))
  expect(legible.length).toBeGreaterThan(0.9 * codes.length) // those after a keyframe may be blurred
  expect(legible.map(({ code }) => code)).toEqual(legible.map(({ expected }) => expected))
  expect(Math.abs(timeOfCode(first, Date.now()) - firstPicture)).toBeLessThan(20)
  const flashes = flashOnsets(pictures, place)
    .filter((frame) => frame > 0 && frame < pictures.length - 3)
    .map((frame) => firstPicture + (frame * 1000) / 30)
  const beeps = beepOnsets(samples, place).map((second) => firstSample + second * 1000)
  expect(flashes.length).toBeGreaterThanOrEqual(1)
  for (const flash of flashes) expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThan(40)
}

function codeOf(picture: Picture, place: number): number | undefined {
  const cell = findCells(picture).get(place)
  return cell && readCellTimecode(picture, cell)
}

/** Returns the number of encoders for clients that this process runs. */
const encoders = (): number => childrenWith(' -f ivf pipe:1').length

it('a generated stream is encoded once while clients receive it, in sync by its sender reports', async () => {
  const { join, token, door, decode, call, sessionId, moderator, measurements } = await openWatching()
  const streamId = await join()
  const address = door('whep', { stream: streamId })
  const [one, other] = [await receive(address, token), await receive(address, token)]
  expect([one.status, other.status]).toEqual([201, 201])
  await Promise.all([seconds(one, 2), seconds(other, 2)])
  expect(encoders()).toBe(1)
  const measured = { streamId, connectionId: expect.any(String), video: { latencyMs: expect.any(Number) } }
  await expect.poll(measurements).toMatchObject({ count: 2, items: [measured, measured] })
  await one.leave()

  await call('muteStream', { sessionId, streamId })
  const silentFrom = Date.now() + 100
  await eventually(
    () => capturedAt(other.audio, 'audio', other.audio.packets.at(-1)?.header.timestamp ?? 0),
    (time) => time > silentFrom + 1_000,
  )
  const decoded = await decode(other)
  expectInSync({ ...decoded, pictures: decoded.pictures.slice(0, 55) })
  const silence = decoded.samples.subarray((silentFrom - decoded.firstSample) * 48)
  expect(silence.length).toBeGreaterThan(40_000)
  expect(Math.max(...silence.map(Math.abs))).toBeLessThan(50)

  await other.leave()
  await eventually(encoders, (count) => count === 0)
  const viewers = () => moderator.events.filter((event) => event.type === 'connectionDestroyed')
  await eventually(viewers, (events) => events.length === 2)

  const again = await receive(address, token)
  await seconds(again, 1)
  expect(encoders()).toBe(1)
  await call('forceDisconnect', { sessionId, connectionId: await publisherOf(moderator) })
  await eventually(viewers, (events) => events.length === 4)
  await eventually(encoders, (count) => count === 0)
})

it('the pictures of an archive and a broadcast are received while they run, and the recording is not disturbed', async () => {
  const { join, token, door, decode, call, sessionId, record, moderator } = await openWatching()
  await join({ name: 'Ada' })
  await join({ name: 'Ben' })
  let received: Received | undefined
  let broadcastSeen: Received | undefined
  const left = () =>
    moderator.events.filter((one) => one.type === 'connectionDestroyed' && one.connection.data === 'viewer').length

  /** Watches a broadcast beside the archive: with two viewers, with one, with none, and until its end. */
  async function watchBroadcast(): Promise<Received> {
    const { body, status } = await call('startBroadcast', { sessionId, outputs: { hls: {} } })
    expect(status).toBe(200)
    const address = door('whep', { output: body.id })
    const [one, other] = [await receive(address, token), await receive(address, token)]
    expect([one.status, other.status]).toEqual([201, 201])
    await Promise.all([seconds(one, 2), seconds(other, 1)])
    expect(encoders()).toBe(2) // one for both viewers of the broadcast
    await one.leave()
    await eventually(left, (count) => count === 1)
    await seconds(other, 2)
    expect(encoders()).toBe(2)
    await other.leave()
    await eventually(encoders, (count) => count === 1)
    const again = await receive(address, token)
    await seconds(again, 1)
    expect(encoders()).toBe(2)
    await call('stopBroadcast', { broadcastId: body.id })
    await eventually(left, (count) => count === 3)
    await eventually(encoders, (count) => count === 1)
    expect((await receive(address, token)).status).toBe(404)
    return one
  }
  const { pictures } = await record(4, async () => {
    const { items } = (await call('listArchives', { sessionId })).body
    received = await receive(door('whep', { output: items[0].id }), token)
    expect(received.status).toBe(201)
    await seconds(received, 2)
    expect(encoders()).toBe(1)
    broadcastSeen = await watchBroadcast()
  })
  await eventually(encoders, (count) => count === 0)
  await eventually(left, (count) => count === 4)
  for (const seen of [received as Received, broadcastSeen as Received]) expectInSync(await decode(seen))
  for (const place of [0, 1]) {
    const codes = pictures.map((picture) => codeOf(picture, place))
    expect(codes).toEqual(codes.map((_, index) => (codes[0] as number) + index))
  }
  const gone = await receive(door('whep', { output: 'none' }), token)
  expect([gone.status, JSON.parse(gone.body).detail]).toEqual([404, expect.stringContaining('running archive')])
})

/** Returns the connection of the first stream. */
const publisherOf = async (moderator: { event(type: 'streamCreated'): Promise<{ stream: object }> }) =>
  ((await moderator.event('streamCreated')).stream as { connectionId: string }).connectionId
