import { describe, expect, it } from 'vitest'
import { joinSession } from '../../../../local/sandbox/participants/client.ts'
import { openRoom } from './open-room.ts'
import { openSocket } from './open-socket.ts'

const SECOND = 1_000

describe('participants who join', () => {
  it('receive the clients and streams of the session, and are announced to the others', async () => {
    const { join, call, clock, sessionId } = await openRoom()
    const ada = await join({ connection_data: 'Ada', initial_layout_class_list: 'focus host' })
    const stream = await ada.publish({ name: 'Ada', video: false, videoType: 'screen' })
    const bob = await join({ role: 'subscriber', connection_data: 'Bob' })
    const { connectionId, createdAt } = stream
    expect(stream).toEqual({
      ...{ id: stream.id, connectionId: ada.connectionId, createdAt: clock.now(), name: 'Ada', videoType: 'screen' },
      ...{ hasAudio: true, hasVideo: false, layoutClassList: ['focus', 'host'] },
    })
    expect(bob).toMatchObject({ role: 'subscriber', isMuted: false, streams: [stream] })
    expect(bob.connections).toEqual([{ id: connectionId, createdAt, data: 'Ada' }])
    expect((await ada.receives('connectionCreated')).connection).toMatchObject({ id: bob.connectionId, data: 'Bob' })
    expect((await call('listStreams', { sessionId })).body.items).toMatchObject([{ id: stream.id }])
  })

  it('are refused with the reason for a wrong token, session or project', async () => {
    const { url, address, sessionId, clientToken, clock, call, createSession, apiKey } = await openRoom()
    const now = clock.now() / 1000
    const refusal = async (token: string, session = sessionId) =>
      joinSession({ url, sessionId: session, token }).then(String, ({ message }) => message)
    expect(await refusal(await clientToken({}, 'of another signer'))).toBe(
      'The client token is not signed with the project’s secret.',
    )
    expect(await refusal(await clientToken({ exp: now - 60 }))).toBe('The client token has expired.')
    expect(await refusal(await clientToken({ iss: '100002' }))).toBe('The client token belongs to another project.')
    expect(await refusal(await clientToken({ role: 'owner' }))).toBe('The client token has no valid role.')
    expect(await refusal('T1==')).toBe('The client token is neither a JSON Web Token nor a T1 token.')
    expect(await refusal(await clientToken(), await createSession())).toBe(
      'The client token belongs to another session.',
    )
    expect(await refusal(await clientToken(), 'none')).toBe('Session not found')
    const valid = await clientToken()
    const socket = await openSocket(address)
    await call('refreshSecret', { apiKey })
    socket.send({ type: 'join', token: valid })
    expect(await socket.ended).toBe(1008)
  })

  it('cannot join while the project is suspended, and are disconnected when it is', async () => {
    const { join, call, apiKey } = await openRoom()
    const ada = await join()
    await call('setProjectStatus', { apiKey, status: 'SUSPENDED' })
    expect(await ada.left).toBe('forceDisconnected')
    await expect(join()).rejects.toThrow('The session’s project is suspended: clients cannot join.')
  })

  it('must send the join message first, in JSON, and within ten seconds', async () => {
    const { address, clock } = await openRoom()
    const refusalOf = async (message: unknown) => {
      const socket = await openSocket(address)
      socket.send(message)
      expect(await socket.ended).toBe(1008)
      return socket.received
    }
    expect(await refusalOf('{')).toEqual([{ type: 'refused', reason: 'The message is not valid JSON.' }])
    expect(await refusalOf(Buffer.from('{}'))).toEqual([
      { type: 'refused', reason: 'The message is binary: send text.' },
    ])
    expect(await refusalOf({ type: 'publish' })).toEqual([
      { type: 'refused', reason: expect.stringContaining('The message cannot be read: type: ') },
    ])
    const silent = await openSocket(address)
    await clock.advance(10 * SECOND)
    expect(await silent.ended).toBe(1008)
    expect(silent.received).toEqual([{ type: 'refused', reason: 'The join message did not arrive within 10 s.' }])
  })
})

