import { describe, expect, it } from 'vitest'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox } from '../open-sandbox.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

async function openRecording(participant = {}) {
  const world = openSandbox()
  const sessionId = await world.createSession()
  const ada = await world.join(sessionId, { name: 'Ada', ...participant })
  const { body: archive } = await world.call('startArchive', { sessionId, name: 'program', multiArchiveTag: 'program' })
  const read = async () => (await world.call('getArchive', { archiveId: archive.id })).body
  return { ...world, sessionId, ada, archive, read }
}

describe('createArchives', () => {
  it('records published streams until it is stopped, then makes the file available', async () => {
    const { call, clock, sandbox, archive, read } = await openRecording()
    expect(archive).toMatchObject({ status: 'started', duration: 0, size: 0, url: null, reason: '' })

    await clock.advance(90.4 * SECOND)
    const stopped = await call('stopArchive', { archiveId: archive.id })
    expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped', reason: 'user initiated', size: 0 } })

    await sandbox.settled()
    expect(await read()).toMatchObject({ status: 'available', reason: 'user initiated', duration: 90, size: 10_024 })
  })

  it('pauses while no client publishes, and resumes when one does', async () => {
    const { call, join, clock, sandbox, sessionId, ada, archive, read } = await openRecording()
    await join(sessionId, { publish: false })
    await clock.advance(10 * SECOND)
    await ada.leave()
    expect(await read()).toMatchObject({ status: 'paused', duration: 0 })

    await clock.advance(10 * MINUTE)
    await join(sessionId, { name: 'Bob' })
    expect(await read()).toMatchObject({ status: 'started' })

    await clock.advance(5 * SECOND)
    await call('stopArchive', { archiveId: archive.id })
    await sandbox.settled()
    expect(await read()).toMatchObject({ status: 'available', duration: 15 })
  })

  it.each(['composed', 'individual'])(
    'answers started, is paused and records nothing when %s before any client publishes',
    async (outputMode) => {
      const { media, about } = createMediaWitness()
      const world = openSandbox({ media })
      const sessionId = await world.createSession()
      await world.join(sessionId, { publish: false })
      const { body } = await world.call('startArchive', { sessionId, outputMode })
      expect(body.status).toBe('started')
      expect((await world.call('getArchive', { archiveId: body.id })).body.status).toBe('paused')
      expect(about(body.id)).toMatchObject([{ with: { isPaused: true } }])
    },
  )

  it('stops after 4 h of recording, pauses not counted', async () => {
    const { join, clock, sessionId, ada, read } = await openRecording()
    await join(sessionId, { publish: false })
    await clock.advance(4 * HOUR - 10 * MINUTE)
    await ada.leave()
    await clock.advance(30 * MINUTE)
    expect(await read()).toMatchObject({ status: 'paused' })
    await join(sessionId)
    await clock.advance(10 * MINUTE - 1)
    expect(await read()).toMatchObject({ status: 'started' })
    await clock.advance(1)
    await clock.advance(0) // lets the file be finished
    expect(await read()).toMatchObject({ reason: 'maximum duration exceeded', duration: 14_400 })
  })

  it('stops after 12 h of recording and pauses together', async () => {
    const { join, clock, sessionId, ada, read } = await openRecording()
    await join(sessionId, { publish: false })
    let publisher = ada
    for (let half = 0; half < 12; half++) {
      await publisher.leave()
      await clock.advance(59 * MINUTE)
      publisher = await join(sessionId)
      await clock.advance(MINUTE - 1)
    }
    expect(await read()).toMatchObject({ status: 'started' })
    await clock.advance(MINUTE)
    expect(await read()).toMatchObject({ reason: 'maximum duration exceeded', duration: 12 * 60 })
  })

  it('stops 60 min after the last client stopped publishing', async () => {
    const { join, clock, sessionId, ada, read } = await openRecording()
    await join(sessionId, { publish: false })
    await ada.leave()
    await clock.advance(HOUR - 1)
    expect(await read()).toMatchObject({ status: 'paused' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ reason: 'maximum idle time exceeded' })
  })

  it('stops 60 s after the last client left, unless one returns', async () => {
    const { join, clock, sessionId, ada, read } = await openRecording()
    await ada.leave()
    await clock.advance(59 * SECOND)
    const bob = await join(sessionId)
    await clock.advance(10 * MINUTE)
    expect(await read()).toMatchObject({ status: 'started' })
    await bob.leave()
    await clock.advance(MINUTE - 1)
    expect(await read()).toMatchObject({ status: 'paused' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ reason: 'session ended' })
  })
})
