import { get } from 'node:http'
import { expect, it } from 'vitest'
import { openDoors } from './webrtc/open-doors.ts'
import { publishByFfmpeg } from './webrtc/publish-by-ffmpeg.ts'

/** An address that every Linux has beside 127.0.0.1. */
const ADDRESS = '127.0.0.2'

/** Returns the status of a request that names a host. */
const statusFor = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode)).once('error', reject)
  })

it('a sandbox with an address listens and answers WebRTC peers there, and under no other name', async () => {
  const world = await openDoors(undefined, { address: ADDRESS })
  const { host, port } = new URL(world.url)
  expect(host).toBe(`${ADDRESS}:${port}`)
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
  const control = `${world.url}/sandbox/clock`
  expect([await statusFor(control, host), await statusFor(control, `192.0.2.1:${port}`)]).toEqual([401, 403])
  const moderator = await world.watch()
  await publishByFfmpeg(world.door('whip'), await world.clientToken())
  expect((await moderator.event('streamCreated')).stream).toMatchObject({ hasAudio: true, hasVideo: true })
})