describe('participants', () => {
  it('receive events of others’ streams', async () => {
    const { join, call, sessionId } = await openRoom()
    const [ada, bob] = [await join(), await join({ role: 'subscriber' })]
    const stream = await ada.publish()
    expect((await bob.receives('streamCreated')).stream).toEqual(stream)
    await call('setStreamLayoutClasses', { sessionId, items: [{ id: stream.id, layoutClassList: ['focus'] }] })
    expect((await bob.receives('streamChanged')).stream).toEqual({ ...stream, layoutClassList: ['focus'] })
    await ada.unpublish(stream.id)
    expect(await bob.receives('streamDestroyed')).toMatchObject({
      stream: { id: stream.id },
      reason: 'clientDisconnected',
    })
    await ada.leave()
    expect(await ada.left).toBe('clientDisconnected')
    expect(await bob.receives('connectionDestroyed')).toEqual({
      type: 'connectionDestroyed',
      connection: expect.objectContaining({ id: ada.connectionId }),
      reason: 'clientDisconnected',
    })
  })

  it('get signals of the server and of others, all of them or one', async () => {
    const { join, call, server, url, sessionId } = await openRoom()
    const [ada, bob] = [await join(), await join()]
    await call('signalSession', { sessionId, type: 'chat', data: 'to all' })
    await call('signalConnection', { sessionId, connectionId: bob.connectionId, data: 'to Bob' })
    await ada.signal({ type: 'wave', data: '' })
    await bob.signal({ data: 'psst' }, ada.connectionId)
    const signals = ({ received }: typeof ada) => received.filter(({ type }) => type === 'signal')
    const toAll = { type: 'signal', from: '', signal: { type: 'chat', data: 'to all' } }
    const wave = { type: 'signal', from: ada.connectionId, signal: { type: 'wave', data: '' } }
    expect(signals(ada)).toEqual([toAll, wave, { type: 'signal', from: bob.connectionId, signal: { data: 'psst' } }])
    expect(signals(bob)).toEqual([toAll, { type: 'signal', from: '', signal: { data: 'to Bob' } }, wave])
    const headers = { authorization: `Bearer ${server.controlToken}` }
    const path = `/sandbox/sessions/${sessionId}/participants/${bob.connectionId}/signals`
    const inbox = await fetch(url + path, { headers })
    expect((await inbox.json()) as object).toMatchObject({
      items: [{ from: '' }, { from: '' }, { from: ada.connectionId }],
    })
  })

  it('are muted by the API and by their own requests', async () => {
    const { join, call, sessionId } = await openRoom()
    const [ada, bob] = [await join(), await join()]
    const stream = await ada.publish()
    await call('muteStream', { sessionId, streamId: stream.id })
    expect(await ada.receives('muteForced')).toEqual({ type: 'muteForced', streamId: stream.id })
    expect((await bob.receives('streamChanged')).stream).toEqual({ ...stream, hasAudio: false })
    await ada.setAudio(stream.id, true)
    expect((await join()).streams).toEqual([stream])
    expect(bob.received.map(({ type }) => type)).not.toContain('muteForced')
  })

  it('turn their camera off and on', async () => {
    const { join } = await openRoom()
    const [ada, bob] = [await join(), await join()]
    const stream = await ada.publish()
    await ada.setVideo(stream.id, false)
    expect((await bob.receives('streamChanged')).stream).toEqual({ ...stream, hasVideo: false })
    await ada.setVideo(stream.id, true)
    expect((await join()).streams).toEqual([stream])
    const { id } = await ada.publish({ video: false })
    await expect(ada.setVideo(id, true)).rejects.toThrow('The stream was published without video.')
    await expect(bob.setVideo(id, true)).rejects.toThrow('You publish no such stream.')
  })

  it('are muted with their session except those excluded, and publish muted streams into it', async () => {
    const { join, call, sessionId } = await openRoom()
    const [ada, bob] = [await join(), await join()]
    const [loud, quiet] = [await ada.publish(), await bob.publish()]
    await call('muteSession', { sessionId, active: true, excludedStreamIds: [loud.id] })
    expect(await bob.receives('sessionMuted')).toEqual({ type: 'sessionMuted', active: true })
    expect((await bob.receives('muteForced')).streamId).toBe(quiet.id)
    const late = await join()
    expect(late).toMatchObject({ isMuted: true, streams: [{ hasAudio: true }, { hasAudio: false }] })
    expect((await late.publish()).hasAudio).toBe(false)
    await call('muteSession', { sessionId, active: false })
    expect((await late.publish()).hasAudio).toBe(true)
    expect(ada.received.map(({ type }) => type)).not.toContain('muteForced')
  })

  it('are disconnected by the API with a reason, together with their streams', async () => {
    const { join, call, sessionId } = await openRoom()
    const [ada, bob] = [await join(), await join()]
    await ada.publish()
    const { status } = await call('forceDisconnect', { sessionId, connectionId: ada.connectionId })
    expect([status, await ada.left]).toEqual([204, 'forceDisconnected'])
    expect(ada.received.at(-1)).toEqual({ type: 'disconnected', reason: 'forceDisconnected' })
    expect((await bob.receives('streamDestroyed')).reason).toBe('forceDisconnected')
    await expect(ada.publish()).rejects.toThrow('The participant has left the session.')
  })

  it('receive the problem of an invalid request, and stay connected', async () => {
    const { address, clientToken } = await openRoom()
    const socket = await openSocket(address)
    socket.send({ type: 'join', token: await clientToken() })
    for (const message of [
      '{',
      [],
      { type: 'fly', request: 1 },
      { type: 'publish', request: 2, layoutClasses: [] },
      { type: 'publish', request: 3, audio: false, video: false },
      { type: 'unpublish', request: 4, streamId: 'none' },
      { type: 'signal', request: 5, signal: { data: 'x'.repeat(8_193) } },
      { type: 'leave', request: 6 },
    ])
      socket.send(message)
    expect(await socket.ended).toBe(1000)
    const refused = (reason: unknown, request?: number) => ({ type: 'refused', ...(request && { request }), reason })
    expect(socket.received.slice(1)).toEqual([
      refused('The message is not valid JSON.'),
      refused(expect.stringContaining('the message: ')),
      refused(expect.stringContaining('type: '), 1),
      refused(expect.stringContaining('layoutClasses'), 2),
      refused('audio and video must not both be false: there is nothing to publish.', 3),
      refused('You publish no such stream.', 4),
      refused(expect.stringContaining('must not be longer than 8192 bytes'), 5),
      { type: 'disconnected', reason: 'clientDisconnected' },
    ])
  })

  it('are disconnected for too long a message', async () => {
    const { address, clientToken, join } = await openRoom()
    const ada = await join()
    const socket = await openSocket(address)
    socket.send({ type: 'join', token: await clientToken() })
    await ada.receives('connectionCreated')
    socket.send({ type: 'signal', signal: { data: 'x'.repeat(70_000) } })
    expect(await socket.ended).toBe(1009)
    expect((await ada.receives('connectionDestroyed')).reason).toBe('networkDisconnected')
  })
})

