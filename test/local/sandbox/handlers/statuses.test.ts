import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../../lib/clock.ts'
import { errorBody, startRefusals } from '../../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import {
  type OperationName,
  type Operations,
  operations,
} from '../../../../lib/platform/contract/operations/operations.ts'
import { sessionIds } from '../../../../lib/platform/contract/sessions.ts'
import { INSIGHTS_PATH } from '../../../../local/sandbox/http/router.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { uploadTarget } from '../archives/memory-bucket.ts'
import { type Answer, openSandbox, type WorldOptions } from '../open-sandbox.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'

async function openWorld(options: WorldOptions = {}) {
  const world = openSandbox(options)
  const { call, join, createSession } = world
  const sessionId = await createSession()
  const participant = await join(sessionId, { name: 'Ada' })
  const start = async (name: 'startArchive' | 'startBroadcast', args = {}) => {
    const { body } = await call(name, { sessionId, outputs: { hls: {} }, ...args })
    return body.id as string
  }
  /** Well formed, but no session. */
  const strange = sessionIds.make(world.apiKey, 0, 'strange')
  const ofClient = { sessionId, token: participant.token }
  const dial = (args = {}) => call('dial', { ...ofClient, sip: { uri: 'sip:stage@example.com' }, ...args })
  const compose = () => call('startComposer', { ...ofClient, url: 'https://scenes.example.com' })
  return { ...world, sessionId, strange, participant, start, dial, compose }
}
type World = Awaited<ReturnType<typeof openWorld>>
type Scenario = (world: World) => Promise<Answer>

/** 403 is tried on every operation below; 500 needs media that breaks. */
type Statuses<O extends Operation> = O['success']['status'] | Exclude<keyof O['errors'], 403 | 500>

