import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { type Counters, createMeasurements } from '../../../../local/sandbox/insights/measurements.ts'
import { sampleOf } from '../../../../local/sandbox/insights/statistics.ts'
import type { StreamRecord } from '../../../../local/sandbox/state/records.ts'
import { createStore } from '../../../../local/sandbox/state/store.ts'
import { START } from '../open-sandbox.ts'

const SESSION = 'session'
const stream: StreamRecord = {
  ...{ id: 'stream', sessionId: SESSION, connectionId: 'publisher', createdAt: START, name: 'Ada' },
  ...{ videoType: 'camera', hasAudio: true, hasVideo: true, layoutClasses: [] },
}
const viewer = { id: 'viewer', sessionId: SESSION, createdAt: START + 10_000 }

/** A stream whose counters the test advances. */
function openMeasured() {
  const clock = createSteppedClock(START)
  const store = createStore()
  onTestFinished(() => store.close())
  store.sessions.insert({ id: SESSION, projectId: 'project', createdAt: START, routed: true })
  store.streams.insert(stream)
  const measurements = createMeasurements({ store, clock })
  let counters: Counters = { audio: { bytes: 0, expected: 0, lost: 0 }, video: { bytes: 0, expected: 0, lost: 0 } }
  /** Plays so many seconds in which both tracks transmit so many kbit/s and lose every tenth of 50 packets a second. */
  const play = async (seconds: number, kbps: { audio: number; video: number }, lost = 0.1) => {
    const next = (kind: 'audio' | 'video') => {
      const { bytes = 0, expected = 0, lost: before = 0, frames = 0 } = counters[kind] ?? {}
      return {
        bytes: bytes + (kbps[kind] * 1000 * seconds) / 8,
        expected: expected + 50 * seconds,
        lost: before + 50 * seconds * lost,
        ...(kind === 'video' ? { frames: frames + 25 * seconds, jitterMs: 3 } : { latencyMs: 20 }),
      }
    }
    counters = { audio: next('audio'), video: next('video'), videoResolution: '1280x720' }
    await clock.advance(seconds * 1000)
  }
  const measured = (subject: string, index: number) => store.measurements.get(`${subject}/${index}`)
  return { store, measurements, play, measured, read: () => counters }
}

describe('createMeasurements', () => {
  it('measures each interval of a stream on its own', async () => {
    const { measurements, play, measured, read } = openMeasured()
    const stop = measurements.ofStream(stream, read)
    await play(30, { audio: 48, video: 1_000 })
    await play(30, { audio: 32, video: 500 }, 0)
    await play(29, { audio: 1, video: 1 })
    stop()
    await play(31, { audio: 1, video: 1 })
    expect(measured('stream', 0)).toMatchObject({
      audio: { bitrateKbps: 48, packetLoss: 0.1, latencyMs: 20 },
      video: { bitrateKbps: 1_000, packetLoss: 0.1, jitterMs: 3, frameRate: 25 },
      videoResolution: '1280x720',
    })
    expect(measured('stream', 1)).toMatchObject({
      audio: { bitrateKbps: 32, packetLoss: 0 },
      video: { bitrateKbps: 500, packetLoss: 0 },
    })
    expect(measured('stream', 2)).toBeUndefined()
  })

  it('counts the intervals of a subscription from the later of stream and client', async () => {
    const { measurements, play, measured, read } = openMeasured()
    await play(15, { audio: 8, video: 8 })
    const stop = measurements.ofSubscription(viewer, stream.id, read)
    await play(24, { audio: 10, video: 100 })
    expect(measured('viewer/stream', 0)).toBeUndefined()
    await play(1, { audio: 10, video: 100 })
    expect(measured('viewer/stream', 0)).toMatchObject({ audio: { bitrateKbps: 10 }, video: { bitrateKbps: 100 } })
    stop()
  })

  it('measures nothing after it was closed', async () => {
    const { measurements, play, measured, read } = openMeasured()
    measurements.ofStream(stream, read)
    measurements.ofSubscription({ ...viewer, createdAt: START }, stream.id, read)
    measurements.close()
    await play(60, { audio: 1, video: 1 })
    expect([measured('stream', 0), measured('viewer/stream', 0)]).toEqual([undefined, undefined])
  })

  it('shows the current interval of each stream of a session', async () => {
    const { measurements, play, read } = openMeasured()
    const stops = [
      measurements.ofStream(stream, read),
      measurements.ofSubscription({ ...viewer, createdAt: START }, stream.id, read),
    ]
    await play(10, { audio: 40, video: 800 })
    const answer = await measurements.routes.request(`/sandbox/sessions/${SESSION}/measurements`)
    expect(await answer.json()).toMatchObject({
      count: 2,
      items: [
        { streamId: 'stream', since: START, video: { bitrateKbps: 800, frameRate: 25 } },
        { streamId: 'stream', connectionId: 'viewer', audio: { bitrateKbps: 40, packetLoss: 0.1 } },
      ],
    })
    for (const stop of stops) stop()
    const after = await measurements.routes.request(`/sandbox/sessions/${SESSION}/measurements`)
    expect(await after.json()).toEqual({ count: 0, items: [] })
  })
})

describe('sampleOf', () => {
  const span = {
    kind: 'stream',
    videoType: 'camera',
    ...{ id: 'stream/0', projectId: 'project', sessionId: SESSION, subject: 'stream' },
    ...{ start: START, end: START + 60_000, isOver: false, connectionId: 'publisher' },
    format: { videoResolution: '640x480', videoCodec: 'VP8', audioCodec: 'OPUS' },
    tracks: [{ at: START, hasAudio: true, hasVideo: true }],
  } as const
  const measurement = {
    ...{ id: 'stream/0', sessionId: SESSION, videoResolution: '320x180' },
    audio: { bitrateKbps: 48, packetLoss: 0.02, latencyMs: 12 },
    video: { bitrateKbps: 900, packetLoss: 0 },
  }

  it('contains what was measured, and null for the rest', () => {
    expect(sampleOf(span, span, 0, measurement)).toMatchObject({
      ...{ audioBitrateKbps: 48, audioPacketLoss: 0.02, audioLatencyMs: 12 },
      ...{ videoBitrateKbps: 900, videoPacketLoss: 0, videoLatencyMs: null, videoResolution: '320x180' },
    })
    expect(sampleOf(span, span, 0)).toMatchObject({ videoBitrateKbps: null, videoResolution: '640x480' })
  })

  it('has null for a track that the stream does not carry', () => {
    const muted = { ...span, tracks: [{ at: START, hasAudio: false, hasVideo: true }] }
    expect(sampleOf(muted, span, 0, measurement)).toMatchObject({ audioBitrateKbps: null, videoBitrateKbps: 900 })
  })
})
