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
}

/** A phone: the user agent of Linphone on 127.0.0.1, which answers at once and takes Opus only. */
export interface Linphone {
  /** Address to dial. */
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

/** Starts a phone that sends a tone, without a sound card. */
export async function startLinphone(options: LinphoneOptions = {}): Promise<Linphone> {
  const { sends = 620, secure = false } = options
  const program = await findTool('linphonec', 'linphone-cli')
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-linphone-'))
  const [tone, heard, settings] = ['tone.wav', 'heard.wav', 'settings'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(join(folder, '.local/share/linphone'), { recursive: true }) // for its database
  await writeFile(tone, writeWave(toneAt(sends, SECONDS * RATE), RATE))
  const [port, media] = [await freePort(), await freePort()]
  const codecs = [
    ['opus', RATE, 2, 1],
    ['PCMU', 8_000, 1, 0],
    ['PCMA', 8_000, 1, 0],
  ]
  const lines = [
    '[sip]',
    `sip_port=${port}`,
    `sip_tcp_port=${port}`,
    'sip_tls_port=-1',
    'guess_hostname=0',
    'use_ipv6=0',
    'contact=<sip:bob@127.0.0.1>',
    ...(secure ? ['media_encryption=srtp', 'media_encryption_mandatory=1'] : []),
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
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        printed += data
        if (printed.includes(`record ${heard}`)) resolve() // it repeats each command
      })
    void ended.then(() => reject(new Error(`linphonec ended: ${printed}`)))
  })
  for (const command of ['soundcard use files', `play ${tone}`, `record ${heard}`]) child.stdin.write(`${command}\n`)
  await ready

  async function close(): Promise<void> {
    if (child.exitCode === null) child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  return {
    uri: `sip:bob@127.0.0.1:${port}`,
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