/** One way to each status of each operation of the contract: a missing one does not compile. */
const scenarios: { [N in OperationName]: { [S in Statuses<Operations[N]>]: Scenario } } = {
  createSession: {
    200: ({ call }) => call('createSession', { location: 'null' }),
    400: ({ call }) => call('createSession', { archiveMode: 'always', 'p2p.preference': 'enabled' }),
  },
  signalSession: {
    204: ({ call, sessionId }) => call('signalSession', { sessionId, type: 'chat', data: 'hello' }),
    400: ({ call, sessionId }) => call('signalSession', { sessionId, type: 'chat' }),
    404: ({ call, strange }) => call('signalSession', { sessionId: strange, data: 'hello' }),
    413: ({ call, sessionId }) => call('signalSession', { sessionId, data: 'é'.repeat(4_097) }),
  },
  signalConnection: {
    204: ({ call, sessionId, participant: { connectionId } }) =>
      call('signalConnection', { sessionId, connectionId, data: 'd'.repeat(8_192) }),
    400: ({ call, participant: { connectionId } }) =>
      call('signalConnection', { sessionId: 'none', connectionId, data: 'hello' }),
    404: ({ call, sessionId }) => call('signalConnection', { sessionId, connectionId: NOWHERE, data: 'hello' }),
    413: ({ call, sessionId, participant: { connectionId } }) =>
      call('signalConnection', { sessionId, connectionId, type: 't'.repeat(129), data: 'hello' }),
  },
  forceDisconnect: {
    204: ({ call, sessionId, participant: { connectionId } }) => call('forceDisconnect', { sessionId, connectionId }),
    400: ({ call, participant: { connectionId } }) => call('forceDisconnect', { sessionId: 'none', connectionId }),
    404: async ({ call, sessionId, participant: { connectionId } }) => {
      await call('forceDisconnect', { sessionId, connectionId })
      return call('forceDisconnect', { sessionId, connectionId })
    },
  },
  setStreamLayoutClasses: {
    200: ({ call, sessionId, participant: { streamId } }) =>
      call('setStreamLayoutClasses', { sessionId, items: [{ id: streamId, layoutClassList: ['focus'] }] }),
    400: ({ call, strange, participant: { streamId } }) =>
      call('setStreamLayoutClasses', { sessionId: strange, items: [{ id: streamId, layoutClassList: [] }] }),
  },
  muteStream: {
    200: ({ call, sessionId, participant: { streamId } }) => call('muteStream', { sessionId, streamId }),
    400: ({ call, sessionId }) => call('muteStream', { sessionId, streamId: 'camera' }),
    404: ({ call, sessionId }) => call('muteStream', { sessionId, streamId: NOWHERE }),
  },
  muteSession: {
    200: ({ call, sessionId }) => call('muteSession', { sessionId, active: true, excludedStreamIds: [] }),
    400: ({ call, sessionId }) => call('muteSession', { sessionId, active: 'yes' }),
    404: ({ call, strange }) => call('muteSession', { sessionId: strange, active: true }),
  },
  getStream: {
    200: ({ call, sessionId, participant: { streamId } }) => call('getStream', { sessionId, streamId }),
    400: ({ call, participant: { streamId } }) => call('getStream', { sessionId: 'none', streamId }),
    404: ({ call, sessionId }) => call('getStream', { sessionId, streamId: NOWHERE }),
    408: ({ call, sessionId }) => call('getStream', { sessionId, streamId: 'camera' }),
  },
  listStreams: {
    200: ({ call, sessionId }) => call('listStreams', { sessionId }),
    400: ({ call }) => call('listStreams', { sessionId: '2_abc' }),
    404: async ({ call, createSession }) => call('listStreams', { sessionId: await createSession() }),
  },
  startArchive: {
    200: ({ call, sessionId }) => call('startArchive', { sessionId, resolution: '1080x1920' }),
    400: ({ call, sessionId }) => call('startArchive', { sessionId, resolution: '10x10' }),
    404: ({ call }) => call('startArchive', { sessionId: 'none' }),
    409: async ({ call, createSession }) =>
      call('startArchive', { sessionId: await createSession({ 'p2p.preference': 'enabled' }) }),
  },
  stopArchive: {
    200: async ({ call, start }) => call('stopArchive', { archiveId: await start('startArchive') }),
    400: async ({ send, start, apiKey }) =>
      send('POST', `/v2/project/${apiKey}/archive/${await start('startArchive')}/stop`, { body: '{' }),
    404: ({ call }) => call('stopArchive', { archiveId: 'mine' }),
    409: async ({ call, start }) => {
      const archiveId = await start('startArchive')
      await call('stopArchive', { archiveId })
      return call('stopArchive', { archiveId })
    },
  },
  listArchives: {
    200: ({ call }) => call('listArchives'),
    400: ({ call }) => call('listArchives', { count: '1001' }),
  },
  getArchive: {
    200: async ({ call, start }) => call('getArchive', { archiveId: await start('startArchive') }),
    400: ({ call }) => call('getArchive', { archiveId: NOWHERE }),
  },
  deleteArchive: {
    204: async ({ call, start, sandbox }) => {
      const archiveId = await start('startArchive')
      await call('stopArchive', { archiveId })
      await sandbox.settled()
      await call('deleteArchive', { archiveId })
      return call('deleteArchive', { archiveId })
    },
    409: async ({ call, start }) => call('deleteArchive', { archiveId: await start('startArchive') }),
  },
  setArchiveLayout: {
    200: async ({ call, start }) => call('setArchiveLayout', { archiveId: await start('startArchive'), type: 'pip' }),
    400: async ({ call, start }) => call('setArchiveLayout', { archiveId: await start('startArchive') }),
    404: async ({ call, start }) => {
      const archiveId = await start('startArchive')
      await call('stopArchive', { archiveId })
      return call('setArchiveLayout', { archiveId, type: 'pip' })
    },
  },
  changeArchiveStreams: {
    204: async ({ call, start, participant: { streamId } }) => {
      const archiveId = await start('startArchive', { streamMode: 'manual' })
      return call('changeArchiveStreams', { archiveId, addStream: streamId })
    },
    400: async ({ call, start, participant: { streamId } }) => {
      const archiveId = await start('startArchive', { streamMode: 'manual' })
      return call('changeArchiveStreams', { archiveId, addStream: streamId, hasAudio: false, hasVideo: false })
    },
    404: async ({ call, start }) => {
      const archiveId = await start('startArchive', { streamMode: 'manual' })
      return call('changeArchiveStreams', { archiveId, addStream: NOWHERE })
    },
    405: async ({ call, start, participant: { streamId } }) =>
      call('changeArchiveStreams', { archiveId: await start('startArchive'), addStream: streamId }),
  },
  setUploadTarget: {
    200: ({ call }) => call('setUploadTarget', uploadTarget('opentok')),
    400: ({ call }) => call('setUploadTarget', { config: {} }),
  },
  deleteUploadTarget: {
    204: async ({ call }) => {
      await call('setUploadTarget', uploadTarget())
      return call('deleteUploadTarget')
    },
    404: ({ call }) => call('deleteUploadTarget'),
  },
  dial: {
    200: ({ dial }) => dial(),
    400: ({ dial }) => dial({ token: 'mine' }),
    404: ({ dial, strange }) => dial({ sessionId: strange }),
    409: async ({ dial, createSession }) => dial({ sessionId: await createSession({ 'p2p.preference': 'enabled' }) }),
  },
  playDtmfToSession: {
    200: ({ call, sessionId }) => call('playDtmfToSession', { sessionId, digits: '0123456789*#p' }),
    400: ({ call, sessionId }) => call('playDtmfToSession', { sessionId, digits: 'a' }),
    404: ({ call, strange }) => call('playDtmfToSession', { sessionId: strange, digits: '1' }),
  },
  playDtmfToConnection: {
    200: async ({ call, dial, sessionId }) => {
      const { connectionId } = (await dial()).body
      return call('playDtmfToConnection', { sessionId, connectionId, digits: '1' })
    },
    400: ({ call, participant: { connectionId } }) =>
      call('playDtmfToConnection', { sessionId: 'none', connectionId, digits: '1' }),
    404: ({ call, sessionId }) => call('playDtmfToConnection', { sessionId, connectionId: NOWHERE, digits: '1' }),
  },
  startComposer: {
    202: ({ compose }) => compose(),
    400: ({ send, apiKey }) => send('POST', `/v2/project/${apiKey}/render`, { body: '{' }),
  },
  getComposer: {
    200: async ({ call, compose }) => call('getComposer', { composerId: (await compose()).body.id }),
    400: ({ call }) => call('getComposer', { composerId: 'mine' }),
    404: ({ call }) => call('getComposer', { composerId: NOWHERE }),
  },
  listComposers: {
    200: ({ call }) => call('listComposers'),
    400: ({ call }) => call('listComposers', { count: '0' }),
  },
  stopComposer: {
    200: async ({ call, compose }) => call('stopComposer', { composerId: (await compose()).body.id }),
    400: ({ call }) => call('stopComposer', { composerId: 'mine' }),
    404: ({ call }) => call('stopComposer', { composerId: NOWHERE }),
  },
  startBroadcast: {
    200: ({ call, sessionId }) => call('startBroadcast', { sessionId, outputs: { hls: { dvr: true } } }),
    400: ({ call, sessionId }) =>
      call('startBroadcast', { sessionId, outputs: { hls: { dvr: true, lowLatency: true } } }),
    404: async ({ call, createSession }) =>
      call('startBroadcast', { sessionId: await createSession(), outputs: { hls: {} } }),
    409: async ({ call, sessionId, start }) => {
      await start('startBroadcast')
      return call('startBroadcast', { sessionId, outputs: { hls: {} } })
    },
  },
  stopBroadcast: {
    200: async ({ call, start }) => call('stopBroadcast', { broadcastId: await start('startBroadcast') }),
    400: ({ call }) => call('stopBroadcast', { broadcastId: 'mine' }),
    404: async ({ call, start }) => {
      const broadcastId = await start('startBroadcast')
      await call('stopBroadcast', { broadcastId })
      return call('stopBroadcast', { broadcastId })
    },
  },
  listBroadcasts: {
    200: ({ call }) => call('listBroadcasts'),
    400: ({ call }) => call('listBroadcasts', { offset: '-1' }),
  },
  getBroadcast: {
    200: async ({ call, start }) => call('getBroadcast', { broadcastId: await start('startBroadcast') }),
    400: ({ call }) => call('getBroadcast', { broadcastId: 'mine' }),
    404: ({ call }) => call('getBroadcast', { broadcastId: '0'.repeat(32) }),
  },
  setBroadcastLayout: {
    200: async ({ call, start }) =>
      call('setBroadcastLayout', { broadcastId: await start('startBroadcast'), type: 'horizontalPresentation' }),
    400: async ({ call, start }) =>
      call('setBroadcastLayout', { broadcastId: await start('startBroadcast'), type: 'pip', stylesheet: 'stream {}' }),
    404: ({ call }) => call('setBroadcastLayout', { broadcastId: '0'.repeat(32), type: 'pip' }),
  },
  changeBroadcastStreams: {
    204: async ({ call, start, participant: { streamId } }) => {
      const broadcastId = await start('startBroadcast', { streamMode: 'manual' })
      await call('changeBroadcastStreams', { broadcastId, addStream: streamId })
      return call('changeBroadcastStreams', { broadcastId, removeStream: streamId })
    },
    400: async ({ call, start, participant: { streamId } }) => {
      const broadcastId = await start('startBroadcast', { streamMode: 'manual' })
      return call('changeBroadcastStreams', { broadcastId, addStream: streamId, removeStream: streamId })
    },
    404: async ({ call, start, participant: { streamId } }) => {
      const broadcastId = await start('startBroadcast', { streamMode: 'manual' })
      return call('changeBroadcastStreams', { broadcastId, removeStream: streamId })
    },
    405: async ({ call, start, participant: { streamId } }) =>
      call('changeBroadcastStreams', { broadcastId: await start('startBroadcast'), removeStream: streamId }),
  },
  createProject: {
    200: ({ call }) => call('createProject', { name: 'Conference' }),
    400: ({ call }) => call('createProject', { name: 7 }),
  },
  setProjectStatus: {
    200: ({ call }) => call('setProjectStatus', { status: 'SUSPENDED' }),
    400: ({ call }) => call('setProjectStatus', { status: 'ASLEEP' }),
  },
  deleteProject: {
    204: ({ call }) => call('deleteProject'),
    404: ({ call }) => call('deleteProject', { apiKey: '100001' }),
  },
  getProject: {
    200: ({ call }) => call('getProject'),
    404: ({ call }) => call('getProject', { apiKey: '100001' }),
  },
  listProjects: {
    200: ({ call }) => call('listProjects'),
  },
  refreshSecret: {
    200: ({ call }) => call('refreshSecret'),
    404: ({ call }) => call('refreshSecret', { apiKey: '100001' }),
  },
  queryInsights: {
    200: ({ call }) => call('queryInsights', { query: '{ __typename }' }),
    400: ({ call }) => call('queryInsights', { query: '' }),
  },
}

