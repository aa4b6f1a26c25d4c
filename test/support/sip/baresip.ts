import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../../lib/clock.ts'
import type { Certificate } from '../certificates.ts'
import { peakOf } from '../media/tones.ts'
import { freePort } from '../rtmp/free-port.ts'
import { findTool } from '../tools.ts'
import { readWave } from './wave.ts'

export interface BaresipOptions {
  /** Hertz of the tone that it sends; `echo` returns what it hears. @default 440 */
  readonly sends?: number | 'echo'
  /** `any` takes what is offered. */
  readonly codec?: 'pcmu' | 'pcma' | 'opus' | 'any'
  /** Encrypts its media with SRTP, and takes no other: with keys in the SDP, or those of DTLS. @default false */
  readonly secure?: boolean | 'dtls'
  readonly transport?: 'udp' | 'tcp' | 'tls'
  /** Certificate of its TLS server. */
  readonly certificate?: Certificate
  /** Sends the picture of a file, again and again. @default no video */
  readonly video?: { readonly path: string; readonly codec: 'vp8' | 'any' } | undefined
  /** Answers at once. @default true */
  readonly answers?: boolean
}

/** A phone: the user agent of baresip on 127.0.0.1. */
export interface Baresip {
  /** Address to dial. */
  readonly uri: string
  /** Names of events so far, such as `CALL_ESTABLISHED`. */
  readonly events: readonly string[]
  /** Keys that the other side has pressed. */
  readonly digits: () => string
  until(event: string): Promise<void>
  /** Runs a command of baresip, such as `hangup`. Resolves when it has answered. */
  run(command: string, params?: string): Promise<void>
  /** Waits until it hears a tone, for as long as the call lasts. */
  untilHears(hertz: number): Promise<void>
  /** Ends it, and returns what it has heard: 16 bits, mono. */
  end(): Promise<{ readonly samples: Int16Array; readonly rate: number }>
  close(): Promise<void>
}

/** Bytes before the samples of a file. */
const WAVE_HEADER = 44

interface Message {
  readonly event?: boolean
  readonly type?: string
  readonly param?: string
  readonly response?: boolean
  readonly token?: string
}

