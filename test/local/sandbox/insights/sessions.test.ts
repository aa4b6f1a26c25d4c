import { describe, expect, it } from 'vitest'
import { after, DAY, HOUR, type Insights, MINUTE, openInsights, openScenario } from './ask.ts'

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
