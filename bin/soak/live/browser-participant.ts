import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import type { FlashFiles } from './flash-files.ts'

/** Times at which flashes and beeps began, in milliseconds since the epoch. */
export interface Observed {
  readonly flashes: readonly number[]
  readonly beeps: readonly number[]
}

/** A Chromium that publishes files in place of a camera and a microphone. */
export interface BrowserParticipant {
  /** Returns the times at which Chromium has captured each flash and beep. */
  observed(): Promise<Observed>
  close(): Promise<void>
}

export interface BrowserJoinOptions {
  readonly executablePath: string
  readonly files: FlashFiles
  /** Address of the WHIP door. */
  readonly address: string
  /** Client token. */
  readonly token: string
}

const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
]

/**
 * Returns the path of Chromium: `CHROME_PATH`, else `chromium` or `google-chrome` in PATH.
 * @throws Error that says what to install
 */
export async function findChromium(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { CHROME_PATH, PATH = '' } = environment
  const named = PATH.split(delimiter).flatMap((folder) =>
    ['chromium', 'google-chrome'].map((name) => join(folder, name)),
  )
  for (const path of CHROME_PATH ? [CHROME_PATH] : named) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error('Chromium was not found: install it, or set CHROME_PATH to it.')
}

/** Starts a separate Chromium, which plays its own files, and publishes by WHIP. */
export async function joinByBrowser({
  executablePath,
  files,
  address,
  token,
}: BrowserJoinOptions): Promise<BrowserParticipant> {
  const capture = [
    `--use-file-for-fake-video-capture=${files.video}`,
    `--use-file-for-fake-audio-capture=${files.audio}`,
  ]
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Page</title>'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...capture] })
  const close = async () => {
    await browser.close()
    server.close()
  }
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.evaluate(`(${PUBLISH})(${JSON.stringify({ address, token })})`)
    return { observed: () => page.evaluate<Observed>('observed()'), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * A function in the page: publishes camera and microphone, and notes when each flash and each beep was captured. A busy
 * browser reads some frames late: the least delay of a frame counts as none.
 */
const PUBLISH = `async ({ address, token }) => {
  const raw = { echoCancellation: false, autoGainControl: false, noiseSuppression: false }
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 240 }, audio: raw })
  const observe = (track, onsetIn) => {
    const reader = new MediaStreamTrackProcessor({ track: track.clone() }).readable.getReader()
    const times = []
    let least = Infinity
    let wasOn = true
    const read = async () => {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        const began = value.timestamp / 1000
        const length = value.numberOfFrames ? value.duration / 1000 : 0
        least = Math.min(least, performance.timeOrigin + performance.now() - began - length)
        const onset = await onsetIn(value)
        const isOn = onset !== undefined
        if (isOn && !wasOn) times.push(began + onset)
        wasOn = isOn
        value.close()
      }
    }
    read()
    return () => times.map((time) => time + least)
  }
  const flashIn = async (frame) => {
    const bytes = new Uint8Array(frame.allocationSize())
    const [{ offset, stride }] = await frame.copyTo(bytes)
    return bytes[offset + (frame.codedHeight >> 1) * stride + (frame.codedWidth >> 1)] > 128 ? 0 : undefined
  }
  const beepIn = (data) => {
    const samples = new Float32Array(data.numberOfFrames)
    data.copyTo(samples, { planeIndex: 0, format: 'f32-planar' })
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.1)
    return first < 0 ? undefined : (first * 1000) / data.sampleRate
  }
  const [video] = stream.getVideoTracks()
  const [audio] = stream.getAudioTracks()
  const flashes = observe(video, flashIn)
  const beeps = observe(audio, beepIn)
  const observed = () => ({ flashes: flashes(), beeps: beeps() })
  const peer = new RTCPeerConnection()
  for (const track of [video, audio]) peer.addTransceiver(track, { direction: 'sendonly', streams: [stream] })
  await peer.setLocalDescription()
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/sdp' },
    body: peer.localDescription.sdp,
  })
  if (response.status !== 201) throw new Error('The sandbox answered with ' + response.status + '.')
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  Object.assign(window, { peer, observed })
}`
