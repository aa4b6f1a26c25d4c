import { Hono } from 'hono'
import type { Clock, Timer } from '../../../lib/clock.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { MeasuredTrack, StreamMeasurement } from '../state/spans.ts'
import type { Store } from '../state/store.ts'

/** Counts of the packets of a track since its start, by RTP and RTCP. */
export interface TrackCounters {
  /** Bytes of payload. */
  readonly bytes: number
  /** Packets that should have arrived, and those of them that did not. */
  readonly expected: number
  readonly lost: number
  /** As Insights name it; absent if the stream was published with it. */
  readonly codec?: string | undefined
  /** Pictures; absent for audio. */
  readonly frames?: number | undefined
  /** As RTCP reports it now (RFC 3550, 6.4.1); absent if the other side measures it. */
  readonly jitterMs?: number | undefined
  /** Half of the round-trip time; absent if it is not known. */
  readonly latencyMs?: number | undefined
}

export interface Counters {
  readonly audio?: TrackCounters | undefined
  readonly video?: TrackCounters | undefined
  /** Width and height such as 1280x720. */
  readonly videoResolution?: string | undefined
}

export type Measurements = ReturnType<typeof createMeasurements>

interface Followed {
  readonly subject: string
  readonly sessionId: string
  readonly since: number
  readonly measure: () => Pick<StreamMeasurement, 'audio' | 'video' | 'videoResolution'>
}

const INTERVAL = limits.statisticsInterval.value * 1000

/** Measures the streams of WebRTC clients and phones in intervals of 30 s, from which Insights take their samples. */
export function createMeasurements({ store, clock }: { store: Store; clock: Clock }) {
  const followed = new Set<Followed>()
  const stops = new Set<() => void>()

  /** @param start milliseconds since the epoch from which Insights count the intervals */
  function follow(subject: string, sessionId: string, start: number, read: () => Counters): () => void {
    let timer: Timer
    let current: Followed
    const begin = () => {
      const [since, before] = [clock.now(), read()]
      const index = Math.floor((since - start) / INTERVAL)
      current = { subject, sessionId, since, measure: () => difference(before, read(), clock.now() - since) }
      followed.add(current)
      timer = clock.at(start + (index + 1) * INTERVAL, () => {
        const id = `${subject}/${index}`
        if (!store.measurements.get(id)) store.measurements.insert({ id, sessionId, ...current.measure() })
        followed.delete(current)
        begin()
      })
    }
    begin()
    const stop = () => {
      timer.cancel()
      followed.delete(current)
      stops.delete(stop)
    }
    stops.add(stop)
    return stop
  }

  const routes = new Hono<Variables>()
  routes.get('/sandbox/sessions/:sessionId/measurements', (c) => {
    c.set('operation', 'listMeasurements')
    const sessionId = c.req.param('sessionId')
    if (!store.sessions.get(sessionId)) throw new Refusal(404, 'Session not found')
    const items = [...followed]
      .filter((one) => one.sessionId === sessionId)
      .map(({ subject, since, measure }) => {
        const [streamId, connectionId] = subject.split('/').reverse()
        return { streamId, ...(connectionId !== undefined && { connectionId }), since, ...measure() }
      })
    return c.json({ count: items.length, items })
  })

  return {
    /** Measures what a publisher sends, until the returned function is called. */
    ofStream: ({ id, sessionId, createdAt }: StreamRecord, read: () => Counters) =>
      follow(id, sessionId, createdAt, read),
    /** Measures what a client receives of a stream, until the returned function is called. */
    ofSubscription({ id, sessionId, createdAt }: ConnectionRecord, streamId: string, read: () => Counters) {
      const stream = store.streams.get(streamId)
      return follow(`${id}/${streamId}`, sessionId, Math.max(createdAt, stream?.createdAt ?? 0), read)
    },
    /** `GET /sandbox/sessions/{session_id}/measurements`: the current interval of each stream. */
    routes,
    /** Stops all measuring: the records are closed next. */
    close() {
      for (const stop of stops) stop()
    },
  }
}

function difference(before: Counters, now: Counters, ms: number) {
  const measured = (kind: 'audio' | 'video') => now[kind] && measureTrack(before[kind], now[kind], ms)
  return { audio: measured('audio'), video: measured('video'), videoResolution: now.videoResolution }
}

function measureTrack(before: TrackCounters | undefined, now: TrackCounters, ms: number): MeasuredTrack {
  const expected = now.expected - (before?.expected ?? 0)
  const lost = Math.max(0, now.lost - (before?.lost ?? 0)) // what arrives late is no longer lost
  return {
    bitrateKbps: ms > 0 ? round((8 * (now.bytes - (before?.bytes ?? 0))) / ms) : 0,
    packetLoss: expected > 0 ? round(Math.min(1, lost / expected)) : 0,
    jitterMs: now.jitterMs,
    latencyMs: now.latencyMs,
    codec: now.codec,
    frameRate:
      now.frames === undefined ? undefined : ms > 0 ? round((1000 * (now.frames - (before?.frames ?? 0))) / ms) : 0,
  }
}

const round = (value: number) => Math.round(value * 1_000) / 1_000
