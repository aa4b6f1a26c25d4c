import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { openSession } from '../open-session.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000

type World = Awaited<ReturnType<typeof openSession>>
type DialledCall = Awaited<ReturnType<World['dial']>>

/** Returns the events of a call's callbacks, with their seconds since the dial. */
async function story({ callUpdates }: DialledCall) {
  const updates = await callUpdates()
  const start = Number(updates[0]?.timestamp)
  return updates.map(({ event, state, reason_code, timestamp }) => {
    return `${(Number(timestamp) - start) / 1000} ${event === 'callUpdated' ? state : (reason_code ?? event)}`
  })
}

async function streamsOf({ call, sessionId }: World) {
  const { status, body } = await call('listStreams', { sessionId })
  return status === 404 ? 0 : body.count
}

const DIALLED = ['0 callCreated', '0 DIALING']
const ANSWERED = [...DIALLED, '1 RINGING', '2 ACTIVE']

describe('createCalls', () => {
  it('has connection and stream in the session before the call is answered', async () => {
    const world = await openSession()
    const { call, sessionId, callbacksOf } = world
    const { id, connectionId, streamId, read } = await world.dial('answer')
    expect((await read()).state).toBe('DIALING')
    expect((await call('listStreams', { sessionId })).body.items).toEqual([
      { id: streamId, videoType: 'camera', name: '', layoutClassList: [] },
    ])
    expect(await callbacksOf('connection', ['connectionCreated'])).toMatchObject([{ connection: { id: connectionId } }])
    expect(await callbacksOf('stream', ['streamCreated'])).toMatchObject([{ stream: { id: streamId } }])
    expect(await callbacksOf('call', ['callCreated'])).toMatchObject([{ sessionId, call: { id, connectionId } }])
  })

  it.each([
    ['stage', 10, ANSWERED],
    ['answer', 10, ANSWERED],
    ['instant', 10, [...DIALLED, '1 ACTIVE']],
    ['busy', 10, [...DIALLED, '1 HANGUP', '1 486']],
    ['decline', 10, [...DIALLED, '1 RINGING', '3 HANGUP', '3 603']],
    ['noanswer', 100, [...DIALLED, '1 RINGING', '61 HANGUP', '61 480']],
    ['unknown', 10, [...DIALLED, '1 HANGUP', '1 404']],
    ['unreachable', 100, [...DIALLED, '32 HANGUP', '32 408']],
    ['guarded', 10, [...DIALLED, '1 HANGUP', '1 401']],
    ['silent', 600, [...ANSWERED, '300 HANGUP', '300 704']],
    ['hold', 100, [...ANSWERED, '12 ON_HOLD', '42 ACTIVE']],
    ['hold-5', 100, [...ANSWERED, '12 ON_HOLD', '17 ACTIVE']],
    ['hold-400', 600, [...ANSWERED, '12 ON_HOLD', '312 HANGUP', '312 704']],
    ['hangup', 100, [...ANSWERED, '12 HANGUP', '12 700']],
    ['hangup-30', 100, [...ANSWERED, '32 HANGUP', '32 700']],
    ['drop', 100, [...ANSWERED, '12 HANGUP', '12 703']],
    ['mute', 20, ANSWERED],
    ['manual', 600, [...DIALLED, '300 HANGUP', '300 704']],
  ])('plays the callee %s for %i s', async (user, seconds, expected) => {
    const world = await openSession()
    const dialled = await world.dial(user)
    await world.clock.advance(seconds * SECOND)
    expect(await story(dialled)).toEqual(expected)
    expect(await streamsOf(world)).toBe(expected.some((line) => line.includes('HANGUP')) ? 0 : 1)
  })

  it('reaches a guarded callee with credentials, and stores none of them', async () => {
    const world = await openSession()
    const token = await world.clientToken()
    const sip = { auth: { username: 'stage', password: 'of the callee' } }
    const dialled = await world.dial('guarded:of the uri'.replaceAll(' ', '-'), sip, token)
    await world.clock.advance(10 * SECOND)
    expect(await story(dialled)).toEqual(ANSWERED)
    const { body } = await world.send('GET', `/sandbox/sessions/${world.sessionId}/calls`)
    expect(body.items).toMatchObject([{ id: dialled.id, authenticates: true, uri: 'sip:guarded@example.com' }])
    const everything = JSON.stringify([body, await dialled.callUpdates(), world.log])
    for (const secret of ['of the callee', 'of-the-uri', token]) expect(everything).not.toContain(secret)
  })

  it('stores the parameters of the dial', async () => {
    const { dial } = await openSession()
    const sip = { from: '15551234567@example.com', headers: { 'X-Show': 'keynote' }, secure: true, video: true }
    const { read } = await dial('answer', sip)
    expect(await read()).toMatchObject({ ...sip, observeForceMute: false, authenticates: false, heard: [] })
  })

  it('takes data and layout classes from the client token', async () => {
    const { call, sessionId, clientToken, dial, callbacksOf } = await openSession()
    await dial('answer', {}, await clientToken({ connection_data: 'Ada', initial_layout_class_list: 'focus  full' }))
    expect((await call('listStreams', { sessionId })).body.items[0].layoutClassList).toEqual(['focus', 'full'])
    expect(await callbacksOf('connection', ['connectionCreated'])).toMatchObject([{ connection: { data: 'Ada' } }])
  })

  it('ends after 6 hours in all', async () => {
    const world = await openSession()
    const dialled = await world.dial('answer')
    await world.clock.advance(6 * HOUR - 1)
    expect((await dialled.read()).state).toBe('ACTIVE')
    await world.clock.advance(1)
    expect((await dialled.callUpdates()).at(-1)).toMatchObject({
      event: 'callDestroyed',
      reason_code: 705,
      reason_message: 'Max Duration',
    })
  })

  it('ends 5 minutes after all others have left, unless one returns', async () => {
    const { join, dial, clock, sessionId } = await openSession()
    const ada = await join(sessionId)
    const dialled = await dial('answer')
    await clock.advance(10 * SECOND)
    await ada.leave()
    await clock.advance(5 * MINUTE - 1)
    const bob = await join(sessionId)
    await clock.advance(10 * MINUTE)
    expect((await dialled.read()).state).toBe('ACTIVE')
    await bob.leave()
    await clock.advance(5 * MINUTE)
    expect((await dialled.callUpdates()).at(-1)).toMatchObject({ reason_code: 706, reason_message: 'Max Inactive' })
  })

  it('ends when it is disconnected by force, once', async () => {
    const world = await openSession()
    const dialled = await world.dial('answer')
    await world.clock.advance(10 * SECOND)
    const { connectionId } = dialled
    const disconnect = () => world.call('forceDisconnect', { sessionId: world.sessionId, connectionId })
    expect((await disconnect()).status).toBe(204)
    expect((await disconnect()).status).toBe(404)
    expect(await story(dialled)).toEqual([...ANSWERED, '10 HANGUP', '10 700'])
    await world.clock.advance(7 * HOUR)
    expect(await story(dialled)).toHaveLength(ANSWERED.length + 2)
    expect(await world.callbacksOf('connection', ['connectionDestroyed'])).toMatchObject([
      { reason: 'forceDisconnected' },
    ])
  })

  it('distinguishes a lost connection from a hang-up by the departure reason', async () => {
    const { dial, clock, callbacksOf } = await openSession()
    await dial('drop')
    await clock.advance(MINUTE)
    expect(await callbacksOf('connection', ['connectionDestroyed'])).toMatchObject([{ reason: 'networkDisconnected' }])
  })

  it('sends audio, and video if it has any, only while the callee is on the line', async () => {
    const seen: unknown[] = []
    const { dial, clock } = await openSession({
      media: (clock) => ({
        ...createMediaOff(clock),
        publish: ({ hasAudio, hasVideo }) => seen.push([hasAudio, hasVideo]),
        updateStream: (_sessionId, _streamId, { hasAudio, hasVideo }) => seen.push([hasAudio, hasVideo]),
      }),
    })
    await dial('hold', { video: true })
    expect(seen.splice(0)).toEqual([[false, false]])
    await clock.advance(5 * SECOND)
    expect(seen.at(-1)).toEqual([true, true])
    await clock.advance(10 * SECOND)
    expect(seen.at(-1)).toEqual([false, false])
    await clock.advance(60 * SECOND)
    expect(seen.splice(0).at(-1)).toEqual([true, true])
    await dial('answer')
    await clock.advance(5 * SECOND)
    expect(seen.at(-1)).toEqual([true, false])
  })

  it('counts as an audience for archives and keeps them running', async () => {
    const { dial, call, clock, sessionId } = await openSession()
    await dial('hangup-600')
    const { status, body } = await call('startArchive', { sessionId })
    expect(status).toBe(200)
    const read = async () => (await call('getArchive', { archiveId: body.id })).body.status
    await clock.advance(600 * SECOND)
    expect(await read()).toBe('started')
    await clock.advance(2 * SECOND + MINUTE)
    expect(await read()).toBe('available')
  })

  it('announces every forced mute to a call that observes it', async () => {
    const { dial, call, clock, sessionId, callbacksOf } = await openSession()
    const observing = await dial('answer', { observeForceMute: true })
    const deaf = await dial('answer')
    await clock.advance(5 * SECOND)
    for (const { streamId } of [observing, deaf]) await call('muteStream', { sessionId, streamId })
    expect(await callbacksOf('call', ['muteForced'])).toMatchObject([{ call: { id: observing.id } }])
    expect(await observing.read()).toMatchObject({ isMuted: true, heard: [{ speech: 'A moderator has muted you.' }] })
    expect(await deaf.read()).toMatchObject({ isMuted: true, heard: [] })
  })

  it('announces the mute at once to a call into a muted session', async () => {
    const { dial, call, sessionId } = await openSession()
    await call('muteSession', { sessionId, active: true })
    const { callUpdates, read } = await dial('answer', { observeForceMute: true })
    expect((await callUpdates()).map(({ event }) => event)).toEqual(['callCreated', 'callUpdated', 'muteForced'])
    expect(await read()).toMatchObject({ isMuted: true })
  })

  it('is disconnected after a restart of the platform, which has stored none of its secrets', async () => {
    const directory = await mkdtemp(joinPath(tmpdir(), 'sandbox-calls-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const before = await openSession({ directory })
    const token = await before.clientToken()
    const { id } = await before.dial('answer', { auth: { username: 'stage', password: 'of the callee' } }, token)
    await before.clock.advance(10 * SECOND)
    await before.sandbox.close()
    const kept = await readFile(joinPath(directory, 'sandbox.sqlite'), 'latin1')
    expect(kept).toContain(id)
    for (const secret of ['of the callee', token]) expect(kept).not.toContain(secret)
    const after = await openSession({ directory, seed: 'another', start: before.clock.now() + HOUR })
    onTestFinished(() => after.sandbox.close())
    const { body } = await after.send('GET', `/sandbox/calls/${id}`)
    expect(body).toMatchObject({ state: 'HANGUP', ending: { code: 703, message: 'Unexpected Clearing' } })
  })
})