const ways = Object.entries(scenarios).flatMap(([name, byStatus]) =>
  Object.entries(byStatus as Record<string, Scenario>).map(([status, scenario]) => ({ name, status, scenario })),
)

describe('createHandlers', () => {
  it.each(ways)('answers $name with $status', async ({ status, scenario }) => {
    const answer = await scenario(await openWorld())
    expect(answer.status).toBe(Number(status))
    if (answer.status >= 400) expect(errorBody.parse(answer.body).code).toBe(answer.status)
  })

  it.each(Object.entries(operations))(
    'answers %s with 403 without a token',
    async (_name, { method, path, ...more }) => {
      const { sandbox } = openSandbox()
      const base = 'base' in more ? INSIGHTS_PATH : ''
      const url = `http://localhost${base}${path.replace(/\{\w+\}/g, 'x')}`
      const response = await sandbox.fetch(new Request(url, { method }))
      expect(response.status).toBe(403)
      expect(errorBody.parse(await response.json()).code).toBe(403)
    },
  )

  it.each(['startArchive', 'startBroadcast'] as const)(
    'answers %s with 500 when media does not start',
    async (name) => {
      const media = (clock: Clock) => ({
        ...createMediaOff(clock),
        startArchive: () => Promise.reject(new Error('no encoder at /secret/path')),
        startBroadcast: () => Promise.reject(new Error('no encoder at /secret/path')),
      })
      const { call, sessionId } = await openWorld({ media })
      const answer = await call(name, { sessionId, outputs: { hls: {} } })
      expect(answer).toMatchObject({ status: 500, body: { code: 500 } })
      expect(JSON.stringify(answer.body)).not.toContain('/secret/path')
    },
  )

  it.each(['startArchive', 'startBroadcast'] as const)(
    'distinguishes a missing session from an empty one on %s',
    async (name) => {
      const { call, createSession, sessionId } = await openWorld()
      const outputs = { hls: {} }
      const missing = await call(name, { sessionId: sessionId.replace(/.$/, ''), outputs })
      const empty = await call(name, { sessionId: await createSession(), outputs })
      expect(missing).toEqual({ status: 404, body: { code: 404, message: startRefusals.noSession } })
      expect(empty).toEqual({ status: 404, body: { code: 404, message: startRefusals.noClients } })
    },
  )
})
