import { expect, it } from 'vitest'
import { eventually, openDoors } from './open-doors.ts'
import { publishByFfmpeg } from './publish-by-ffmpeg.ts'
import { subscribe } from './subscribe.ts'

async function openStream() {
  const world = await openDoors()
  const moderator = await world.watch()
  const ffmpeg = await publishByFfmpeg(world.door('whip'), await world.clientToken())
  const { stream } = await moderator.event('streamCreated')
  const token = await world.clientToken({ role: 'subscriber', connection_data: 'viewer' })
  return { ...world, moderator, ffmpeg, stream, token, address: world.door('whep', { stream: stream.id }) }
}

interface Measured {
  readonly items: readonly {
    readonly streamId: string
    readonly videoResolution?: string
    readonly audio?: { readonly bitrateKbps: number }
    readonly video?: { readonly bitrateKbps: number; readonly frameRate?: number }
  }[]
}

async function measurementsOf({ url, sessionId, controlToken }: Awaited<ReturnType<typeof openStream>>) {
  const headers = { authorization: `Bearer ${controlToken}` }
  return (await (await fetch(`${url}/sandbox/sessions/${sessionId}/measurements`, { headers })).json()) as Measured
}

it('libdatachannel receives by WHEP what ffmpeg publishes, without loss', async () => {
  const world = await openStream()
  const { address, token, moderator, ffmpeg, stream } = world
  const one = await subscribe(address, token)
  const other = await subscribe(address, token)
  expect([one.status, other.status]).toEqual([201, 201])
  for (const { received } of [one, other]) {
    await eventually(
      () => received,
      ({ video, audio }) => video.packets > 100 && audio.packets > 100,
    )
    expect(received.video).toMatchObject({ payloadTypes: new Set([96]), lost: 0 })
    expect(received.audio).toMatchObject({ payloadTypes: new Set([97]), lost: 0 })
    expect([received.video.ssrcs.size, received.audio.ssrcs.size]).toEqual([1, 1])
  }
  const [sent, ...seen] = (await measurementsOf(world)).items
  expect(seen).toHaveLength(2)
  expect(sent).toMatchObject({ streamId: stream.id, videoResolution: '320x240', video: { packetLoss: 0 } })
  expect(sent?.video?.frameRate).toBeGreaterThan(5)
  expect(sent?.video?.frameRate).toBeLessThan(25)
  expect(sent?.audio?.bitrateKbps).toBeGreaterThan(20)
  for (const { video } of seen) expect(video?.bitrateKbps).toBeGreaterThan(0.5 * (sent?.video?.bitrateKbps ?? 0))

  const viewers = (type: 'connectionCreated' | 'connectionDestroyed') =>
    moderator.events.filter((event) => event.type === type && event.connection.data === 'viewer')
  expect(viewers('connectionCreated')).toHaveLength(2)

  await ffmpeg.stop()
  await eventually(
    () => viewers('connectionDestroyed'),
    (events) => events.length === 2,
  )
})

it('a muted stream is forwarded without audio', async () => {
  const { call, address, token, stream, sessionId } = await openStream()
  const { received } = await subscribe(address, token)
  await eventually(
    () => received.audio.packets,
    (packets) => packets > 0,
  )
  await call('muteStream', { sessionId, streamId: stream.id })
  const before = { video: received.video.packets, audio: received.audio.packets }
  await eventually(
    () => received.video.packets,
    (packets) => packets > before.video + 100,
  )
  expect(received.audio.packets - before.audio).toBeLessThan(20) // those that were on their way
})

it('a subscriber leaves by DELETE, and cannot receive a generated stream while media is off', async () => {
  const { address, token, moderator, door, call, sessionId, controlToken, url } = await openStream()
  const { location } = await subscribe(address, token)
  await eventually(
    () => moderator.events,
    (events) => events.some((one) => one.type === 'connectionCreated' && one.connection.data === 'viewer'),
  )
  expect((await fetch(location, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  expect(await moderator.event('connectionDestroyed')).toMatchObject({
    connection: { data: 'viewer' },
    reason: 'clientDisconnected',
  })

  const joined = await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}` },
    body: '{}',
  })
  const { streamId } = (await joined.json()) as { streamId: string }
  expect((await subscribe(door('whep', { stream: streamId }), token)).status).toBe(501)
  expect((await subscribe(door('whep', { stream: 'none' }), token)).status).toBe(404)
  expect((await call('listStreams', { sessionId })).body.count).toBe(2)
})
