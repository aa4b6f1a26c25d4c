import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { type SandboxServer, startSandbox } from '../../../local/sandbox/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: the SDK brings no types
type Untyped = any

/** The public server SDK from npm: an independent reading of the documented interface. */
const OpenTok: Untyped = createRequire(import.meta.url)('opentok')

/** Methods beyond the documented interface. */
const UNSPECIFIED = [
  ...['startCaptions', 'stopCaptions', 'websocketConnect'],
  ...['registerCallback', 'unregisterCallback', 'listCallbacks'],
]

let server: SandboxServer
let opentok: Untyped
const asked = new Set<string>()

beforeAll(async () => {
  server = await startSandbox({ media: createMediaOff(realClock) })
  opentok = new OpenTok(server.apiKey, server.apiSecret, server.url)
})
afterAll(() => server.close())

/** Calls the SDK and resolves with the arguments of its callback: one value, or an array of several. */
function ask(name: string, ...args: unknown[]): Promise<Untyped> {
  asked.add(name)
  return settle((callback) => opentok[name](...args, callback))
}

const settle = (call: (callback: (error: unknown, ...answers: unknown[]) => void) => void): Promise<Untyped> =>
  new Promise((resolve, reject) =>
    call((error, ...answers) => (error ? reject(error) : resolve(answers.length > 1 ? answers : answers[0]))),
  )

async function openSession(count = 1) {
  const { sessionId } = await ask('createSession', { mediaMode: 'routed' })
  const url = `${server.url}/sandbox/sessions/${sessionId}/participants`
  const headers = { authorization: `Bearer ${server.controlToken}` }
  const participants: { connectionId: string; streamId: string }[] = []
  for (let index = 0; index < count; index++)
    participants.push((await (await fetch(url, { method: 'POST', headers, body: '{"name":"Ada"}' })).json()) as Untyped)
  return { sessionId: sessionId as string, participants, participant: participants[0] as (typeof participants)[number] }
}

const streamsOf = async (sessionId: string): Promise<Untyped[]> => await ask('listStreams', sessionId)

