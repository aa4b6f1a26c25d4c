import { describe, expect, it } from 'vitest'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import type { WorldOptions } from '../open-sandbox.ts'
import { after, DAY, HOUR, type Insights, MINUTE, openInsights, playScenario } from './ask.ts'

async function openScenario() {
  const world = openInsights()
  const scenario = await playScenario(world)
  await world.wait(15 * MINUTE)
  const session = async (fields: string) =>
    (await world.find(`sessionData { sessions(sessionIds: "${scenario.sessionId}") { resources { ${fields} } } }`))
      .sessionData.sessions.resources[0]
  const meetings = async (fields: string) => (await session(`meetings { resources { ${fields} } }`)).meetings.resources
  return { ...world, ...scenario, session, meetings }
}

/** Returns the report on a session with one client. */
async function openVisit(world: Insights) {
  const sessionId = await world.createSession()
  const visit = async (ms: number) => {
    const client = await world.join(sessionId)
    await world.wait(ms)
    await client.leave()
  }
  const readMeetings = async () => {
    const fields = 'createdAt destroyedAt participantMinutes'
    const { sessionData } = await world.find(
      `sessionData { sessions(sessionIds: "${sessionId}") { resources { meetings { totalCount resources { ${fields} } } } } }`,
    )
    return sessionData.sessions.resources[0].meetings.resources
  }
  return { sessionId, visit, readMeetings }
}

describe('sessions', () => {
  it('report the totals of the session', async () => {
    const { session, sessionId } = await openScenario()
    expect(
      await session('sessionId createdAt mediaMode publisherMinutes subscriberMinutes participantMinutes'),
    ).toEqual({
      sessionId,
      createdAt: after(0),
      mediaMode: 'routed',
      publisherMinutes: 45,
      subscriberMinutes: 60,
      participantMinutes: 75,
    })
  })

  it('report each meeting with its clients, streams and subscriptions', async () => {
    const { meetings, ada, bob, cleo, back } = await openScenario()
    const life = 'createdAt destroyedAt'
    const answer = await meetings(`meetingId ${life} publisherMinutes subscriberMinutes participantMinutes
      connections { totalCount maxConcurrent resources { connectionId ${life} publishers { totalCount } subscribers { totalCount } } }
      publishers { totalCount maxConcurrent resources { connectionId ${life} subscribers { totalCount }
        stream { streamId videoType hasAudioTrack hasVideoTrack } } }
      subscribers { totalCount maxConcurrent resources { connectionId ${life} stream { streamId } } }`)
    const lived = (from: number, to: number) => ({ createdAt: after(from * MINUTE), destroyedAt: after(to * MINUTE) })
    const connection = (connectionId: string, from: number, to: number, publishes: number, sees: number) => ({
      connectionId,
      ...lived(from, to),
      publishers: { totalCount: publishes },
      subscribers: { totalCount: sees },
    })
    const [a, b] = [{ streamId: ada.streamId }, { streamId: bob.streamId }]
    expect(answer).toEqual([
      {
        meetingId: expect.any(String),
        ...lived(0, 30),
        publisherMinutes: 45,
        subscriberMinutes: 60,
        participantMinutes: 65,
        connections: {
          totalCount: 3,
          maxConcurrent: 3,
          resources: [
            connection(ada.connectionId, 0, 30, 1, 1),
            connection(bob.connectionId, 5, 20, 1, 1),
            connection(cleo.connectionId, 10, 30, 0, 2),
          ],
        },
        publishers: {
          totalCount: 2,
          maxConcurrent: 2,
          resources: [
            {
              connectionId: ada.connectionId,
              ...lived(0, 30),
              subscribers: { totalCount: 2 },
              stream: { ...a, videoType: 'camera', hasAudioTrack: true, hasVideoTrack: true },
            },
            {
              connectionId: bob.connectionId,
              ...lived(5, 20),
              subscribers: { totalCount: 2 },
              stream: { ...b, videoType: 'camera', hasAudioTrack: true, hasVideoTrack: false },
            },
          ],
        },
        subscribers: {
          totalCount: 4,
          maxConcurrent: 4,
          resources: [
            { connectionId: bob.connectionId, ...lived(5, 20), stream: a },
            { connectionId: cleo.connectionId, ...lived(10, 30), stream: a },
            { connectionId: ada.connectionId, ...lived(5, 20), stream: b },
            { connectionId: cleo.connectionId, ...lived(10, 20), stream: b },
          ],
        },
      },
      {
        meetingId: expect.any(String),
        ...lived(50, 60),
        publisherMinutes: 0,
        subscriberMinutes: 0,
        participantMinutes: 10,
        connections: {
          totalCount: 1,
          maxConcurrent: 1,
          resources: [connection(back.connectionId, 50, 60, 0, 0)],
        },
        publishers: { totalCount: 0, maxConcurrent: 0, resources: [] },
        subscribers: { totalCount: 0, maxConcurrent: 0, resources: [] },
      },
    ])
  })

  it('are one meeting until ten minutes have passed without use', async () => {
    const world = openInsights()
    const { visit, readMeetings } = await openVisit(world)
    await visit(MINUTE)
    await world.wait(10 * MINUTE - 1)
    await visit(MINUTE)
    await world.wait(15 * MINUTE)
    const lived = (from: number, to: number) => ({ createdAt: after(from), destroyedAt: after(to) })
    expect(await readMeetings()).toEqual([{ ...lived(0, 12 * MINUTE - 1), participantMinutes: 2 }])
    await visit(MINUTE)
    await world.wait(10 * MINUTE)
    await visit(MINUTE)
    await world.wait(15 * MINUTE)
    expect(await readMeetings()).toHaveLength(3)
  })

  it('report data that is 5 min old, and meetings that may continue as open', async () => {
    const world = openInsights()
    const { visit, readMeetings } = await openVisit(world)
    await world.wait(6 * MINUTE)
    const visiting = visit(3 * MINUTE)
    await visiting
    await world.wait(2 * MINUTE - 1) // it began 5 min ago, all but a millisecond
    expect(await readMeetings()).toEqual([])
    await world.wait(2 * MINUTE + 1)
    expect(await readMeetings()).toEqual([{ createdAt: after(6 * MINUTE), destroyedAt: null, participantMinutes: 2 }])
    await world.wait(2 * MINUTE)
    expect(await readMeetings()).toMatchObject([{ destroyedAt: null, participantMinutes: 3 }])
    await world.wait(10 * MINUTE)
    expect(await readMeetings()).toMatchObject([{ destroyedAt: after(9 * MINUTE), participantMinutes: 3 }])
  })

  it('omit meetings after 21 days', async () => {
    const world = openInsights()
    const { visit, readMeetings } = await openVisit(world)
    await visit(MINUTE)
    await world.wait(20 * DAY)
    await visit(MINUTE)
    await world.wait(HOUR)
    expect(await readMeetings()).toHaveLength(2)
    await world.wait(DAY)
    expect(await readMeetings()).toHaveLength(1)
  })

  it('are in the requested order, once each, with only one meeting if requested', async () => {
    const world = openInsights()
    const { sessionId: first } = await openVisit(world)
    const { sessionId: second, visit } = await openVisit(world)
    await visit(MINUTE)
    await world.wait(15 * MINUTE)
    const ids = [second, first, second].map((id) => `"${id}"`)
    const { sessions } = (
      await world.find(
        `sessionData { sessions(sessionIds: [${ids}]) { resources { sessionId meetings { resources { meetingId } } } } }`,
      )
    ).sessionData
    expect(sessions.resources.map((one: { sessionId: string }) => one.sessionId)).toEqual([second, first])
    const { meetingId } = sessions.resources[0].meetings.resources[0]
    const countOf = async (id: string) =>
      (
        await world.find(
          `sessionData { sessions(sessionIds: "${second}") { resources { meetings(meetingId: "${id}") { totalCount } } } }`,
        )
      ).sessionData.sessions.resources[0].meetings.totalCount
    expect([await countOf(meetingId), await countOf('another')]).toEqual([1, 0])
  })

  it('report relayed sessions as relayed', async () => {
    const { createSession, find, wait } = openInsights()
    const id = await createSession({ 'p2p.preference': 'enabled' })
    await wait(6 * MINUTE)
    const { sessions } = (await find(`sessionData { sessions(sessionIds: "${id}") { resources { mediaMode } } }`))
      .sessionData
    expect(sessions.resources).toEqual([{ mediaMode: 'relayed' }])
  })
})

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

