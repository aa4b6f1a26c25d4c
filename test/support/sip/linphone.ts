import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../../lib/clock.ts'
import { toneAt } from '../media/tones.ts'
import { freePort } from '../rtmp/free-port.ts'
import { findTool } from '../tools.ts'
import { readWave, writeWave } from './wave.ts'

export interface LinphoneOptions {
  /** Hertz of the tone that it sends. @default 620 */
  readonly sends?: number
  /** Encrypts its media with SRTP, and takes no other. @default false */
  readonly secure?: boolean
  /**
   * Registers over TLS at a port of localhost, whose certificate must be that of `ca`. Linphone takes no connections of
   * TLS, so a call arrives over the one that it has opened. @default it is called directly
   */
  readonly registrar?: { readonly port: number; readonly ca: string }
}

/** A phone: the user agent of Linphone on 127.0.0.1, which answers at once and takes Opus only. */
export interface Linphone {
  /** Address to dial, which is that of the registrar if there is one. */
  readonly uri: string
  /** Waits until it has heard two seconds. */
  untilRecorded(): Promise<void>
  /** Hangs up. */
  hangup(): void
  /** Ends it, and returns what it has heard: 16 bits, mono. */
  end(): Promise<{ readonly samples: Int16Array; readonly rate: number }>
  close(): Promise<void>
}

const RATE = 48_000
/** Seconds of the tone that it plays. */
const SECONDS = 60

/** Starts a phone that sends a tone, without a sound card. @throws Error if it refuses the certificate of the registrar */
export async function startLinphone(options: LinphoneOptions = {}): Promise<Linphone> {
  const { sends = 620, secure = false, registrar } = options
  const program = await findTool('linphonec', 'linphone-cli')
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-linphone-'))
  const [tone, heard, settings, ca] = ['tone.wav', 'heard.wav', 'settings', 'ca.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  await mkdir(join(folder, '.local/share/linphone'), { recursive: true }) // for its database
  await writeFile(tone, writeWave(toneAt(sends, SECONDS * RATE), RATE))
  if (registrar) await writeFile(ca, registrar.ca)
  const [port, media] = [await freePort(), await freePort()]
  const codecs = [
    ['opus', RATE, 2, 1],
    ['PCMU', 8_000, 1, 0],
    ['PCMA', 8_000, 1, 0],
  ]
  const lines = [
    '[sip]',
    ...(registrar
      ? ['sip_port=-1', 'sip_tcp_port=-1', 'sip_tls_port=-2'] // any, for its own connections
      : [`sip_port=${port}`, `sip_tcp_port=${port}`, 'sip_tls_port=-1']),
    'guess_hostname=0',
    'use_ipv6=0',
    'contact=<sip:bob@127.0.0.1>',
    ...(secure ? ['media_encryption=srtp', 'media_encryption_mandatory=1'] : []),
    ...(registrar ? registeringAt(registrar.port, ca) : []),
    '[rtp]',
    `audio_rtp_port=${media}`,
    '[video]',
    'enabled=0',
    ...codecs.flatMap(([mime, rate, channels, enabled], index) => [
      `[audio_codec_${index}]`,
      ...[`mime=${mime}`, `rate=${rate}`, `channels=${channels}`, `enabled=${enabled}`],
    ]),
  ]
  await writeFile(settings, `${lines.join('\n')}\n`)
  const child = spawn(program, ['-c', settings, '-a'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  child.stdin.on('error', () => {}) // it has ended
  for (const command of ['soundcard use files', `play ${tone}`, `record ${heard}`]) child.stdin.write(`${command}\n`)
  const isReady = () => printed.includes(registrar ? 'registered, identity' : `record ${heard}`) // it repeats each command
  try {
    while (!isReady()) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`linphonec ended: ${printed}`)
      if (printed.includes('verification failed')) throw new Error(`linphonec refuses the certificate: ${printed}`)
      if (registrar) child.stdin.write('status register\n')
      await realClock.sleep(50)
    }
  } catch (error) {
    await close()
    throw error
  }

  async function close(): Promise<void> {
    if (child.exitCode === null) child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  return {
    uri: `sip:bob@127.0.0.1:${registrar?.port ?? port}`,
    async untilRecorded() {
      while (((await stat(heard).catch(() => undefined))?.size ?? 0) < 4 * RATE) await realClock.sleep(50)
    },
    hangup: () => void child.stdin.write('terminate\n'),
    async end() {
      child.stdin.write('quit\n')
      await ended
      const wave = readWave(await readFile(heard))
      await close()
      return wave
    },
    close,
  }
}

/** Settings of the section `sip` and of the registration. The library reads no addresses in certificates, but names. */
const registeringAt = (port: number, ca: string) => [
  'default_proxy=0',
  `root_ca=${ca}`,
  'verify_server_certs=1',
  'verify_server_cn=1',
  '[proxy_0]',
  `reg_proxy=<sip:localhost:${port};transport=tls>`,
  'reg_identity=sip:bob@localhost',
  'reg_sendregister=1',
  'publish=0',
]
