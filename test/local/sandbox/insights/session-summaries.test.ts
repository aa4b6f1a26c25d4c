import { describe, expect, it } from 'vitest'
import { after, MINUTE, openScenario } from './ask.ts'

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
