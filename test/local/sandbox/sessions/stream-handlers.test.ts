import { describe, expect, it } from 'vitest'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox } from '../open-sandbox.ts'

async function openSession() {
  const witness = createMediaWitness()
  const world = openSandbox({ media: witness.media })
  const sessionId = await world.createSession()
  const ada = await world.join(sessionId, { name: 'Ada' })
  const bob = await world.join(sessionId, { name: 'Bob' })
  /** Returns whether media has a stream's audio on, by the last call. */
  const isAudible = (streamId: string | undefined) => {
    const update = witness.about(streamId).at(-1)?.with as { hasAudio: boolean } | undefined
    return update?.hasAudio
  }
  const mute = (args: Record<string, unknown>) => world.call('muteSession', { sessionId, ...args })
  return { ...world, ...witness, sessionId, ada, bob, isAudible, mute }
}

describe('streamHandlers', () => {
  it('lists published streams in order of publishing, and none that has ended', async () => {
    const { call, join, createSession } = openSandbox()
    const sessionId = await createSession()
    const ada = await join(sessionId, { name: 'Ada', layoutClasses: ['focus', 'host'] })
    await join(sessionId, { publish: false })
    const slides = await join(sessionId, { videoType: 'screen' })
    expect((await call('listStreams', { sessionId })).body).toEqual({
      count: 2,
      items: [
        { id: ada.streamId, videoType: 'camera', name: 'Ada', layoutClassList: ['focus', 'host'] },
        { id: slides.streamId, videoType: 'screen', name: '', layoutClassList: [] },
      ],
    })
    await ada.leave()
    expect((await call('listStreams', { sessionId })).body.count).toBe(1)
    expect(await call('getStream', { sessionId, streamId: ada.streamId })).toMatchObject({ status: 404 })
  })

  it('finds a stream only in its own session', async () => {
    const { call, join, createSession } = openSandbox()
    const { streamId } = await join(await createSession())
    const elsewhere = { sessionId: await createSession(), streamId }
    expect(await call('getStream', elsewhere)).toMatchObject({ status: 404 })
    expect(await call('muteStream', elsewhere)).toMatchObject({ status: 404 })
  })

  describe('layout classes', () => {
    it('are set for several streams at once, and reach media', async () => {
      const { call, about, sessionId, ada, bob } = await openSession()
      const items = [
        { id: ada.streamId, layoutClassList: ['full'] },
        { id: bob.streamId, layoutClassList: [] },
      ]
      expect(await call('setStreamLayoutClasses', { sessionId, items })).toEqual({ status: 200, body: {} })
      expect((await call('getStream', { sessionId, streamId: ada.streamId })).body.layoutClassList).toEqual(['full'])
      expect(about(ada.streamId).at(-1)).toMatchObject({ what: 'updateStream', with: { layoutClasses: ['full'] } })
    })

    it('are set for all streams named or for none', async () => {
      const { call, sessionId, ada } = await openSession()
      for (const id of ['00000000-0000-4000-8000-000000000000', 'camera']) {
        const items = [
          { id: ada.streamId, layoutClassList: ['full'] },
          { id, layoutClassList: ['full'] },
        ]
        expect(await call('setStreamLayoutClasses', { sessionId, items })).toMatchObject({ status: 400 })
      }
      expect((await call('getStream', { sessionId, streamId: ada.streamId })).body.layoutClassList).toEqual([])
    })

    it.each([{}, { items: [] }, { items: [{ id: 'a' }] }, { items: 'all' }])('refuses %j', async (body) => {
      const { call, sessionId } = await openSession()
      expect(await call('setStreamLayoutClasses', { sessionId, ...body })).toMatchObject({ status: 400 })
    })
  })

  describe('mutes', () => {
    it('silence one stream and answer with the project, without its secret', async () => {
      const { call, apiKey, apiSecret, sessionId, ada, bob, isAudible } = await openSession()
      const { body } = await call('muteStream', { sessionId, streamId: ada.streamId })
      expect(body).toMatchObject({ id: apiKey, status: 'ACTIVE' })
      expect(JSON.stringify(body)).not.toContain(apiSecret)
      expect([isAudible(ada.streamId), isAudible(bob.streamId)]).toEqual([false, true])
    })

    it('silence every stream of a session except those excluded, now and later', async () => {
      const { mute, join, sessionId, ada, bob, isAudible } = await openSession()
      const { status, body } = await mute({ active: true, excludedStreamIds: [ada.streamId] })
      expect({ status, secret: body.secret }).toEqual({ status: 200, secret: undefined })
      const late = await join(sessionId)
      expect([ada, bob, late].map(({ streamId }) => isAudible(streamId))).toEqual([true, false, false])
    })

    it('end only for streams published afterwards', async () => {
      const { mute, join, sessionId, ada, bob, isAudible } = await openSession()
      await mute({ active: true })
      await mute({ active: false, excludedStreamIds: [ada.streamId] })
      const late = await join(sessionId)
      expect([ada, bob, late].map(({ streamId }) => isAudible(streamId))).toEqual([false, false, true])
    })

    it('leave other sessions alone', async () => {
      const { mute, join, createSession, isAudible } = await openSession()
      await mute({ active: true })
      expect(isAudible((await join(await createSession())).streamId)).toBe(true)
    })

    it.each(['excludedStreamIds', 'excludedStreams', 'excudedStreamIds'])('take exclusions as %s', async (name) => {
      const { mute, ada, bob, isAudible } = await openSession()
      expect((await mute({ active: true, [name]: [ada.streamId] })).status).toBe(200)
      expect([ada, bob].map(({ streamId }) => isAudible(streamId))).toEqual([true, false])
    })

    it('take active as a string, as the Ruby SDK sends it', async () => {
      const { mute, join, sessionId, ada, isAudible } = await openSession()
      expect((await mute({ active: 'true' })).status).toBe(200)
      expect(isAudible(ada.streamId)).toBe(false)
      expect((await mute({ active: 'false' })).status).toBe(200)
      expect(isAudible((await join(sessionId)).streamId)).toBe(true)
    })

    it('need no body', async () => {
      const { send, apiKey, sessionId, ada, isAudible } = await openSession()
      const path = `/v2/project/${apiKey}/session/${sessionId}/mute`
      expect(await send('POST', path, { headers: { 'content-type': 'application/json' } })).toMatchObject({
        status: 200,
      })
      expect(isAudible(ada.streamId)).toBe(false)
    })

    it.each([
      {},
      { active: null },
      { Active: false },
      { muted: false },
      { active: 'yes' },
      { active: 1 },
      { excludedStreamIds: [] },
      { active: true, excludedStreamIds: 'all' },
      { active: true, excludedStreams: 'all' },
    ])('refuse %j and mute no stream', async (body) => {
      const { mute, ada, isAudible } = await openSession()
      expect(await mute(body)).toMatchObject({ status: 400 })
      expect(isAudible(ada.streamId)).toBe(true)
    })
  })
})
