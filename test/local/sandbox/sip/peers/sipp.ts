import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../../../../lib/clock.ts'
import type { Certificate } from '../../../../support/certificates.ts'
import { freePort } from '../../../../support/rtmp/free-port.ts'
import { findTool } from '../../../../support/tools.ts'
import { startTlsFront } from './tls-front.ts'

/** One step of a scenario, as XML of SIPp. */
export type Step = string

const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0']
/** @param lines those after an audio stream, or those of all streams */
const sdpOf = (port: number, lines: readonly string[]) =>
  lines[0]?.startsWith('m=')
    ? [...session, ...lines]
    : [...session, `m=audio ${port} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', ...lines]
const remembered = ['Via', 'From', 'To', 'CSeq', 'Call-ID'] as const

/** Waits for a request, and remembers the fields of its answer under a name. */
export const receive = (method: string, as = 'last', checks = ''): Step => {
  const actions = remembered.map(
    (name) => `<ereg regexp=".*" search_in="hdr" header="${name}:" assign_to="${as}${name.replace('-', '')}"/>`,
  )
  return `<recv request="${method}"><action>${actions.join('')}${checks}</action></recv>`
}

/** Waits for the answer to a request of the scenario. */
export const receiveStatus = (status: number, checks = ''): Step =>
  `<recv response="${status}"><action>${checks}</action></recv>`

interface Answer {
  /** Request that is answered, as `receive` remembers it. @default last */
  readonly to?: string
  readonly lines?: readonly string[]
  /** Lines of the SDP after those of an audio stream; absent without an SDP. */
  readonly sdp?: readonly string[]
  /** Port of the audio stream. @default 49170, at which nothing listens */
  readonly mediaPort?: number
  /** Milliseconds until the first retransmission. */
  readonly retrans?: number
}

const send = (lines: readonly string[], sdp: readonly string[] | undefined, retrans?: number, port = 49_170): Step => {
  const type = sdp ? ['Content-Type: application/sdp'] : []
  const body = sdp ? sdpOf(port, sdp) : []
  const text = [...lines, ...type, 'Content-Length: [len]', '', ...body, '']
  return `<send${retrans ? ` retrans="${retrans}"` : ''}><![CDATA[\n${text.join('\n')}\n]]></send>`
}

/** Sends a response. */
export const answer = (status: string, { to = 'last', lines = [], sdp, retrans, mediaPort }: Answer = {}): Step =>
  send(
    [
      `SIP/2.0 ${status}`,
      `Via:[$${to}Via]`,
      `From:[$${to}From]`,
      // A request inside the call has the tag.
      `To:[$${to}To]${to === 'inside' ? '' : ';tag=peer'}`,
      `Call-ID:[$${to}CallID]`,
      `CSeq:[$${to}CSeq]`,
      ...(lines.some((line) => line.startsWith('Contact')) ? [] : ['Contact: <sip:peer@[peer]>']),
      ...lines,
    ],
    sdp,
    retrans,
    mediaPort,
  )

/**
 * Sends a request inside the call that the first INVITE, remembered as `last`, began.
 * @param branch that of the ACK to a refusal is the branch of the INVITE two steps before
 */
export const request = (
  method: string,
  cseq: number,
  sdp?: readonly string[],
  branch = 'branch',
  lines: readonly string[] = [],
): Step =>
  send(
    [
      `${method} sip:showrunner@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[${branch}]`,
      'Max-Forwards: 70',
      'From:[$lastTo];tag=peer',
      'To:[$lastFrom]',
      'Call-ID:[$lastCallID]',
      `CSeq: ${cseq} ${method}`,
      'Contact: <sip:peer@[peer]>',
      ...lines,
    ],
    sdp,
    method === 'ACK' ? undefined : 500,
  )

export const pause = (milliseconds: number): Step => `<pause milliseconds="${milliseconds}"/>`

export interface Sipp {
  /** Address to dial. */
  readonly uri: string
  readonly port: number
  /** Resolves when the scenario is over. Rejects with SIPp's errors if it did not go as written. */
  readonly done: Promise<void>
}

/**
 * Plays a scenario for one call on a free port of 127.0.0.1. SIPp of Debian has no TLS, so there is a front before it.
 * @param certificate that of the front
 */
export async function startSipp(
  transport: 'udp' | 'tcp' | 'tls',
  steps: readonly Step[],
  certificate?: Certificate,
): Promise<Sipp> {
  const program = await findTool('sipp', 'sip-tester')
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-sipp-'))
  const names = [...new Set(steps.join('').matchAll(/assign_to="(\w+)"/g))].map(([, name]) => name)
  const variables = `<Reference variables="${[...new Set(names)].join(',')}"/>`
  const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<scenario name="test">${steps.join('\n')}\n${variables}</scenario>\n`
  await writeFile(join(folder, 'scenario.xml'), xml)
  const ownPort = await freePort()
  const front = transport === 'tls' && certificate ? await startTlsFront(certificate, ownPort) : undefined
  const port = front?.port ?? ownPort
  const peer = `127.0.0.1:${port};transport=${transport}`
  const ports = ['-i', '127.0.0.1', '-p', `${ownPort}`, '-mp', `${await freePort()}`]
  const settings = ['-sf', 'scenario.xml', ...ports, '-m', '1', '-key', 'peer', peer]
  const child = spawn(program, [...settings, '-t', transport === 'udp' ? 'u1' : 't1', '-nostdin', '-trace_err'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const done = once(child, 'close').then(async ([code]) => {
    const logs = (await readdir(folder)).filter((name) => name.endsWith('errors.log'))
    const errors = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')))
    front?.close()
    await rm(folder, { recursive: true })
    if (code !== 0) throw new Error(`SIPp ended with ${code}: ${errors.join('\n')}`)
  })
  done.catch(() => {}) // the test awaits it later
  await (transport === 'udp' ? bound(ownPort, child) : listening(ownPort, child))
  return { uri: `sip:bob@${peer}`, port, done }
}

/** Waits until a port of UDP is bound, or the program has ended: a message before would be sent again 500 ms later. */
async function bound(port: number, child: { readonly exitCode: number | null }): Promise<void> {
  const place = ` 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const isBound = async () => (await readFile('/proc/net/udp', 'latin1').catch(() => place)).includes(place)
  while (child.exitCode === null && !(await isBound())) await realClock.sleep(20)
}

/** Waits until a port takes connections, or the program has ended. */
async function listening(port: number, child: { readonly exitCode: number | null }): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await realClock.sleep(20)
  }
}