describe('sessionSummaries', () => {
  const fields = `sessionId createdAt destroyedAt maxConcurrentStreams maxConcurrentSubscribers totalStreams
    totalConnections publisherMinutes subscriberMinutes participantMinutes`

  it('report the meetings of all sessions, oldest first', async () => {
    const { find, sessionId, createSession, join, wait } = await openScenario()
    const other = await createSession()
    await join(other)
    await wait(10 * MINUTE)
    const { sessionSummaries } = (
      await find(`sessionData { sessionSummaries(start: "${after(0)}") { totalCount resources { ${fields} } } }`)
    ).sessionData
    expect(sessionSummaries).toEqual({
      totalCount: 3,
      resources: [
        {
          sessionId,
          createdAt: after(0),
          destroyedAt: after(30 * MINUTE),
          maxConcurrentStreams: 2,
          maxConcurrentSubscribers: 4,
          totalStreams: 2,
          totalConnections: 3,
          publisherMinutes: 45,
          subscriberMinutes: 60,
          participantMinutes: 65,
        },
        expect.objectContaining({ sessionId, totalConnections: 1, totalStreams: 0, participantMinutes: 10 }),
        expect.objectContaining({ sessionId: other, destroyedAt: null, publisherMinutes: 5 }),
      ],
    })
  })

  it('are those of meetings that began in the range', async () => {
    const { find } = await openScenario()
    const count = async (range: string) =>
      (await find(`sessionData { sessionSummaries(${range}) { totalCount } }`)).sessionData.sessionSummaries.totalCount
    expect(await count('start: 0')).toBe(2)
    expect(await count(`start: 0, end: "${after(20 * MINUTE)}"`)).toBe(1)
    expect(await count(`start: "${after(1)}"`)).toBe(1)
    expect(await count(`start: "${after(51 * MINUTE)}"`)).toBe(0)
  })

  it('are paged', async () => {
    const { find } = await openScenario()
    const page = async (args: string) =>
      (
        await find(
          `sessionData { sessionSummaries(start: 0, first: 1 ${args}) { pageInfo { hasNextPage endCursor } resources { createdAt } } }`,
        )
      ).sessionData.sessionSummaries
    const one = await page('')
    const two = await page(`endCursor: "${one.pageInfo.endCursor}"`)
    expect([one.resources, two.resources]).toEqual([[{ createdAt: after(0) }], [{ createdAt: after(50 * MINUTE) }]])
    expect([one.pageInfo.hasNextPage, two.pageInfo.hasNextPage]).toEqual([true, false])
  })
})
