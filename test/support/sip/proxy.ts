import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { realClock } from '../../../lib/clock.ts'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../rtmp/free-port.ts'
import { findTool } from '../tools.ts'

/** A proxy: Kamailio on 127.0.0.1, which stays in the path of each call, with rtpengine in the path of its media. */
export interface SipProxy {
  /** Its address, over TLS. */
  readonly uri: string
  /** Port of TLS. Phones that register there are called at it. */
  readonly tlsPort: number
  /** Returns the number of calls whose media it relays. */
  relayed(): Promise<number>
  close(): Promise<void>
}

export interface SipProxyOptions {
  /**
   * Offers the caller DTLS-SRTP when the phone changes the call, while the phone keeps what it has. RTCP is at the port of RTP,
   * at its own (`unmuxed`), or the proxy lets the caller begin the handshakes after its offers (`passive`).
   * @default what the phone offers
   */
  readonly dtls?: 'muxed' | 'unmuxed' | 'passive' | undefined
  /** Password and algorithm of the digest authentication of callers (RFC 8760). @default no authentication */
  readonly auth?: { readonly password: string; readonly algorithm: 'MD5' | 'SHA-256' } | undefined
}

const MODULES = 'tls sl tm rr pv siputils textops auth usrloc registrar rtpengine'.split(' ')

/** Starts a proxy whose server of TLS has the certificate. */
export async function startSipProxy(certificate: Certificate, options: SipProxyOptions = {}): Promise<SipProxy> {
  const { auth, dtls } = options
  const [kamailio, rtpengine] = [
    await findTool('kamailio', 'kamailio, kamailio-tls-modules'),
    await findTool('rtpengine', 'rtpengine-daemon'),
  ]
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-proxy-'))
  const [port, tlsPort, control, media] = [await freePort(), await freePort(), await freePort(), await freePort()]
  await writeFile(join(folder, 'key.pem'), certificate.key)
  await writeFile(join(folder, 'cert.pem'), certificate.cert)
  await writeFile(
    join(folder, 'kamailio.cfg'),
    configurationOf({ auth, relays: relaysOf(dtls), folder, port, tlsPort, control }),
  )
  let printed = ''
  const start = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
    return child
  }
  const ports = ['--port-min', `${media}`, '--port-max', `${media + 40}`]
  const listening = [`--listen-ng=127.0.0.1:${control}`, '--interface=127.0.0.1']
  // Table -1: it relays itself, since there is no module of the kernel.
  const relay = start(rtpengine, [
    '--config-file=none',
    '--table=-1',
    '--foreground',
    '-E',
    '--delete-delay=0',
    ...listening,
    ...ports,
  ])
  const files = ['-f', join(folder, 'kamailio.cfg'), '-Y', folder, '-P', join(folder, 'pid')]
  const children = [relay]
  const socket = createSocket('udp4').bind(0, '127.0.0.1')

  const check = () => {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error(`The proxy ended: ${printed}`)
  }
  let question = 0
  /** Asks rtpengine by its protocol. A question is sent again, with its number, until it is answered. */
  async function ask(command: string): Promise<string> {
    const number = `${++question} `
    let answer: string | undefined
    socket.on('message', (data) => {
      if (data.toString().startsWith(number)) answer = data.toString()
    })
    while (answer === undefined) {
      check()
      socket.send(`${number}d7:command${command.length}:${command}e`, control, '127.0.0.1')
      await realClock.sleep(50)
    }
    socket.removeAllListeners('message')
    return answer
  }
  async function close(): Promise<void> {
    socket.close()
    for (const child of children) {
      if (child.exitCode === null) child.kill()
      if (child.exitCode === null) await once(child, 'close')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await ask('ping')
    children.push(start(kamailio, [...files, '-DD', '-E', '-m', '64', '-M', '8']))
    await untilReady({ host: '127.0.0.1', port: tlsPort, ca: certificate.cert }, check)
  } catch (error) {
    await close()
    throw error
  }
  return {
    uri: `sip:127.0.0.1:${tlsPort};transport=tls`,
    tlsPort,
    relayed: async () => [...(/callsl(.*)e6:result/.exec(await ask('list'))?.[1] ?? '').matchAll(/\d+:/g)].length,
    close,
  }
}

/** Waits until a server takes connections of TLS. `check` throws if it never will. */
async function untilReady(options: ConnectionOptions, check: () => void): Promise<void> {
  for (;;) {
    check()
    const socket = connect(options)
    const isOpen = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await realClock.sleep(20)
  }
}

interface Configuration extends Pick<SipProxyOptions, 'auth'> {
  readonly relays: ReturnType<typeof relaysOf>
  readonly folder: string
  readonly port: number
  readonly tlsPort: number
  readonly control: number
}

/** Returns what rtpengine does with each offer of either side, and with answers. */
function relaysOf(dtls: SipProxyOptions['dtls']) {
  const plain = 'replace-origin replace-session-connection'
  if (!dtls) return { upstream: plain, downstream: plain, answer: plain }
  return {
    upstream: `${plain} UDP/TLS/RTP/SAVP ICE=remove rtcp-mux-${dtls === 'unmuxed' ? 'demux' : 'offer'}`,
    downstream: `${plain} RTP/AVP`,
    answer: dtls === 'passive' ? `${plain} DTLS=passive` : plain,
  }
}

/** Challenges the requests of the caller, which is the one that uses TLS. */
const challengeWith = ({ password, algorithm }: NonNullable<SipProxyOptions['auth']>) => `
  if (proto == TLS && !is_method("ACK|CANCEL")) {
    if ($aa != "${algorithm}" || !pv_proxy_authenticate("proxy", "${password}", "0")) {
      proxy_challenge("proxy", "1");
      exit;
    }
    consume_credentials();
  }`

const configurationOf = ({ auth, relays, ...at }: Configuration) => `#!KAMAILIO
children=1
tcp_children=1
log_stderror=yes
debug=1
listen=udp:127.0.0.1:${at.port}
listen=tcp:127.0.0.1:${at.port}
listen=tls:127.0.0.1:${at.tlsPort}
alias=localhost
enable_tls=yes
${MODULES.map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tls", "private_key", "${at.folder}/key.pem")
modparam("tls", "certificate", "${at.folder}/cert.pem")
modparam("tls", "tls_method", "TLSv1.2+")
modparam("rr", "enable_double_rr", 1)
modparam("registrar", "gruu_enabled", 0)
modparam("auth", "algorithm", "${auth?.algorithm ?? 'MD5'}")
modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${at.control}")
request_route {
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }${auth ? challengeWith(auth) : ''}
  if (has_totag()) {
    if (!loose_route()) {
      if (is_method("ACK") && t_check_trans()) t_relay();
      exit;
    }
  } else if (is_method("REGISTER")) {
    save("location");
    exit;
  } else {
    record_route();
    loose_route();
    if (uri == myself && !lookup("location")) {
      sl_send_reply("404", "Not Found");
      exit;
    }
  }
  if (is_method("INVITE") && is_direction("upstream")) rtpengine_manage("${relays.upstream}");
  else if (is_method("INVITE|ACK|BYE")) rtpengine_manage("${relays.downstream}");
  t_on_reply("MEDIA");
  t_relay();
}
onreply_route[MEDIA] {
  if (has_body("application/sdp")) rtpengine_manage("${relays.answer}");
}
`
