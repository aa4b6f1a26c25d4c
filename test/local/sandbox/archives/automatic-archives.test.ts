import { describe, expect, it } from 'vitest'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox, START } from '../open-sandbox.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

async function openSession() {
  const witness = createMediaWitness()
  const world = openSandbox({ media: witness.media })
  const sessionId = await world.createSession({ archiveMode: 'always' })
  /** Oldest first. */
  const archives = async () => (await world.call('listArchives', { sessionId })).body.items.reverse()
  return { ...world, ...witness, sessionId, archives }
}

describe('subscribeAutomaticArchives', () => {
  it('records from the first client that publishes', async () => {
    const { join, clock, sessionId, archives } = await openSession()
    await join(sessionId, { publish: false })
    expect(await archives()).toEqual([])
    await clock.advance(MINUTE)
    await join(sessionId)
    await join(sessionId)
    expect(await archives()).toMatchObject([
      {
        createdAt: START + MINUTE,
        status: 'started',
        outputMode: 'composed',
        streamMode: 'auto',
        resolution: '640x480',
        hasAudio: true,
        hasVideo: true,
      },
    ])
  })

  it('records a session of archiveMode manual only on request', async () => {
    const { join, call, createSession } = await openSession()
    const sessionId = await createSession({ archiveMode: 'manual' })
    await join(sessionId)
    expect((await call('listArchives', { sessionId })).body.count).toBe(0)
  })

  it('continues in consecutive files of 4 h without a gap', async () => {
    const { join, clock, sandbox, sessionId, archives, calls } = await openSession()
    const ada = await join(sessionId)
    await clock.advance(9 * HOUR)
    await ada.leave()
    await clock.advance(MINUTE)
    await sandbox.settled()
    const files = await archives()
    expect(files).toMatchObject([
      { createdAt: START, duration: 14_400, reason: 'maximum duration exceeded', status: 'available' },
      { createdAt: START + 4 * HOUR, duration: 14_400, reason: 'maximum duration exceeded', status: 'available' },
      { createdAt: START + 8 * HOUR, duration: 3_600, reason: 'session ended', status: 'available' },
    ])
    const at = (what: string) => calls.filter((one) => one.what === what).map(({ at }) => at)
    expect(at('startArchive').slice(1)).toEqual(at('finish').slice(0, 2))
  })

  it('pauses while no client publishes, and counts only recorded time', async () => {
    const { join, clock, sessionId, archives } = await openSession()
    const ada = await join(sessionId)
    await join(sessionId, { publish: false })
    await clock.advance(3 * HOUR)
    await ada.leave()
    await clock.advance(30 * MINUTE)
    expect(await archives()).toMatchObject([{ status: 'paused' }])
    await join(sessionId)
    await clock.advance(HOUR)
    expect(await archives()).toMatchObject([
      { createdAt: START, reason: 'maximum duration exceeded' },
      { createdAt: START + 4.5 * HOUR, status: 'started' },
    ])
  })

  it('starts again when a client publishes after an idle hour or the end of the session', async () => {
    const { join, clock, sessionId, archives } = await openSession()
    const ada = await join(sessionId)
    const watcher = await join(sessionId, { publish: false })
    await ada.leave()
    await clock.advance(HOUR)
    const bob = await join(sessionId)
    await bob.leave()
    await watcher.leave()
    await clock.advance(MINUTE)
    await join(sessionId)
    expect(await archives()).toMatchObject([
      { reason: 'maximum idle time exceeded' },
      { reason: 'session ended' },
      { status: 'started', reason: '' },
    ])
  })

  it('is not stopped by stopArchive while it can run', async () => {
    const { join, call, clock, sessionId, archives } = await openSession()
    const ada = await join(sessionId)
    const archiveId = (await archives())[0].id
    expect(await call('stopArchive', { archiveId })).toMatchObject({ status: 200, body: { status: 'started' } })
    await ada.leave()
    expect(await call('stopArchive', { archiveId })).toMatchObject({ status: 200, body: { status: 'paused' } })
    await clock.advance(MINUTE)
    expect(await call('stopArchive', { archiveId })).toMatchObject({ status: 409 })
  })

  it('runs beside archives that have a tag', async () => {
    const { join, call, sessionId, archives } = await openSession()
    await join(sessionId, { publish: false })
    const start = async (multiArchiveTag?: string) =>
      (await call('startArchive', { sessionId, multiArchiveTag })).status
    expect([await start(), await start('mine')]).toEqual([409, 200])
    await join(sessionId)
    expect([await start(), await start('mine'), await start('other')]).toEqual([409, 409, 200])
    expect(await archives()).toMatchObject([
      { multiArchiveTag: 'mine' },
      { status: 'started' },
      { multiArchiveTag: 'other' },
    ])
  })

  it('accepts another layout, but no streams', async () => {
    const { join, call, sessionId, archives, about } = await openSession()
    const { streamId } = await join(sessionId)
    const archiveId = (await archives())[0].id
    expect(await call('setArchiveLayout', { archiveId, type: 'pip' })).toMatchObject({ status: 200 })
    expect(about(archiveId).at(-1)).toMatchObject({ what: 'setLayout', with: { type: 'pip' } })
    expect(await call('changeArchiveStreams', { archiveId, addStream: streamId })).toMatchObject({ status: 405 })
  })

  it('fails only in its record when its recorder does not start', async () => {
    const world = openSandbox({
      media: (clock) => ({
        ...createMediaOff(clock),
        startArchive: () => Promise.reject(new Error('no encoder')),
      }),
    })
    const sessionId = await world.createSession({ archiveMode: 'always' })
    await world.join(sessionId)
    await world.sandbox.settled()
    expect((await world.call('listArchives')).body.items).toMatchObject([{ status: 'failed', reason: 'failure' }])
  })
})
