import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type RtpPacket, Vp8RtpPayload } from 'werift'
import { vp8Indices, vp8KeyframeSize } from '../../../../local/sandbox/media/live/vp8.ts'
import { openBadNetwork } from '../../../support/bad-network.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { childrenWith } from '../../../support/processes.ts'
import { eventually } from './open-doors.ts'
import { openRecording } from './open-recording.ts'
import { type Received, receive } from './receive.ts'

/** A function in the page: publishes a moving picture of 640x360, as it is and in half its width and height. */
const PUBLISH = `async ({ address, token }) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
  const context = canvas.getContext('2d')
  setInterval(() => {
    context.fillStyle = '#08f'
    context.fillRect(0, 0, 640, 360)
    context.fillStyle = '#fff'
    context.fillRect(Date.now() / 4 % 640, 100, 40, 160)
  }, 33)
  const peer = new RTCPeerConnection()
  const { sender } = peer.addTransceiver(canvas.captureStream(30).getVideoTracks()[0], {
    direction: 'sendonly',
    sendEncodings: [
      { rid: 'half', scaleResolutionDownBy: 2, maxBitrate: 150_000 },
      { rid: 'full', scaleResolutionDownBy: 1, maxBitrate: 500_000 },
    ],
  })
  await peer.setLocalDescription()
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/sdp' },
    body: peer.localDescription.sdp,
  })
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  // Else a busy machine would send smaller pictures.
  await sender.setParameters({ ...sender.getParameters(), degradationPreference: 'maintain-resolution' })
  Object.assign(window, {
    /** Stops the large layer, or sends it again. */
    async turn(active) {
      const parameters = sender.getParameters()
      parameters.encodings.find(({ rid }) => rid === 'full').active = active
      await sender.setParameters(parameters)
    },
    /** Returns the packets that each layer has sent again. */
    async repaired() {
      const reports = [...(await peer.getStats()).values()].filter(({ type }) => type === 'outbound-rtp')
      return Object.fromEntries(reports.map(({ rid, retransmittedPacketsSent }) => [rid, retransmittedPacketsSent]))
    },
  })
  return peer.localDescription.sdp
}`

async function openPage() {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>A</title>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return page
}

/** Returns the sizes of the keyframes that a subscriber has received, without repetitions. */
function sizes({ video }: Received): string[] {
  const found = video.packets.flatMap(({ payload }) => {
    const part = Vp8RtpPayload.deSerialize(payload)
    const size = part.sBit && part.payload ? vp8KeyframeSize(part.payload) : undefined
    return size ? [`${size.width}x${size.height}`] : []
  })
  return found.filter((size, index) => size !== found[index - 1])
}

/** Expects each counter of a stream to increase by one or to stay, so that a receiver sees no switch. */
function expectContinuous(packets: readonly RtpPacket[]): void {
  const inOrder = packets.toSorted((one, other) => (one.header.sequenceNumber - other.header.sequenceNumber) << 16)
  const steps = inOrder.slice(1).map((packet, index) => {
    const before = inOrder[index] as RtpPacket
    const picture = ({ payload }: RtpPacket) => vp8Indices(payload).pictureId ?? 0
    expect((packet.header.timestamp - before.header.timestamp) | 0).toBeGreaterThanOrEqual(0)
    return [
      (packet.header.sequenceNumber - before.header.sequenceNumber) & 0xffff,
      (picture(packet) - picture(before)) & 0x7fff,
    ] as const
  })
  const regular = steps.filter(([sequence, picture]) => sequence === 1 && picture <= 1)
  expect(regular.length).toBeGreaterThan(0.95 * steps.length) // a busy machine loses packets
}

/** A network that loses one packet in twenty, and the share that is missing after all. */
const LOSS = { loss: 0.05, jitter: 0 }
const MAX_LOST = 0.005

/** Waits until each receiver has so many packets more. */
async function more(receivers: readonly Received[], count: number): Promise<void> {
  const before = receivers.map(({ video }) => video.packets.length)
  await eventually(
    () => receivers.map(({ video }, index) => video.packets.length - (before[index] ?? 0)),
    (counts) => counts.every((packets) => packets > count),
  )
}

