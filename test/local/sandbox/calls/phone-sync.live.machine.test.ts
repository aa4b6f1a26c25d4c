import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { peakOf } from '../../../support/media/tones.ts'
import { answer, receive, startSipp } from '../sip/peers/sipp.ts'
import { openPhoneRoom, PATIENCE } from './open-phone-room.ts'

const SIZE = { width: 64, height: 48 }
/** Seconds after which the flashes and beeps repeat: each has its column, from the left, and its tone. */
const COUNT = 8
const hertzOf = (place: number) => 600 + 200 * place
const AUDIO = ['m=audio 40100 RTP/AVP 0']
const VIDEO = ['m=video 40102 RTP/AVP 97', 'a=rtpmap:97 H264/90000', 'a=fmtp:97 packetization-mode=1', 'a=sendonly']

it('has the audio and the video of a phone at the same time in an archive', async () => {
  await using room = await openPhoneRoom()
  const { directory, ffmpegPath, call, sessionId, dial, fileOf } = room
  const [source, ports] = [join(directory, 'source.mkv'), join(directory, 'ports')]
  await makeFlashes(ffmpegPath, source)
  const note = (kind: string) =>
    `<ereg regexp="m=${kind} [0-9]+" search_in="body" check_it="true" assign_to="${kind}"/>` +
    `<exec command="echo '[$${kind}]' >> ${ports}"/>`
  const sipp = await startSipp('udp', [
    receive('INVITE', 'last', note('audio') + note('video')),
    answer('200 OK', { sdp: [...AUDIO, ...VIDEO], retrans: 500 }),
    '<recv request="ACK" crlf="true"/>',
    receive('BYE', 'inside'),
    answer('200 OK', { to: 'inside' }),
  ])
  const called = await dial(sipp, { video: true })
  await called.until('ACTIVE')
  const offered = await vi.waitFor(() => portsIn(ports), PATIENCE)
  const phone = spawn(ffmpegPath, ['-re', '-stream_loop', '-1', '-i', source, ...outputTo(offered)], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    phone.kill('SIGKILL')
    if (phone.exitCode === null && phone.signalCode === null) await once(phone, 'close')
  })

  await attempt(async () => {
    const { body } = await call('startArchive', { sessionId })
    await realClock.sleep(4_000)
    const path = await fileOf(body.id)
    const pictures = await decodePictures(ffmpegPath, path, SIZE)
    const parts = partsOf(await decodeAudio(ffmpegPath, path))
    const both = Array.from({ length: COUNT }, (_, place) => ({
      flashes: onsets(pictures.map((picture) => isLit(picture, place))).map((frame) => frame / 30),
      beeps: onsets(parts.map((part) => peakOf(part, hertzOf(place)) > 3_000)).map((part) => part / 100),
    }))
    const isInside = (time: number) => time > 0.2 && time < pictures.length / 30 - 0.4
    const seen = both.flatMap(({ flashes, beeps }) => flashes.filter(isInside).map((flash) => ({ flash, beeps })))
    expect(seen.length).toBeGreaterThan(1)
    // The recording is shorter than the repetition, so that each flash has one beep.
    for (const { flash, beeps } of seen) expect(beeps).toEqual([expect.closeTo(flash, 0.15)])
  })
  await call('forceDisconnect', { sessionId, connectionId: called.connectionId })
  await sipp.done
})

/** Makes a file with a flash and a beep in each second, which can be repeated. */
async function makeFlashes(ffmpegPath: string, path: string): Promise<void> {
  const flashes = Array.from({ length: COUNT }, (_, place) => {
    const isNow = `lt(mod(t+${COUNT - place},${COUNT}),0.12)`
    return `drawbox=x=${40 * place}:w=40:h=240:color=white:t=fill:enable='${isNow}'`
  })
  const tone = `sin(2*PI*(${hertzOf(0)}+200*mod(floor(t),${COUNT}))*t)`
  const beep = `aevalsrc='0.5*${tone}*lt(mod(t,1),0.12)':s=8000:d=${4 * COUNT}`
  const picture = `color=black:size=320x240:rate=30:duration=${4 * COUNT},${flashes.join()}`
  await promisify(execFile)(ffmpegPath, [
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', beep],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30', '-pix_fmt', 'yuv420p'],
    ...['-bsf:v', 'dump_extra=freq=keyframe', '-c:a', 'pcm_mulaw', path],
  ])
}

/** Returns the ports that SIPp has noted. @throws before both are there */
async function portsIn(path: string) {
  const text = await readFile(path, 'utf8')
  const portOf = (kind: string) => {
    const port = new RegExp(`m=${kind} (\\d+)`).exec(text)?.[1]
    if (port === undefined) throw new Error(`SIPp has not noted the port of ${kind}: ${text}`)
    return port
  }
  return { audio: portOf('audio'), video: portOf('video') }
}

const outputTo = ({ audio, video }: Awaited<ReturnType<typeof portsIn>>) => [
  ...['-map', '0:v', '-c', 'copy', '-payload_type', '97', '-f', 'rtp', `rtp://127.0.0.1:${video}`],
  // A packet of 20 ms, with its header.
  ...['-map', '0:a', '-c', 'copy', '-payload_type', '0', '-f', 'rtp', `rtp://127.0.0.1:${audio}?pkt_size=172`],
]

const isLit = ({ planes }: Awaited<ReturnType<typeof decodePictures>>[number], place: number) =>
  (planes[0].data[(SIZE.height / 2) * SIZE.width + ((place + 0.5) * SIZE.width) / COUNT] as number) > 120

/** Returns 10 ms at a time. */
const partsOf = (audio: Int16Array) =>
  Array.from({ length: Math.floor(audio.length / 480) }, (_, index) => audio.subarray(index * 480, (index + 1) * 480))

/** Returns the indexes at which something begins. */
const onsets = (isOn: readonly boolean[]) =>
  isOn.flatMap((on, index) => (on && index > 0 && !isOn[index - 1] ? [index] : []))
