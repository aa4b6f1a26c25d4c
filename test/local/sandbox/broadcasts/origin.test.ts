import { describe, expect, it } from 'vitest'
import { openSession } from '../open-session.ts'

const target = (config: object = {}) => ({
  type: 's3',
  config: { accessKey: 'AK', secretKey: 'secret', bucket: 'live', ...config },
  fallback: 'none',
})

async function openOrigin(origin: string) {
  const { call, join, sessionId } = await openSession({ origin })
  await join(sessionId)
  const start = (hls: object = {}, tag = 'first') =>
    call('startBroadcast', { sessionId, multiBroadcastTag: tag, outputs: { hls } })
  return { call, start }
}

describe('createOrigin', () => {
  it('refuses broadcasts that cannot be mirrored, with what to do', async () => {
    const { call, start } = await openOrigin('bucket')
    expect(await start()).toMatchObject({ status: 400, body: { message: expect.stringContaining('upload target') } })
    await call('setUploadTarget', target())
    expect(await start({ lowLatency: true })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('leave out lowLatency') },
    })
  })

  it.each([
    ['bucket', {}, 'https://live.s3.amazonaws.com'],
    ['bucket', { endpoint: 'http://127.0.0.1:9000/' }, 'http://127.0.0.1:9000/live'],
    ['https://cdn.example.com/', {}, 'https://cdn.example.com'],
  ])('returns the address of a broadcast below %s %o', async (origin, config, base) => {
    const { call, start } = await openOrigin(origin)
    await call('setUploadTarget', target(config))
    const { id, projectId, broadcastUrls } = (await start()).body
    expect(broadcastUrls.hls).toBe(`${base}/${projectId}/live/${id}/index.m3u8`)
    expect((await start({ dvr: true }, 'second')).body.broadcastUrls.hls).toMatch(/\/dvr\.m3u8$/)
  })
})