/** Returns the share of the sequence numbers from a packet on that a subscriber has not received. */
function missing(packets: readonly RtpPacket[], from: number): number {
  const numbers = packets.slice(from).map(({ header }) => header.sequenceNumber)
  const [first = 0] = numbers
  const places = new Set(numbers.map((number) => ((number - first) << 16) >> 16).filter((place) => place >= 0))
  return 1 - places.size / (Math.max(...places) + 1)
}

it('lost packets of each layer are sent again, to the sandbox and by it, also after the layer has changed', async () => {
  const { url, door, clientToken, moderator } = await openRecording()
  const [published, received] = [await openBadNetwork(url, 1), await openBadNetwork(url, 2)]
  const page = await openPage()
  const address = published.through(door('whip'))
  await page.evaluate(`(${PUBLISH})(${JSON.stringify({ address, token: await clientToken() })})`)
  const { stream } = await moderator.event('streamCreated')
  const token = await clientToken({ role: 'subscriber' })
  const small = await receive(door('whep', { stream: stream.id, width: '320', height: '180' }), token)
  const large = await receive(received.through(door('whep', { stream: stream.id })), token)
  const sees = (size: string) =>
    eventually(
      () => sizes(large).at(-1),
      (last) => last === size,
    )
  await sees('640x360')
  await eventually(
    () => sizes(small).at(-1),
    (last) => last === '320x180',
  )

  for (const network of [published, received]) network.set(LOSS)
  await more([small, large], 120)
  const repaired = () => page.evaluate<Record<string, number>>('repaired()')
  await eventually(repaired, ({ full = 0 }) => full > 0)
  await page.evaluate('turn(false)')
  await sees('320x180')
  await more([large], 30) // of the time before, packets are not sent again
  await attempt(async () => {
    const begun = [small, large].map(({ video }) => video.packets.length)
    for (const network of [published, received]) network.set(LOSS)
    await more([small, large], 120)
    for (const network of [published, received]) network.set({ loss: 0, jitter: 0 })
    await more([small, large], 30)
    for (const [index, { video }] of [small, large].entries())
      expect(missing(video.packets, begun[index] ?? 0)).toBeLessThan(MAX_LOST)
  })
  expect(Math.min(published.passed.lost, received.passed.lost)).toBeGreaterThan(5)
  await eventually(repaired, ({ half = 0 }) => half > 0)
  expect(Object.keys(await repaired()).toSorted()).toEqual(['full', 'half'])
})

it('each receiver of simulcast gets the layer that fits its size', async () => {
  const { door, clientToken, moderator, record, url, sessionId, controlToken } = await openRecording()
  const page = await openPage()
  const offer = await page.evaluate(
    `(${PUBLISH})(${JSON.stringify({ address: door('whip'), token: await clientToken() })})`,
  )
  expect(offer).toContain('a=simulcast:send half;full')
  const { stream } = await moderator.event('streamCreated')
  const token = await clientToken({ role: 'subscriber' })
  const small = await receive(door('whep', { stream: stream.id, width: '320', height: '180' }), token)
  const large = await receive(door('whep', { stream: stream.id }), token)
  await eventually(
    () => [sizes(small).at(-1), sizes(large).at(-1)],
    ([one, other]) => one === '320x180' && other === '640x360',
  )
  const received = small.video.packets.length
  await eventually(
    () => [sizes(small).at(-1), sizes(large).at(-1)], // a busy browser stops sending the large one for a while
    ([one, other]) => small.video.packets.length > received + 30 && one === '320x180' && other === '640x360',
  )
  for (const { video } of [small, large]) expectContinuous(video.packets)

  const scaled = (size: string) =>
    childrenWith(` -f ivf -protocol_whitelist pipe -i pipe:0 -vf fps=30:start_time=0,scale=${size}:`)
  await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}` },
    body: '{}',
  })
  const { pictures } = await record(3, async () => {
    await eventually(
      () => [scaled('320:180').length, scaled('640:360').length],
      ([low, high]) => low === 1 && high === 0,
    )
  })
  const blue = pictures.map(({ planes: [, u] }) => u.data.filter((value) => value > 150).length / u.data.length)
  expect(blue.at(-1)).toBeGreaterThan(0.1)
  await small.leave()
  await large.leave()
})