describe('roles', () => {
  it.each([
    ['subscriber', ['publish', 'send signals', 'mute others', 'mute others', 'disconnect others']],
    ['publisheronly', ['send signals', 'mute others', 'mute others', 'disconnect others']],
    ['publisher', ['mute others', 'mute others', 'disconnect others']],
    ['moderator', []],
  ])('refuse requests that a %s may not send', async (role, forbidden) => {
    const { join } = await openRoom()
    const [ada, other] = [await join(), await join({ role })]
    const { id } = await ada.publish()
    const refusals: string[] = []
    const attempt = (doing: Promise<unknown>) => doing.catch(({ message }: Error) => void refusals.push(message))
    await attempt(other.publish())
    await attempt(other.signal({ data: '' }))
    await attempt(other.forceMute(id))
    await attempt(other.forceMuteAll({ excludedStreamIds: [] }))
    await attempt(other.forceDisconnect(ada.connectionId))
    expect(refusals).toEqual(forbidden.map((what) => `The role ${role} may not ${what}.`))
    if (role === 'moderator') expect(await ada.left).toBe('forceDisconnected')
    expect(ada.received.filter(({ type }) => type === 'muteForced')).toHaveLength(role === 'moderator' ? 2 : 0)
  })

  it('report only its own streams to a client that only publishes', async () => {
    const { join } = await openRoom()
    const ada = await join()
    await ada.publish()
    const bob = await join({ role: 'publisheronly' })
    await ada.publish()
    const own = await bob.publish()
    expect(bob.streams).toEqual([])
    expect(bob.received.flatMap((event) => (event.type === 'streamCreated' ? event.stream.id : []))).toEqual([own.id])
  })

  it('refuse requests about others’ streams and about other sessions', async () => {
    const { join, createSession, clientToken } = await openRoom()
    const [ada, bob] = [await join(), await join({ role: 'moderator' })]
    const { id } = await ada.publish()
    await expect(bob.unpublish(id)).rejects.toThrow('You publish no such stream.')
    await expect(bob.setAudio(id, false)).rejects.toThrow('You publish no such stream.')
    const elsewhere = await createSession()
    const eve = await join(
      {},
      { sessionId: elsewhere, token: await clientToken({ session_id: elsewhere, role: 'moderator' }) },
    )
    await expect(eve.forceMute(id)).rejects.toThrow('The session has no such stream.')
    await expect(eve.forceDisconnect(ada.connectionId)).rejects.toThrow('The session has no such connection.')
    await expect(eve.signal({ data: '' }, ada.connectionId)).rejects.toThrow('The session has no such connection.')
  })
})
