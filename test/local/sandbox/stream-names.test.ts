import { describe, expect, it, onTestFinished } from 'vitest'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { createMemory } from '../../../local/sandbox/archives/memory.ts'
import type { StatusChange } from '../../../local/sandbox/callbacks/status-changes.ts'
import type { LogLine } from '../../../local/sandbox/http/router.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { secrecy } from '../../support/secrecy/per-file.ts'
import type { WorldOptions } from './open-sandbox.ts'
import { openSession } from './open-session.ts'

/** A secret that permits publishing. The output of this file's tests must not contain it either. */
const KEY = 'stream-name-that-nobody-else-may-see'
secrecy.keep('a stream name', KEY)

const target = (id: string, host: string) => ({ id, serverUrl: `rtmp://${host}/app`, streamName: KEY })
const rtmp = [target('taken', 'live.example'), target('refused', 'nowhere.invalid')]
/** Operations that answer with a running broadcast, and so repeat the parameters of its start. */
const REPEATING: ReadonlySet<string> = new Set(['startBroadcast', 'listBroadcasts', 'getBroadcast'])

/** Opens a sandbox with a running broadcast, and collects its output so far, by place. */
async function openBroadcast(options: WorldOptions = {}) {
  const memory = createMemory()
  onTestFinished(memory.close)
  const log: LogLine[] = []
  const changes: StatusChange[] = []
  const world = await openSession({
    memory,
    log: (line) => log.push(line),
    onStatusChange: (change) => changes.push(change),
    ...options,
  })
  const { sessionId } = world
  const { streamId } = await world.join(sessionId)
  const start = { sessionId, outputs: { hls: {}, rtmp }, streamMode: 'manual', multiBroadcastTag: 'main' }
  const started = await world.call('startBroadcast', start)
  await world.clock.advance(2_000) // one output is live and one offline
  const history = () => memory.store.spans.find()
  return { ...world, log, changes, history, streamId, start, started, broadcastId: started.body.id as string }
}

/** Removes `broadcastUrls.rtmp`, the one place at which a running broadcast repeats the name. */
function withoutRepetition(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutRepetition)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'rtmp' ? withoutNames(inner) : withoutRepetition(inner),
    ]),
  )
}

const withoutNames = (outputs: object) =>
  Object.values(outputs).map(({ streamName, ...output }) => {
    expect(streamName).toBe(KEY)
    return output
  })

const expectNone = (what: unknown, message?: string) => expect(JSON.stringify(what), message).not.toContain(KEY)

describe('the name of a stream', () => {
  it('is only in the answers of operations that repeat the parameters of a broadcast, once each', async () => {
    const { call, sessionId, streamId, broadcastId, started } = await openBroadcast()
    expect(JSON.stringify(started.body)).toContain(KEY)
    expectNone(withoutRepetition(started.body))
    const ids = { sessionId, streamId, broadcastId, addStream: streamId, removeStream: undefined }
    const names = (Object.keys(operations) as OperationName[]).filter((name) => name !== 'stopBroadcast')
    for (const name of [...names, 'stopBroadcast', 'getBroadcast', 'listBroadcasts', 'stopBroadcast'] as const) {
      const example: Readonly<Record<string, unknown>> = operations[name].example.request
      const { body } = await call(name, { ...example, ...ids })
      expectNone(REPEATING.has(name) ? withoutRepetition(body) : body, name)
    }
    expectNone((await call('getBroadcast', { broadcastId })).body)
  })

  it('is in no refusal', async () => {
    const { call, send, start, apiKey } = await openBroadcast()
    const many = Array.from({ length: 6 }, (_, index) => target(String(index), 'live.example'))
    const another = { ...start, multiBroadcastTag: 'another' }
    for (const wrong of [
      { ...another, sessionId: KEY },
      { ...another, [KEY]: KEY, resolution: KEY },
      { ...another, outputs: { rtmp: many } },
      { ...another, outputs: { rtmp: [...rtmp, ...rtmp] } },
      { ...another, outputs: { rtmp: KEY } },
      { ...another, outputs: { rtmp: { ...rtmp[0], serverUrl: KEY } } },
      { ...another, outputs: { rtmp: [{ ...rtmp[0], serverUrl: `rtmp:${KEY}` }] } },
      { ...another, outputs: { rtmp: { ...rtmp[0], streamName: [KEY] } } },
      start, // its tag is taken
    ]) {
      const { status, body } = await call('startBroadcast', wrong)
      expect([status, body.message]).toEqual([expect.toBeOneOf([400, 404, 409]), expect.any(String)])
      expectNone(body)
    }
    const half = JSON.stringify(start).slice(0, -1)
    const cut = await send('POST', `/v2/project/${apiKey}/broadcast`, { body: half })
    expect(cut).toMatchObject({ status: 400 })
    expectNone(cut.body)
  })

  it('is in no error of a broadcaster that does not start', async () => {
    const media: WorldOptions['media'] = (clock) => ({
      ...createMediaOff(clock),
      startBroadcast: (spec) => Promise.reject(new Error(`It broke over ${JSON.stringify(spec)}.`)),
    })
    const { started, log } = await openBroadcast({ media })
    expect(started.status).toBe(500)
    expectNone([started.body, log])
  })

  it('is in no line of the log, no change of a status, no record of the history and nothing of the control interface', async () => {
    const { call, send, log, changes, history, broadcastId, streamId, sessionId, apiKey } = await openBroadcast()
    await call('setBroadcastLayout', { broadcastId, type: 'pip' })
    await call('changeBroadcastStreams', { broadcastId, addStream: streamId })
    await call('stopBroadcast', { broadcastId })
    for (const path of [
      `/sandbox/projects/${apiKey}/callbacks`,
      '/sandbox/faults',
      `/sandbox/sessions/${sessionId}/calls`,
    ])
      expectNone(await send('GET', path))
    expect(log.some(({ operation }) => operation === 'startBroadcast')).toBe(true)
    expect(changes.filter(({ kind }) => kind === 'broadcast')).toHaveLength(2)
    expect(history().length).toBeGreaterThan(2)
    expectNone([log, changes, history()])
  })

  it('is in callbacks only where they repeat the broadcast', async () => {
    const { call, callbacksOf, broadcastId } = await openBroadcast()
    await call('stopBroadcast', { broadcastId })
    const updates = await callbacksOf('broadcast', ['broadcast'])
    expect(updates.map(({ status }) => status)).toEqual(['started', 'started', 'started', 'stopped'])
    expectNone(updates.map(withoutRepetition))
    expectNone(updates.at(-1))
  })
})
