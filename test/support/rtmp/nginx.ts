import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findTool } from '../tools.ts'
import { freePort } from './free-port.ts'

/** Where Debian puts nginx's RTMP module. */
const MODULE = '/usr/lib/nginx/modules/ngx_rtmp_module.so'

/** An nginx with its RTMP module: a server that has nothing to do with this project. */
export interface Nginx {
  readonly port: number
  /** URL of an application that takes every publish. */
  readonly open: string
  /** URL of an application that asks the test about each publish. */
  readonly asking: string
  /** URL of an application that takes none: `deny publish all`. */
  readonly denying: string
  /** Where it keeps what has been published under a name, as FLV. */
  recordingOf(streamName: string): string
  /** Whether what was published under a name has ended, so that all of it is kept. */
  isOver(streamName: string): boolean
  /** Ends it at once, with its connections. */
  kill(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts nginx on a free port of 127.0.0.1, with everything of its own in a temporary folder.
 * @param admits asked for each publish to `asking`, with the stream's name
 * @throws Error that names the Debian package to install
 */
export async function startNginx(admits: (streamName: string) => Promise<boolean> | boolean): Promise<Nginx> {
  const program = await findTool('nginx', 'nginx')
  await access(MODULE).catch(() => {
    throw new Error('This test needs the RTMP module of nginx: apt-get install libnginx-mod-rtmp.')
  })
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-nginx-'))
  const over = new Set<string>()
  const gate = await startGate(admits, (streamName) => over.add(streamName))
  const port = await freePort()
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, (gate.address() as AddressInfo).port))
  const args = ['-p', `${folder}/`, '-e', 'stderr', '-c', 'nginx.conf']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const words = text(child.stderr)
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const close = async () => {
    await kill()
    gate.closeAllConnections()
    await new Promise((resolve) => gate.close(resolve))
    await rm(folder, { recursive: true })
  }
  while (!(await accepts(port))) {
    if (child.exitCode === null && child.signalCode === null) continue
    await close()
    throw new Error(`nginx did not start: ${await words}`)
  }
  const url = (application: string) => `rtmp://127.0.0.1:${port}/${application}`
  return {
    port,
    ...{ open: url('open'), asking: url('asking'), denying: url('denying') },
    recordingOf: (streamName) => join(folder, `${streamName}.flv`),
    isOver: (streamName) => over.has(streamName),
    kill,
    close,
  }
}

/** One process in the foreground, so that whoever ends it ends all of it; whoever runs it, it needs no rights. */
const configuration = (folder: string, port: number, gatePort: number) => `
load_module ${MODULE};
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 64; }
rtmp {
  access_log off;
  server {
    listen 127.0.0.1:${port};
    record all;
    record_path ${folder};
    record_suffix .flv;
    on_publish_done http://127.0.0.1:${gatePort}/;
    application open { live on; }
    application asking { live on; on_publish http://127.0.0.1:${gatePort}/; }
    application denying { live on; deny publish all; }
  }
}
`

/** What nginx asks before it takes a publish, anything but 2xx refusing it, and tells of its end: forms that name the stream. */
async function startGate(
  admits: (streamName: string) => Promise<boolean> | boolean,
  onOver: (streamName: string) => void,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const streamName = form.get('name') ?? ''
    const isOver = form.get('call') === 'publish_done'
    if (isOver) onOver(streamName)
    response.writeHead(isOver || (await admits(streamName)) ? 200 : 403).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Whether somebody listens. */
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
