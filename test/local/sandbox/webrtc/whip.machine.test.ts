import { expect, it } from 'vitest'
import { eventually, openDoors } from './open-doors.ts'
import { publishByFfmpeg } from './publish-by-ffmpeg.ts'

const isEmpty = (items: readonly unknown[]) => items.length === 0

it('ffmpeg publishes by WHIP, and its DELETE ends the stream', async () => {
  const { door, clientToken, streams, watch } = await openDoors()
  const moderator = await watch()
  const token = await clientToken({ initial_layout_class_list: 'focus', connection_data: 'ada' })
  const ffmpeg = await publishByFfmpeg(door('whip', { name: 'Ada', videoType: 'screen' }), token)
  const { connection } = await moderator.event('connectionCreated')
  expect(connection.data).toBe('ada')
  const { stream } = await moderator.event('streamCreated')
  expect(stream).toMatchObject({ name: 'Ada', hasAudio: true, hasVideo: true, connectionId: connection.id })
  expect(await streams()).toEqual([{ id: stream.id, name: 'Ada', videoType: 'screen', layoutClassList: ['focus'] }])
  await ffmpeg.stop()
  expect(await moderator.event('streamDestroyed')).toMatchObject({ reason: 'clientDisconnected' })
  expect(await moderator.event('connectionDestroyed')).toMatchObject({ connection, reason: 'clientDisconnected' })
  expect(await streams()).toEqual([])
})

it('a publisher that crashes is disconnected once it has been silent for 20 s', async () => {
  const { door, clientToken, streams, watch } = await openDoors()
  const moderator = await watch()
  const ffmpeg = await publishByFfmpeg(door('whip'), await clientToken())
  await moderator.event('streamCreated')
  const killedAt = Date.now()
  await ffmpeg.kill()
  expect(await moderator.event('connectionDestroyed')).toMatchObject({ reason: 'networkDisconnected' })
  expect(Date.now() - killedAt).toBeGreaterThanOrEqual(19_000)
  expect(await streams()).toEqual([])
})

it('a forced disconnect ends the connection of the publisher, which can publish again', async () => {
  const { call, door, clientToken, streams, watch, sessionId } = await openDoors()
  const moderator = await watch()
  const token = await clientToken()
  const ffmpeg = await publishByFfmpeg(door('whip'), token)
  const { stream } = await moderator.event('streamCreated')
  await call('forceDisconnect', { sessionId, connectionId: stream.connectionId })
  expect(await moderator.event('streamDestroyed')).toMatchObject({ reason: 'forceDisconnected' })
  await ffmpeg.ended // the DTLS connection is closed by the sandbox
  await publishByFfmpeg(door('whip'), token)
  await eventually(streams, (items) => !isEmpty(items))
})

it('a stream that is published into a muted session has no audio', async () => {
  const { call, door, clientToken, watch, sessionId } = await openDoors()
  const moderator = await watch()
  await call('muteSession', { sessionId, active: true })
  await publishByFfmpeg(door('whip'), await clientToken())
  expect((await moderator.event('streamCreated')).stream).toMatchObject({ hasAudio: false, hasVideo: true })
})
