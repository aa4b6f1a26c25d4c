import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { decodeAudio } from '../../../support/media/decode.ts'
import { peakOf } from '../../../support/media/tones.ts'
import { startBaresip } from '../../../support/sip/baresip.ts'
import { openSession } from '../open-session.ts'
import { openPhoneRoom, PATIENCE } from './open-phone-room.ts'
import { startSkippingClock } from './skipping-clock.ts'

const RATE = 48_000
/** Hertz of the falling notes by which a phone learns that it is muted. */
const CHIME = [660, 440] as const

/** Starts a broadcast in a room, and returns a function that listens to it. */
async function startListening(room: Awaited<ReturnType<typeof openPhoneRoom>>) {
  const { call, sessionId, sandbox, directory, ffmpegPath } = room
  const started = await call('startBroadcast', { sessionId, outputs: { hls: {} } })
  const playlist = started.body.broadcastUrls.hls
  const read = async (url: string) => {
    const answer = await sandbox.fetch(new Request(url))
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }
  /** Returns the audio of the last segment. */
  async function listen(): Promise<Int16Array> {
    const lines = `${await read(playlist)}`.split('\n')
    const map = lines.map((line) => /^#EXT-X-MAP:URI="([^"]+)"/.exec(line)?.[1]).find((uri) => uri !== undefined)
    const segment = lines.filter((line) => line !== '' && !line.startsWith('#')).at(-1)
    if (!segment) throw new Error(`The playlist has no segment: ${lines.join('\n')}`)
    const parts = [map, segment].flatMap((uri) => (uri === undefined ? [] : read(`${new URL(uri, playlist)}`)))
    const path = join(directory, 'segment')
    await writeFile(path, Buffer.concat(await Promise.all(parts)))
    return decodeAudio(ffmpegPath, path)
  }
  /** Waits for a segment at whose end exactly these of the tones are heard. */
  return (tones: Readonly<Record<number, boolean>>) =>
    vi.waitFor(
      async () => {
        const end = (await listen()).slice(-RATE / 2, -RATE / 4)
        const heard = Object.keys(tones).map((hertz) => [hertz, peakOf(end, Number(hertz)) > 1_000])
        expect(Object.fromEntries(heard)).toEqual(tones)
      },
      { ...PATIENCE, interval: 500 },
    )
}

describe('a phone in a session', () => {
  it('is in broadcasts, in the list of streams, and is muted with and without observing it', async () => {
    await using room = await openPhoneRoom()
    const { openPhone, dial, call, sessionId, callbacksOf } = room
    const [plain, observing] = [await openPhone({ sends: 1_000 }), await openPhone({ sends: 1_400 })]
    const [unaware, aware] = [await dial(plain), await dial(observing, { observeForceMute: true })]
    for (const called of [unaware, aware]) await called.until('ACTIVE')
    const untilHeard = await startListening(room)
    await untilHeard({ 1000: true, 1400: true })
    const described = { videoType: 'camera', name: '', layoutClassList: [] }
    const { items } = (await call('listStreams', { sessionId })).body
    expect(items).toEqual([unaware, aware].map(({ streamId }) => ({ id: streamId, ...described })))
    expect((await call('getStream', { sessionId, streamId: aware.streamId })).body).toMatchObject(described)

    const muted = await call('muteSession', { sessionId, active: true, excludedStreamIds: [unaware.streamId] })
    expect(muted.status).toBe(200)
    await untilHeard({ 1000: true, 1400: false })
    expect(await aware.read()).toMatchObject({ isMuted: true, heard: [{ speech: 'A moderator has muted you.' }] })
    expect(await unaware.read()).toMatchObject({ isMuted: false, heard: [] })
    for (const key of ['*', '6']) await observing.run('sndcode', key)
    await untilHeard({ 1000: true, 1400: true })

    await call('muteStream', { sessionId, streamId: unaware.streamId })
    for (const key of ['*', '6']) await plain.run('sndcode', key)
    await untilHeard({ 1000: false, 1400: true })
    expect(await unaware.read()).toMatchObject({ isMuted: true, heard: [] })
    expect(await callbacksOf('call', ['muteForced'])).toMatchObject([{ call: { id: aware.id } }])
    const [heardByPlain, heardByObserving] = [await plain.end(), await observing.end()]
    expect(CHIME.map((hertz) => hasTone(heardByPlain, hertz))).toEqual([false, false])
    expect(CHIME.map((hertz) => hasTone(heardByObserving, hertz))).toEqual([true, true])
  })

  it('is in Insights with what it has sent', async () => {
    const { clock, skip, stop } = startSkippingClock()
    const world = await openSession({ clock })
    const phone = await startBaresip({ codec: 'opus' })
    onTestFinished(async () => {
      await world.sandbox.close()
      await phone.close()
      stop()
    })
    const { sessionId, send, call, apiKey } = world
    const token = await world.clientToken({ exp: clock.now() / 1000 + 3600 })
    const { streamId, read } = await world.dial('', { uri: phone.uri }, token)
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'ACTIVE' }), PATIENCE)
    await vi.waitFor(async () => {
      const { items } = (await send('GET', `/sandbox/sessions/${sessionId}/measurements`)).body
      expect(items).toMatchObject([{ streamId, audio: { codec: 'OPUS' } }])
      expect(items[0].audio.bitrateKbps).toBeGreaterThan(1)
    }, PATIENCE)
    for (let minute = 0; minute < 6; minute++) await skip(60_000)
    const samples = 'resources { hasAudio hasVideo audioBitrateKbps audioCodec videoCodec }'
    const streams = `publishers { resources { stream { streamId } streamStatsCollection { ${samples} } } }`
    const sessions = `sessions(sessionIds: "${sessionId}") { resources { meetings { resources { ${streams} } } } }`
    const query = `{ project(projectId: ${apiKey}) { sessionData { ${sessions} } } }`
    const { data } = (await call('queryInsights', { query })).body
    const [publisher] = data.project.sessionData.sessions.resources[0].meetings.resources[0].publishers.resources
    expect(publisher.stream).toEqual({ streamId })
    const [sample] = publisher.streamStatsCollection.resources
    expect(sample).toMatchObject({ hasAudio: true, hasVideo: false, audioCodec: 'OPUS', videoCodec: null })
    expect(sample.audioBitrateKbps).toBeGreaterThan(0)
  })
})

/** Returns true if a tenth of a second of what a phone has heard has a tone. */
function hasTone({ samples, rate }: { readonly samples: Int16Array; readonly rate: number }, hertz: number): boolean {
  const length = rate / 10
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  ).some((part) => peakOf(part, hertz, rate) > 2_000)
}