describe('the SDK opentok, unmodified', () => {
  it('creates sessions: routed, relayed by default, with a location, with automatic archives', async () => {
    for (const options of [
      { mediaMode: 'routed', location: '127.0.0.1' },
      {},
      { mediaMode: 'routed', archiveMode: 'always' },
    ]) {
      const { sessionId } = await ask('createSession', options)
      expect(opentok.generateToken(sessionId)).toMatch(/^ey/)
    }
  })

  it('signals, mutes, classifies, lists and disconnects', async () => {
    const { sessionId, participants, participant } = await openSession(2)
    await ask('signal', sessionId, null, { type: 'chat', data: 'to all' })
    await ask('signal', sessionId, participant.connectionId, { type: 'chat', data: 'to one' })
    const classes = participants.map(({ streamId }, index) => ({
      id: streamId,
      layoutClassList: index ? [] : ['focus'],
    }))
    await ask('setStreamClassLists', sessionId, classes)
    expect(await streamsOf(sessionId)).toEqual(
      classes.map((stream) => expect.objectContaining({ ...stream, name: 'Ada', videoType: 'camera' })),
    )
    await ask('forceMuteStream', sessionId, participant.streamId)
    await ask('forceMuteAll', sessionId, { excludedStreamIds: [participant.streamId] })
    await ask('disableForceMute', sessionId)
    await ask('forceDisconnect', sessionId, participant.connectionId)
    expect(await streamsOf(sessionId)).toHaveLength(1)
  })

  it('gets the answer to getStream, which its own wrapper cannot read', async () => {
    const { sessionId, participant } = await openSession()
    asked.add('getStream')
    const stream = await settle((callback) => opentok.client.getStream(sessionId, participant.streamId, callback))
    expect(stream[0]).toMatchObject({ id: participant.streamId, name: 'Ada', layoutClassList: [] })
    await expect(ask('getStream', sessionId, participant.streamId)).rejects.toThrow(SyntaxError)
  })

  it('records: starts, lays out, lists, gets, stops and deletes', async () => {
    const { sessionId } = await openSession()
    const archive = await ask('startArchive', sessionId, { name: 'program', resolution: '1280x720', hasAudio: true })
    expect(archive).toMatchObject({ status: 'started', name: 'program', outputMode: 'composed' })
    await ask('setArchiveLayout', archive.id, 'pip', null, null)
    await ask('setArchiveLayout', archive.id, 'bestFit', null, 'verticalPresentation')
    await ask('setArchiveLayout', archive.id, 'custom', 'stream { left: 0; top: 0; width: 100%; height: 100%; }', null)
    const [archives, count] = await ask('listArchives', { sessionId, count: 10, offset: 0 })
    expect([archives[0].id, count]).toEqual([archive.id, 1])

    expect((await ask('stopArchive', archive.id)).status).toBe('stopped')
    await server.settled()
    const finished = await ask('getArchive', archive.id)
    expect(finished).toMatchObject({ status: 'available', url: expect.stringContaining(server.url) })
    expect((await fetch(finished.url)).status).toBe(200)
    await ask('deleteArchive', archive.id)
    expect((await ask('listArchives', { sessionId }))[1]).toBe(0)
  })

  it('chooses the streams of an archive', async () => {
    const { sessionId, participant } = await openSession()
    const archive = await ask('startArchive', sessionId, { streamMode: 'manual' })
    await ask('addArchiveStream', archive.id, participant.streamId, { hasVideo: false })
    expect((await ask('getArchive', archive.id)).streams).toEqual([
      { streamId: participant.streamId, hasAudio: true, hasVideo: false },
    ])
    await ask('removeArchiveStream', archive.id, participant.streamId)
    expect((await ask('getArchive', archive.id)).streams).toEqual([])
    await settle((callback) => archive.stop(callback))
  })

  it('broadcasts: starts, lays out, chooses streams, lists, gets and stops', async () => {
    const { sessionId, participant } = await openSession()
    const options = { outputs: { hls: { dvr: true } }, maxDuration: 600, streamMode: 'manual', resolution: '1280x720' }
    const broadcast = await ask('startBroadcast', sessionId, options)
    expect(broadcast).toMatchObject({ status: 'started', streamMode: 'manual', maxDuration: 600 })
    await ask('setBroadcastLayout', broadcast.id, 'verticalPresentation', null, null)
    await ask('addBroadcastStream', broadcast.id, participant.streamId, {})
    expect((await ask('getBroadcast', broadcast.id)).streams).toHaveLength(1)
    await ask('removeBroadcastStream', broadcast.id, participant.streamId)
    const [broadcasts, count] = await ask('listBroadcasts', { sessionId, count: 10, offset: 0 })
    expect([broadcasts[0].id, count]).toEqual([broadcast.id, 1])
    expect((await ask('stopBroadcast', broadcast.id)).status).toBe('stopped')
  })

  it('broadcasts to RTMP servers, one and several', async () => {
    const { sessionId } = await openSession()
    const serverUrl = 'rtmp://127.0.0.1:9/live'
    const one = await ask('startBroadcast', sessionId, { outputs: { rtmp: { serverUrl, streamName: 'a' } } })
    expect(one.broadcastUrls.rtmp).toEqual([expect.objectContaining({ serverUrl, status: 'connecting' })])
    const outputs = { hls: {}, rtmp: ['a', 'b'].map((id) => ({ id, serverUrl, streamName: id })) }
    const several = await ask('startBroadcast', sessionId, { outputs, multiBroadcastTag: 'several' })
    expect(Object.keys((await ask('getBroadcast', several.id)).broadcastUrls.rtmp)).toEqual(['a', 'b'])
    await settle((callback) => several.stop(callback))
  })

  it('records an individual archive', async () => {
    const { sessionId } = await openSession()
    const archive = await ask('startArchive', sessionId, { outputMode: 'individual' })
    expect(archive).toMatchObject({ status: 'started', outputMode: 'individual' })
    await ask('stopArchive', archive.id)
  })

  it('dials with an own token, and plays tones to all and to the callee', async () => {
    const { sessionId } = await openSession()
    const token = opentok.generateToken(sessionId, { data: 'phone', initialLayoutClassList: ['focus'] })
    const options = { from: '15551234567@example.com', headers: { 'X-Room': '7' }, secure: true, video: true }
    const call = await ask('dial', sessionId, token, 'sip:answer@example.com;transport=tls', {
      ...options,
      auth: { username: 'ada', password: 'of the callee' },
      observeForceMute: true,
    })
    expect(call).toMatchObject({ id: expect.any(String), connectionId: expect.any(String) })
    expect((await streamsOf(sessionId)).find(({ id }) => id === call.streamId)?.layoutClassList).toEqual(['focus'])
    await ask('playDTMF', sessionId, null, '1p2#')
    await ask('playDTMF', sessionId, call.connectionId, '*6')
    await ask('forceDisconnect', sessionId, call.connectionId)
  })

  it('composes scenes: starts, gets, lists and stops', async () => {
    const { sessionId } = await openSession()
    const token = opentok.generateToken(sessionId, { role: 'publisher' })
    const url = 'https://scenes.example.com/lower-third'
    const render = await ask('startRender', { sessionId, token, url })
    const { id } = Array.isArray(render) ? render[0] : render
    const first = (answer: Untyped) => (Array.isArray(answer) ? answer[0] : answer)
    expect(first(await ask('getRender', id))).toMatchObject({ id, url, sessionId })
    const { count, items } = first(await ask('listRenders', { count: 1 }))
    expect([count, items[0].id]).toEqual([1, id])
    await ask('stopRender', id)
  })

  it.each<[string, (sessionId: string) => unknown[], string]>([
    ['startArchive', () => ['none'], 'Session not found'],
    ['stopArchive', () => ['00000000-0000-4000-8000-000000000000'], 'Archive not found'],
    ['signal', (sessionId) => [sessionId, null, { type: 't'.repeat(129), data: '' }], 'Unexpected response'],
    [
      'forceDisconnect',
      (sessionId) => [sessionId, '00000000-0000-4000-8000-000000000000'],
      'Session or Connection not found',
    ],
  ])('understands why %s is refused', async (name, args, message) => {
    const { sessionId } = await openSession()
    await expect(ask(name, ...args(sessionId), ...(name === 'startArchive' ? [{}] : []))).rejects.toThrow(message)
  })

  it('reports that its secret is wrong', async () => {
    const stranger = new OpenTok(server.apiKey, 'the secret of another project', server.url)
    const list = settle((callback) => stranger.listArchives(callback))
    await expect(list).rejects.toBeInstanceOf(OpenTok.AuthError)
  })

  it('has been tested with every documented method', () => {
    const offered = [...Object.keys(opentok), ...Object.keys(OpenTok.prototype)]
    const calls = offered.filter((name) => typeof opentok[name] === 'function' && !name.startsWith('generate'))
    expect(calls.filter((name) => !asked.has(name) && !UNSPECIFIED.includes(name))).toEqual([])
  })
})
