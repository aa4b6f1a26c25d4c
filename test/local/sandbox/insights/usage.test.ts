import { describe, expect, it } from 'vitest'
import { after, DAY, HOUR, MINUTE, openInsights, playScenario } from './ask.ts'

const START = `start: "${after(0)}"`
const usage = (fields: string, rest = '') => `projectData(${START} ${rest}) { resources { ${fields} } }`
const minutes = 'usage { streamedPublishedMinutes streamedSubscribedMinutes }'

async function openScenario(options = {}) {
  const world = openInsights(options)
  const scenario = await playScenario(world)
  await world.wait(2 * DAY)
  return { ...world, ...scenario }
}

describe('projectData', () => {
  it('counts the usage', async () => {
    const { find } = await openScenario()
    const { projectData } = await find(
      `projectData(${START}, interval: DAILY) { interval totalCount pageInfo { hasNextPage } resources { intervalStart intervalEnd sdkType
        usage { streamedPublishedMinutes streamedSubscribedMinutes participantMinutes individualArchiveMinutes
          sdArchiveComposedMinutes hdArchiveComposedMinutes sdBroadcastComposedMinutes hdBroadcastComposedMinutes
          hlsMinutes sipUserMinutes } } }`,
    )
    expect(projectData).toEqual({
      interval: 'DAILY',
      totalCount: 1,
      pageInfo: { hasNextPage: false },
      resources: [
        {
          intervalStart: after(0),
          intervalEnd: '2026-11-21T00:00:00.000Z',
          sdkType: null,
          usage: {
            streamedPublishedMinutes: 30 + 15,
            streamedSubscribedMinutes: 15 + 20 + 15 + 10, // Bob: Ada; Cleo: Ada and Bob; Ada: Bob
            participantMinutes: 30 + 15 + 20 + 10,
            individualArchiveMinutes: 0,
            sdArchiveComposedMinutes: 15,
            hdArchiveComposedMinutes: 0,
            sdBroadcastComposedMinutes: 0,
            hdBroadcastComposedMinutes: 0,
            hlsMinutes: 0,
            sipUserMinutes: 0,
          },
        },
      ],
    })
  })

  it('groups by one dimension or several', async () => {
    const { find } = await openScenario()
    expect((await find(usage(`sdkType ${minutes}`, 'groupBy: SDK_TYPE'))).projectData.resources).toEqual([
      { sdkType: 'JS', usage: { streamedPublishedMinutes: 30, streamedSubscribedMinutes: 45 } },
      { sdkType: 'IOS', usage: { streamedPublishedMinutes: 15, streamedSubscribedMinutes: 15 } },
    ])
    const { projectData } = await find(usage(`country browser ${minutes}`, 'groupBy: [COUNTRY, BROWSER]'))
    expect(projectData.resources).toEqual([
      { country: 'DE', browser: 'Chrome', usage: { streamedPublishedMinutes: 30, streamedSubscribedMinutes: 15 } },
      { country: 'US', browser: null, usage: { streamedPublishedMinutes: 15, streamedSubscribedMinutes: 15 } },
      { country: 'DE', browser: 'Firefox', usage: { streamedPublishedMinutes: 0, streamedSubscribedMinutes: 30 } },
    ])
  })

  it.each([
    ['sdkType: [IOS, ANDROID]', [15, 15]],
    ['sdkType: JS, sdkVersion: "2.28.1"', [30, 15]],
    ['browser: "firefox"', [0, 30]],
    ['country: ["US", "FR"]', [15, 15]],
    ['browser: "Chrome", country: "DE"', [30, 15]],
    ['browser: [], country: "US"', [15, 15]],
  ])('filters by %s', async (filter, [published, subscribed]) => {
    const { find } = await openScenario()
    const { resources } = (await find(usage(minutes, filter))).projectData
    expect(resources).toEqual([
      { usage: { streamedPublishedMinutes: published, streamedSubscribedMinutes: subscribed } },
    ])
  })

  it('is empty if nothing matches', async () => {
    const { find } = await openScenario()
    expect((await find(usage(minutes, 'region: "antarctica"'))).projectData.resources).toEqual([])
  })

  it('groups participants by country, and by no other dimension', async () => {
    const { find, ask, apiKey } = await openScenario()
    const { resources } = (await find(usage('usage { participantMinutes }', 'country: "DE"'))).projectData
    expect(resources).toEqual([{ usage: { participantMinutes: 60 } }])
    const { body } = await ask(
      `{ project(projectId: ${apiKey}) { ${usage('usage { streamedPublishedMinutes participantMinutes }', 'sdkType: IOS')} } }`,
    )
    expect(body.data.project.projectData.resources).toEqual([
      { usage: { streamedPublishedMinutes: 15, participantMinutes: null } },
    ])
    expect(body.errors).toEqual([
      {
        message: 'Invalid parameters: participantMinutes cannot be grouped or filtered by sdkType.',
        locations: [{ line: 1, column: expect.any(Number) }],
        path: ['project', 'projectData', 'resources', 0, 'usage', 'participantMinutes'],
        errorCode: 1004,
      },
    ])
  })

  it('counts archives and broadcasts by size, and HLS separately', async () => {
    const { find, createSession, join, call, wait } = openInsights()
    const sessionId = await createSession()
    await join(sessionId)
    const { id: archiveId } = (await call('startArchive', { sessionId, resolution: '1280x720' })).body
    const { id: broadcastId } = (await call('startBroadcast', { sessionId, outputs: { hls: {} } })).body
    const rtmp = [{ serverUrl: 'rtmp://127.0.0.1:9/live', streamName: 'key' }]
    await call('startBroadcast', {
      sessionId,
      outputs: { rtmp },
      resolution: '1280x720',
      multiBroadcastTag: 'rtmp',
      maxDuration: 60,
    })
    await wait(6 * MINUTE)
    await call('stopArchive', { archiveId })
    await wait(MINUTE)
    await call('stopBroadcast', { broadcastId })
    await wait(2 * DAY)
    const fields =
      'hdArchiveComposedMinutes sdArchiveComposedMinutes sdBroadcastComposedMinutes hdBroadcastComposedMinutes hlsMinutes'
    const { resources } = (await find(usage(`usage { ${fields} }`, 'interval: MONTHLY'))).projectData
    expect(resources[0].usage).toEqual({
      hdArchiveComposedMinutes: 6,
      sdArchiveComposedMinutes: 0,
      sdBroadcastComposedMinutes: 7,
      hdBroadcastComposedMinutes: 1,
      hlsMinutes: 7,
    })
  })

  it('counts an archive while it records and not while it is paused', async () => {
    const { find, createSession, join, call, wait } = openInsights()
    const sessionId = await createSession()
    const ada = await join(sessionId)
    await join(sessionId, { publish: false })
    const { id: archiveId } = (await call('startArchive', { sessionId })).body
    await wait(3 * MINUTE)
    await ada.leave()
    await wait(10 * MINUTE)
    await join(sessionId)
    await wait(4 * MINUTE)
    await call('stopArchive', { archiveId })
    await wait(2 * DAY)
    const { resources } = (await find(usage('usage { sdArchiveComposedMinutes }', 'interval: MONTHLY'))).projectData
    expect(resources[0].usage).toEqual({ sdArchiveComposedMinutes: 7 })
  })

  it('counts an individual archive for each stream in it', async () => {
    const { find, createSession, join, call, wait } = openInsights()
    const sessionId = await createSession()
    const { streamId: addStream } = await join(sessionId)
    const start = async (args: object) =>
      (await call('startArchive', { sessionId, outputMode: 'individual', ...args })).body.id
    const archiveId = await start({})
    const manual = await start({ streamMode: 'manual', multiArchiveTag: 'manual' })
    await call('changeArchiveStreams', { archiveId: manual, addStream })
    await wait(3 * MINUTE)
    await join(sessionId)
    await wait(4 * MINUTE)
    await call('stopArchive', { archiveId })
    await call('stopArchive', { archiveId: manual })
    await wait(2 * DAY)
    const fields = 'individualArchiveMinutes sdArchiveComposedMinutes hdArchiveComposedMinutes'
    const { resources } = (await find(usage(`usage { ${fields} }`, 'interval: MONTHLY'))).projectData
    expect(resources[0].usage).toEqual({
      individualArchiveMinutes: 7 + 4 + 7,
      sdArchiveComposedMinutes: 0,
      hdArchiveComposedMinutes: 0,
    })
  })

  it('cuts at midnights, Mondays or firsts of the month, and omits intervals without data', async () => {
    const { find, createSession, join, wait } = openInsights() // a Friday, the 20th of November, 09:00
    const sessionId = await createSession()
    const join20 = await join(sessionId)
    await wait(16 * HOUR) // into Saturday by an hour
    await join20.leave()
    await wait(11 * DAY) // into December
    const join2 = await join(sessionId)
    await wait(HOUR)
    await join2.leave()
    await wait(2 * DAY)
    const readIntervals = async (interval: string) => {
      const fields = 'intervalStart intervalEnd usage { participantMinutes }'
      const { resources } = (await find(usage(fields, `interval: ${interval}`))).projectData
      return resources.map(
        (one: { intervalStart: string; intervalEnd: string; usage: { participantMinutes: number } }) => [
          one.intervalStart.slice(5, 13),
          one.intervalEnd.slice(5, 13),
          one.usage.participantMinutes / 60,
        ],
      )
    }
    expect(await readIntervals('DAILY')).toEqual([
      ['11-20T09', '11-21T00', 15],
      ['11-21T00', '11-22T00', 1],
      ['12-02T00', '12-03T00', 1],
    ])
    expect(await readIntervals('WEEKLY')).toEqual([
      ['11-20T09', '11-23T00', 16],
      ['11-30T00', '12-04T02', 1],
    ])
    expect(await readIntervals('MONTHLY')).toEqual([
      ['11-20T09', '12-01T00', 16],
      ['12-01T00', '12-04T02', 1],
    ])
    expect(await readIntervals('AUTO')).toEqual(await readIntervals('DAILY'))
  })

  it.each([
    [31, 'DAILY'],
    [32, 'WEEKLY'],
    [63, 'MONTHLY'],
  ])('selects for AUTO over %i days %s', async (days, interval) => {
    const { find, clock } = openInsights()
    const start = new Date(clock.now() - days * DAY).toISOString()
    expect((await find(`projectData(start: "${start}") { interval }`)).projectData.interval).toBe(interval)
  })

  it('counts only usage within the range, for every form of its ends', async () => {
    const { find, clock } = await openScenario()
    const second = Math.floor((clock.now() - 2 * DAY - HOUR) / 1000) + 10 * 60
    const counts = async (start: string | number, end: string | number) => {
      const { resources } = (
        await find(`projectData(start: ${start}, end: ${end}) { resources { usage { participantMinutes } } }`)
      ).projectData
      return resources[0].usage.participantMinutes
    }
    expect(await counts(`"${after(10 * MINUTE)}"`, `"${after(15 * MINUTE)}"`)).toBe(15)
    expect(await counts(second, (second + 300) * 1000)).toBe(15)
  })

  it('shows data 36 to 48 h after their creation, and for 90 days', async () => {
    const { find, createSession, join, wait } = openInsights() // 09:00
    const participants = async () => {
      const { resources } = (
        await find('projectData(start: 0, interval: MONTHLY) { resources { usage { participantMinutes } } }')
      ).projectData
      return resources.map((one: { usage: { participantMinutes: number } }) => one.usage.participantMinutes)
    }
    const ada = await join(await createSession())
    await wait(HOUR)
    await ada.leave()
    await wait(37 * HOUR) // 23:00: the last run was at noon
    expect(await participants()).toEqual([])
    await wait(HOUR)
    expect(await participants()).toEqual([60])
    await wait(88 * DAY)
    expect(await participants()).toEqual([60])
    await wait(DAY)
    expect(await participants()).toEqual([])
  })

  it('is paged', async () => {
    const { find, createSession, join, wait } = openInsights()
    await join(await createSession())
    await wait(5 * DAY)
    const fields = 'totalCount pageInfo { hasNextPage endCursor } resources { intervalStart }'
    const page = async (cursor?: string) =>
      (
        await find(
          `projectData(${START}, interval: DAILY, first: 2 ${cursor ? `endCursor: "${cursor}"` : ''}) { ${fields} }`,
        )
      ).projectData
    const days = (data: { resources: { intervalStart: string }[] }) =>
      data.resources.map(({ intervalStart }) => intervalStart.slice(8, 10))
    const one = await page()
    expect([days(one), one.totalCount, one.pageInfo.hasNextPage]).toEqual([['20', '21'], 4, true])
    const two = await page(one.pageInfo.endCursor)
    expect([days(two), two.totalCount, two.pageInfo.hasNextPage]).toEqual([['22', '23'], 4, false])
    expect(await page(two.pageInfo.endCursor)).toMatchObject({ resources: [], pageInfo: { hasNextPage: false } })
  })

  it('counts the minutes of SIP calls', async () => {
    const { find, createSession, join, call, wait } = openInsights()
    const sessionId = await createSession()
    const { token, leave } = await join(sessionId)
    await leave()
    const { body } = await call('dial', { sessionId, token, sip: { uri: 'sip:answer@example.com' } })
    await wait(2 * MINUTE)
    await call('forceDisconnect', { sessionId, connectionId: body.connectionId })
    await wait(2 * DAY)
    const fields = 'usage { sipUserMinutes streamedPublishedMinutes participantMinutes }'
    const { resources } = (await find(usage(fields, 'interval: MONTHLY'))).projectData
    expect(resources[0].usage).toEqual({
      sipUserMinutes: 2,
      streamedPublishedMinutes: 2,
      participantMinutes: 2,
    })
  })

  it('counts composers as publishers, and not as subscribers', async () => {
    const { find, createSession, join, call, wait } = openInsights()
    const sessionId = await createSession()
    const { token } = await join(sessionId)
    const args = { sessionId, token, url: 'https://example.com/scoreboard', properties: { name: 'Scores' } }
    const { body } = await call('startComposer', args)
    await wait(3_000) // until its page is open
    await wait(2 * MINUTE)
    await call('stopComposer', { composerId: body.id })
    await wait(2 * DAY)
    const fields = 'usage { streamedPublishedMinutes streamedSubscribedMinutes }'
    const end = after(2 * MINUTE + 3_000)
    const { resources } = (await find(`projectData(${START}, end: "${end}") { resources { ${fields} } }`)).projectData
    expect(resources[0].usage).toEqual({ streamedPublishedMinutes: 2.05 + 2, streamedSubscribedMinutes: 2 })
  })
})
