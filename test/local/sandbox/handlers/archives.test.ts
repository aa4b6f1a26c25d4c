import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'

async function openSession() {
  const world = openSandbox()
  const sessionId = await world.createSession()
  await world.join(sessionId, { name: 'Ada' })
  const start = (args = {}) => world.call('startArchive', { sessionId, ...args })
  return { ...world, sessionId, start }
}

describe('archiveHandlers', () => {
  it('shows an archive as it was asked for, with the defaults filled in', async () => {
    const { start, sessionId, apiKey, clock } = await openSession()
    const { body } = await start({ name: 'program', multiArchiveTag: 'main', hasVideo: false })
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'program',
      sessionId,
      projectId: apiKey,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      duration: 0,
      hasAudio: true,
      hasVideo: false,
      outputMode: 'composed',
      resolution: '640x480',
      streamMode: 'auto',
      multiArchiveTag: 'main',
      status: 'started',
      reason: '',
      size: 0,
      url: null,
    })
  })

  it('starts a second simultaneous archive only under a tag of its own', async () => {
    const { start, call } = await openSession()
    const first = (await start({ multiArchiveTag: 'main' })).body
    expect(await start()).toMatchObject({ status: 409, body: { message: expect.stringContaining('multiArchiveTag') } })
    expect(await start({ multiArchiveTag: 'main' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('in use') },
    })
    expect(await start({ multiArchiveTag: 'backup' })).toMatchObject({ status: 200 })
    await call('stopArchive', { archiveId: first.id })
    expect(await start({ multiArchiveTag: 'main' })).toMatchObject({ status: 200 })
  })

  it('starts only one of two asked for at the same time under one tag', async () => {
    const { start } = await openSession()
    const answers = await Promise.all([start({ multiArchiveTag: 'main' }), start({ multiArchiveTag: 'main' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('uses a tag again in another session', async () => {
    const { start, call, join, createSession } = await openSession()
    await start({ multiArchiveTag: 'main' })
    const sessionId = await createSession()
    await join(sessionId)
    expect(await call('startArchive', { sessionId, multiArchiveTag: 'main' })).toMatchObject({ status: 200 })
  })

  it.each([
    [{ outputMode: 'individual' }, 'outputMode individual'],
    [{ streamMode: 'manual' }, 'streamMode manual'],
    [{ layout: { type: 'custom', stylesheet: 'stream {}' } }, 'layout.type custom'],
    [{ layout: { type: 'bestFit', screenshareType: 'pip' } }, 'layout.screenshareType'],
  ])('refuses %j, which the sandbox does not do yet', async (args, what) => {
    const { start } = await openSession()
    expect(await start(args)).toEqual({
      status: 400,
      body: { code: 400, message: `The sandbox does not support ${what} yet.` },
    })
  })

  it('lists newest first, by page and by session, with the total as the count', async () => {
    const { start, call, join, createSession, sessionId } = await openSession()
    const ids: string[] = []
    for (const tag of ['a', 'b', 'c']) ids.unshift((await start({ multiArchiveTag: tag })).body.id)
    const other = await createSession()
    await join(other)
    const last = (await call('startArchive', { sessionId: other })).body.id
    const list = async (args = {}) => {
      const { count, items } = (await call('listArchives', args)).body
      return { count, ids: items.map((item: { id: string }) => item.id) }
    }
    expect(await list()).toEqual({ count: 4, ids: [last, ...ids] })
    expect(await list({ offset: 1, count: 2 })).toEqual({ count: 4, ids: ids.slice(0, 2) })
    expect(await list({ sessionId })).toEqual({ count: 3, ids })
    expect(await list({ offset: 9 })).toEqual({ count: 4, ids: [] })
    expect(await list({ sessionId: 'none' })).toEqual({ count: 0, ids: [] })
  })
})
