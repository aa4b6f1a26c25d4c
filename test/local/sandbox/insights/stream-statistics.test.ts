import { describe, expect, it } from 'vitest'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import type { WorldOptions } from '../open-sandbox.ts'
import { after, MINUTE, openInsights, openScenario } from './ask.ts'

describe('streamStatsCollection', () => {
  const statistics =
    'createdAt audioBitrateKbps videoBitrateKbps audioLatencyMs videoLatencyMs audioPacketLoss videoPacketLoss audioCodec videoCodec videoResolution'
  const ofPublishers = `publishers { resources { stream { streamId } streamStatsCollection { totalCount resources { hasAudio hasVideo ${statistics} } } } }`

  it('samples every 30 s of a stream', async () => {
    const { meetings } = await openScenario()
    const [{ publishers }] = await meetings(ofPublishers)
    const [ada, bob] = publishers.resources.map(
      (one: { streamStatsCollection: { totalCount: number; resources: unknown[] } }) => one.streamStatsCollection,
    )
    expect([ada.totalCount, bob.totalCount]).toEqual([60, 30])
    const times = ada.resources.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(Array.from({ length: 60 }, (_, index) => after((index + 1) * 30_000)))
  })

  it('has null for missing tracks and for values that are not measured', async () => {
    const { meetings } = await openScenario()
    const [{ publishers }] = await meetings(ofPublishers)
    const [ada, bob] = publishers.resources
    expect(ada.streamStatsCollection.resources[0]).toEqual({
      createdAt: after(30_000),
      hasAudio: true,
      hasVideo: true,
      audioBitrateKbps: null,
      videoBitrateKbps: null,
      audioLatencyMs: null,
      videoLatencyMs: null,
      audioPacketLoss: null,
      videoPacketLoss: null,
      audioCodec: null,
      videoCodec: null,
      videoResolution: '640x480',
    })
    expect(bob.streamStatsCollection.resources[0]).toMatchObject({
      hasAudio: true,
      hasVideo: false,
      audioBitrateKbps: null,
      videoBitrateKbps: null,
      videoResolution: null,
      videoCodec: null,
    })
  })

  it('reports the resolution and the codecs of a file', async () => {
    const file = { type: 'file', path: '/talk.mp4', format: 'mov', frames: 90, width: 1280, height: 720 } as const
    const tracks = { hasAudio: true, hasVideo: true, videoCodec: 'H264', audioCodec: 'AAC' }
    const openFile = async () => ({ ...file, ...tracks })
    const media: WorldOptions['media'] = (clock) => ({ ...createMediaOff(clock), openFile })
    const { createSession, join, find, wait } = openInsights({ media, mediaRoots: ['/'] })
    const sessionId = await createSession()
    await join(sessionId, { source: { type: 'file', path: '/talk.mp4' } })
    await wait(6 * MINUTE)
    const fields = `meetings { resources { ${ofPublishers} } }`
    const { sessions } = (
      await find(`sessionData { sessions(sessionIds: "${sessionId}") { resources { ${fields} } } }`)
    ).sessionData
    const [publisher] = sessions.resources[0].meetings.resources[0].publishers.resources
    expect(publisher.streamStatsCollection.resources[0]).toMatchObject({
      videoResolution: '1280x720',
      videoCodec: 'H264',
      audioCodec: 'AAC',
      videoBitrateKbps: null,
    })
  })

  it('returns the same samples in every query', async () => {
    const { meetings } = await openScenario()
    expect(await meetings(ofPublishers)).toEqual(await meetings(ofPublishers))
  })

  it('reports when a stream was muted', async () => {
    const { createSession, join, call, find, wait } = openInsights()
    const sessionId = await createSession()
    const { streamId } = await join(sessionId)
    await wait(MINUTE)
    await call('muteStream', { sessionId, streamId })
    await wait(10 * MINUTE)
    const { sessions } = (
      await find(
        `sessionData { sessions(sessionIds: "${sessionId}") { resources { meetings { resources { publishers { resources {
          stream { hasAudioTrack } streamStatsCollection(first: 4) { resources { hasAudio hasVideo } } } } } } } } }`,
      )
    ).sessionData
    const [publisher] = sessions.resources[0].meetings.resources[0].publishers.resources
    const sample = (hasAudio: boolean) => ({ hasAudio, hasVideo: true })
    expect(publisher.streamStatsCollection.resources).toEqual([true, false, false, false].map(sample))
    expect(publisher.stream.hasAudioTrack).toBe(true)
  })

  it('samples subscriptions as well', async () => {
    const { meetings } = await openScenario()
    const [{ subscribers }] = await meetings(
      `subscribers { resources { streamStatsCollection { totalCount resources { subscribeToAudio subscribeToVideo ${statistics} } } } }`,
    )
    const collections = subscribers.resources.map(
      (one: { streamStatsCollection: { totalCount: number } }) => one.streamStatsCollection,
    )
    expect(collections.map((one: { totalCount: number }) => one.totalCount)).toEqual([30, 40, 30, 20])
    expect(collections[0].resources[0]).toMatchObject({ createdAt: after(5.5 * MINUTE), subscribeToAudio: true })
  })

  it('is paged like every list', async () => {
    const { meetings } = await openScenario()
    const page = async (cursor = '') => {
      const args = `first: 50 ${cursor && `endCursor: "${cursor}"`}`
      const [{ publishers }] = await meetings(
        `publishers(first: 1) { pageInfo { hasNextPage } resources { streamStatsCollection(${args}) { totalCount pageInfo { hasNextPage endCursor } resources { createdAt } } } }`,
      )
      expect(publishers.pageInfo.hasNextPage).toBe(true)
      return publishers.resources[0].streamStatsCollection
    }
    const one = await page()
    const two = await page(one.pageInfo.endCursor)
    expect([one.totalCount, one.resources.length, one.pageInfo.hasNextPage]).toEqual([60, 50, true])
    expect([two.totalCount, two.resources.length, two.pageInfo.hasNextPage]).toEqual([60, 10, false])
  })
})
