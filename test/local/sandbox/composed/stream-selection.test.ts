import { describe, expect, it } from 'vitest'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox } from '../open-sandbox.ts'

const kinds = [
  { kind: 'archive', start: 'startArchive', read: 'getArchive', stop: 'stopArchive', change: 'changeArchiveStreams' },
  {
    kind: 'broadcast',
    start: 'startBroadcast',
    read: 'getBroadcast',
    stop: 'stopBroadcast',
    change: 'changeBroadcastStreams',
  },
] as const

async function openManual({ kind, start, read, stop, change }: (typeof kinds)[number]) {
  const witness = createMediaWitness()
  const world = openSandbox({ media: witness.media })
  const { call, join, createSession } = world
  const sessionId = await createSession()
  const ada = await join(sessionId)
  const bob = await join(sessionId)
  const { body: started } = await call(start, { sessionId, streamMode: 'manual', outputs: { hls: {} } })
  const id = { [`${kind}Id`]: started.id }
  return {
    ...{ ...world, ...witness, sessionId, ada, bob, started },
    change: (body: Record<string, unknown>) => call(change, { ...id, ...body }),
    read: async () => (await call(read, id)).body,
    stop: async () => (await call(stop, id)).body,
  }
}

describe.each(kinds)('changeChoices for an $kind', (kind) => {
  it('starts with no streams chosen', async () => {
    const { started, about } = await openManual(kind)
    expect(started).toMatchObject({ streamMode: 'manual', streams: [] })
    expect(about(started.id)[0]).toMatchObject({ with: { streams: [] } })
  })

  it('adds, toggles and removes streams, also in media', async () => {
    const { change, read, ada, bob, started, about } = await openManual(kind)
    const both = { hasAudio: true, hasVideo: true }
    expect(await change({ addStream: ada.streamId })).toEqual({ status: 204, body: '' })
    await change({ addStream: bob.streamId, hasVideo: false })
    await change({ addStream: ada.streamId, hasAudio: false })
    const chosen = [
      { streamId: ada.streamId, hasAudio: false, hasVideo: true },
      { streamId: bob.streamId, hasAudio: true, hasVideo: false },
    ]
    expect((await read()).streams).toEqual(chosen)
    expect(about(started.id).at(-1)).toMatchObject({ what: 'setStreams', with: chosen })
    await change({ addStream: ada.streamId })
    await change({ removeStream: bob.streamId })
    expect((await read()).streams).toEqual([{ streamId: ada.streamId, ...both }])
  })

  it('refuses both media off, both fields and neither', async () => {
    const { change, read, ada } = await openManual(kind)
    const off = { addStream: ada.streamId, hasAudio: false, hasVideo: false }
    for (const body of [off, { addStream: ada.streamId, removeStream: ada.streamId }, {}])
      expect(await change(body)).toMatchObject({ status: 400, body: { code: 400 } })
    expect((await read()).streams).toEqual([])
  })

  it('adds only published streams of the session, and removes only chosen ones', async () => {
    const { change, ada, bob, join, createSession } = await openManual(kind)
    const elsewhere = await join(await createSession())
    expect(await change({ addStream: elsewhere.streamId })).toMatchObject({ status: 404 })
    expect(await change({ removeStream: bob.streamId })).toMatchObject({ status: 404 })
    await change({ addStream: ada.streamId })
    await ada.leave()
    expect(await change({ addStream: ada.streamId })).toMatchObject({ status: 404 })
    expect(await change({ removeStream: ada.streamId })).toMatchObject({ status: 204 })
  })

  it('shows streams only while it is started, and accepts none after it has stopped', async () => {
    const { change, read, stop, ada } = await openManual(kind)
    await change({ addStream: ada.streamId })
    expect((await stop()).streams ?? []).toEqual([])
    expect(await read()).not.toHaveProperty('streams')
    expect(await change({ removeStream: ada.streamId })).toMatchObject({ status: 404 })
  })
})

describe('changeChoices', () => {
  it('hides the streams of an archive that is paused', async () => {
    const { read, ada, bob } = await openManual(kinds[0])
    await ada.leave()
    await bob.leave()
    const archive = await read()
    expect(archive).toMatchObject({ status: 'paused', streamMode: 'manual' })
    expect(archive).not.toHaveProperty('streams')
  })
})
