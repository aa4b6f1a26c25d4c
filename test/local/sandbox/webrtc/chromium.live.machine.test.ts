import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { childrenWith } from '../../../support/processes.ts'
import { eventually } from './open-doors.ts'
import { openRecording } from './open-recording.ts'

/** A function in the publisher's page: publishes a canvas that is red and blue in turn, for a second each, and a tone. */
const PUBLISH = `async ({ address, token }) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
  const context = canvas.getContext('2d')
  setInterval(() => {
    const now = Date.now()
    context.fillStyle = Math.floor(now / 1000) % 2 ? '#f00' : '#00f'
    context.fillRect(0, 0, 320, 240)
    context.fillStyle = '#fff'
    context.fillRect(now % 320, 0, 8, 8)
  }, 33)
  const audio = new AudioContext()
  const destination = audio.createMediaStreamDestination()
  const oscillator = audio.createOscillator()
  oscillator.connect(destination)
  oscillator.start()
  const peer = new RTCPeerConnection()
  for (const track of [...canvas.captureStream(30).getTracks(), ...destination.stream.getTracks()])
    peer.addTransceiver(track, { direction: 'sendonly' })
  await peer.setLocalDescription()
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/sdp' },
    body: peer.localDescription?.sdp ?? '',
  })
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  return response.headers.get('location')
}`

/** A function in the viewer's page: subscribes to a stream, and defines \`look\`, which returns what has arrived. */
const SUBSCRIBE = `async ({ address, token }) => {
  const peer = new RTCPeerConnection()
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' })
  const video = Object.assign(document.createElement('video'), { autoplay: true, muted: true })
  const stream = new MediaStream()
  peer.ontrack = ({ track }) => {
    stream.addTrack(track)
    video.srcObject = stream
  }
  await peer.setLocalDescription()
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/sdp' },
    body: peer.localDescription?.sdp ?? '',
  })
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  const context = document.createElement('canvas').getContext('2d')
  Object.assign(window, {
    async look() {
      context.drawImage(video, 0, 0, 4, 4)
      const [red = 0, , blue = 0] = context.getImageData(2, 2, 1, 1).data
      const stats = [...(await peer.getStats()).values()].filter(({ type }) => type === 'inbound-rtp')
      const of = (kind) => stats.find((one) => one.kind === kind) ?? {}
      return {
        size: video.videoWidth + 'x' + video.videoHeight,
        colour: red > 150 ? 'red' : blue > 150 ? 'blue' : 'dark',
        audioPackets: of('audio').packetsReceived ?? 0,
        connection: peer.connectionState,
      }
    },
  })
}`

interface Seen {
  readonly size: string
  readonly colour: 'red' | 'blue' | 'dark'
  readonly audioPackets: number
  readonly connection: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'
}

/** Opens two pages whose origin is another port of this machine. */
async function openPages(): Promise<[Page, Page]> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Page</title>'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    return page
  }
  return [await open(), await open()]
}

it('one Chromium page publishes, another one receives it, and the archive contains it', async () => {
  const { door, clientToken, moderator, record } = await openRecording()
  const [publisher, viewer] = await openPages()
  const run = (page: Page, script: string, argument: object) =>
    page.evaluate(`(${script})(${JSON.stringify(argument)})`)
  expect(await run(publisher, PUBLISH, { address: door('whip'), token: await clientToken() })).toContain('/whip/')
  const { stream } = await moderator.event('streamCreated')
  const token = await clientToken({ role: 'subscriber' })
  const subscribe = () => run(viewer, SUBSCRIBE, { address: door('whep', { stream: stream.id }), token })
  await subscribe()

  const colours = new Set<string>()
  const last = await eventually(
    async () => {
      const seen = await viewer.evaluate<Seen>('look()')
      colours.add(seen.colour)
      if (seen.connection === 'failed') await subscribe() // a busy machine loses connections
      return seen
    },
    ({ audioPackets }) => colours.has('red') && colours.has('blue') && audioPackets > 20,
  )
  const [width = 0, height = 1] = last.size.split('x').map(Number)
  expect(width / height).toBeCloseTo(4 / 3, 1) // a busy browser sends a smaller picture

  const middle = ({ data, width, height }: { data: Uint8Array; width: number; height: number }) =>
    data[(height / 2) * width + width / 4] as number
  await attempt(async () => {
    const { pictures } = await record(0, async () => {
      await eventually(
        () => childrenWith(' -f ivf -protocol_whitelist pipe').length,
        (decoders) => decoders > 0,
      )
      await realClock.sleep(6_000)
    })
    const recorded = pictures.map(({ planes: [, u, v] }) =>
      middle(v) > 180 ? 'red' : middle(u) > 180 ? 'blue' : 'dark',
    )
    expect(recorded.filter((colour) => colour === 'red').length).toBeGreaterThan(30)
    expect(recorded.filter((colour) => colour === 'blue').length).toBeGreaterThan(30)
    expect(recorded.slice(-3 * 30)).not.toContain('dark')
  })
})