/** Starts a phone. */
export async function startBaresip(options: BaresipOptions = {}): Promise<Baresip> {
  const { sends = 440, codec = 'pcmu', secure = false, transport = 'udp', answers = true, certificate, video } = options
  const program = await findTool('baresip', 'baresip')
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-baresip-'))
  const heard = join(folder, 'heard')
  await mkdir(heard)
  const [port, control, media] = [await freePort(), await freePort(), await freePort()]
  if (certificate) await writeFile(join(folder, 'tls.pem'), `${certificate.key}${certificate.cert}`)
  const source = sends === 'echo' ? 'aubridge,echo' : `ausine,${sends}`
  const lines = [
    // The port of TLS is the next.
    `sip_listen 127.0.0.1:${transport === 'tls' ? port - 1 : port}`,
    ...(certificate ? [`sip_certificate ${join(folder, 'tls.pem')}`] : []),
    'net_interface 127.0.0.1',
    `audio_source ${source}`,
    `audio_player aubridge,${sends === 'echo' ? 'echo' : 'none'}`,
    ...['ausrc', 'auplay'].flatMap((side) => [`${side}_srate 48000`, `${side}_channels 2`]),
    ...(video
      ? [`video_source avformat,${video.path}`, 'video_size 640x360', 'video_fps 25', 'video_bitrate 500000']
      : []),
    'module_path /usr/lib/baresip/modules',
    ...['ctrl_tcp', 'g711', 'opus', 'srtp', 'dtls_srtp', 'ausine', 'aubridge', 'sndfile'].map(
      (name) => `module ${name}.so`,
    ),
    ...(video ? ['avcodec', 'avformat', 'vp8'] : []).map((name) => `module ${name}.so`),
    ...['account', 'menu'].map((name) => `module_app ${name}.so`),
    `snd_path ${heard}`,
    `ctrl_tcp_listen 127.0.0.1:${control}`,
    `rtp_ports ${media}-${media + 20}`,
  ]
  await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`)
  const settings = ['regint=0', `answermode=${answers ? 'auto' : 'manual'}`]
  if (codec !== 'any') settings.push(`audio_codecs=${codec}`)
  if (video && video.codec !== 'any') settings.push(`video_codecs=${video.codec}`)
  if (secure) settings.push(`mediaenc=${secure === 'dtls' ? 'dtls_srtp' : 'srtp-mand'}`)
  await writeFile(join(folder, 'accounts'), `<sip:bob@127.0.0.1;transport=${transport}>;${settings.join(';')}\n`)
  const child = spawn(program, ['-f', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const ended = once(child, 'close')

  const events: string[] = []
  const keys: string[] = []
  const waiting = new Set<() => void>()
  let token = 0
  const answered = new Set<string>()
  const take = (message: Message) => {
    if (message.token !== undefined) answered.add(message.token)
    if (message.type === 'CALL_DTMF_START') keys.push(message.param ?? '')
    if (message.event && message.type) events.push(message.type)
    for (const check of waiting) check()
  }
  const socket = await connectTo(control, () => {
    if (child.exitCode !== null) throw new Error(`baresip ended with ${child.exitCode}: ${printed}`)
  })
  socket.on(
    'data',
    createNetstringReader((text) => take(JSON.parse(text))),
  )
  socket.on('error', () => {})

  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isTrue()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })

  /** Returns true if the end of what was heard so far has a tone. */
  async function hears(hertz: number): Promise<boolean> {
    const names = (await readdir(heard)).filter((each) => each.endsWith('dec.wav'))
    const files = await Promise.all(names.map((name) => readFile(join(heard, name))))
    return files.some((file) => {
      if (file.length <= WAVE_HEADER) return false
      const { samples, rate } = readWave(file)
      return peakOf(samples.subarray(-rate / 10), hertz, rate) > 2_000
    })
  }

  async function close(): Promise<void> {
    socket.destroy()
    child.kill('SIGKILL') // on SIGTERM it waits for transactions of SIP to end, which over UDP takes 32 s
    await ended
    await rm(folder, { recursive: true, force: true })
  }

  return {
    uri: `sip:bob@127.0.0.1:${port};transport=${transport}`,
    events,
    digits: () => keys.join(''),
    until: (event) => until(() => events.includes(event)),
    async run(command, params = '') {
      const own = `${++token}`
      const text = JSON.stringify({ command, params, token: own })
      socket.write(`${text.length}:${text},`)
      await until(() => answered.has(own))
    },
    async untilHears(hertz) {
      while (!(await hears(hertz))) {
        if (events.includes('CALL_CLOSED')) throw new Error(`The call is over before ${hertz} Hz was heard: ${printed}`)
        await realClock.sleep(50)
      }
    },
    async end() {
      socket.destroy()
      child.kill()
      await ended
      const names = await readdir(heard)
      const name = names.find((each) => each.endsWith('dec.wav'))
      if (!name) throw new Error(`baresip has heard nothing: ${printed}`)
      const file = await readFile(join(heard, name))
      await rm(folder, { recursive: true, force: true })
      return readWave(file)
    },
    close,
  }
}

async function connectTo(port: number, check: () => void): Promise<Socket> {
  for (;;) {
    check()
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
    await realClock.sleep(20)
  }
}

/** Returns a function that takes bytes and calls `onText` with each netstring in them. */
function createNetstringReader(onText: (text: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const colon = rest.indexOf(':')
      const length = Number(rest.subarray(0, colon))
      if (colon < 0 || rest.length < colon + length + 2) return
      onText(rest.toString('utf8', colon + 1, colon + 1 + length))
      rest = rest.subarray(colon + length + 2)
    }
  }
}
