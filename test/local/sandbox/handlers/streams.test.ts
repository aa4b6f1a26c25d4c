import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'

describe('streamHandlers', () => {
  it('lists what is published in order of publishing, and nothing that has ended', async () => {
    const { call, join, createSession } = openSandbox()
    const sessionId = await createSession()
    const ada = await join(sessionId, { name: 'Ada' })
    await join(sessionId, { publish: false })
    const slides = await join(sessionId, { videoType: 'screen' })
    expect((await call('listStreams', { sessionId })).body).toEqual({
      count: 2,
      items: [
        { id: ada.streamId, videoType: 'camera', name: 'Ada', layoutClassList: [] },
        { id: slides.streamId, videoType: 'screen', name: '', layoutClassList: [] },
      ],
    })
    await ada.leave()
    expect((await call('listStreams', { sessionId })).body.count).toBe(1)
    expect(await call('getStream', { sessionId, streamId: ada.streamId })).toMatchObject({ status: 404 })
  })

  it('finds a stream in its own session only', async () => {
    const { call, join, createSession } = openSandbox()
    const { streamId } = await join(await createSession())
    expect(await call('getStream', { sessionId: await createSession(), streamId })).toMatchObject({ status: 404 })
  })
})
