import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../publish/tools.ts'
import type { MediaServer } from './door.ts'
import { openJanusHandle } from './janus-handle.ts'

/** Milliseconds between two questions. */
const POLL_INTERVAL = 50
/** Where Debian's package has put the other plugins and transports, which are not loaded. */
const UNUSED = {
  plugins: ['echotest', 'lua', 'duktape', 'nosip', 'recordplay', 'sip', 'streaming', 'textroom'].concat(
    'videocall',
    'voicemail',
  ),
  transports: ['websockets', 'rabbitmq', 'pfunix', 'mqtt', 'nanomsg'],
} as const

/** Returns the path of Janus; undefined when it is not installed (`apt-get install janus`). */
export const findJanus = () => findProgram('janus')

/** A process of Janus. */
export interface JanusProcess extends Pick<MediaServer, 'pid' | 'close'> {
  /** Base of its HTTP transport. */
  readonly url: string
}

/** Starts Janus with its HTTP transport, on a free port. */
export async function startJanusProcess(path: string, signal: AbortSignal): Promise<JanusProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-janus-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/janus`
  await writeConfiguration(folder, port)
  const child = spawn(path, ['-F', folder], { stdio: 'ignore', signal, killSignal: 'SIGKILL' })
  child.on('error', () => {}) // an abort
  const ended = once(child, 'exit').catch(() => {})
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    while (!(await fetch(`${url}/info`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`Janus exited with code ${child.exitCode}.`)
      await sleep(POLL_INTERVAL, undefined, { signal })
    }
    return { pid: child.pid ?? 0, url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts Janus, whose plugin videoroom forwards media. */
export async function startJanus(path: string, signal: AbortSignal): Promise<MediaServer> {
  const { pid, url, close } = await startJanusProcess(path, signal)
  try {
    const { ask } = await openJanusHandle(url)
    return {
      pid,
      async openDoor() {
        const codecs = { audiocodec: 'opus', videocodec: 'vp8' }
        const { data } = await ask({ request: 'create', publishers: 100, bitrate: 0, ...codecs })
        return { server: 'janus', url, room: Number(data.room) }
      },
      async untilPublished(door, count) {
        if (door.server !== 'janus') throw new Error('The door is not one of Janus.')
        for (;;) {
          const { data } = await ask({ request: 'listparticipants', room: door.room })
          const published = (data.participants as { id: number; publisher: boolean }[]).filter((one) => one.publisher)
          if (published.length >= count) return published.map(({ id }) => String(id))
          await sleep(POLL_INTERVAL, undefined, { signal })
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function writeConfiguration(folder: string, port: number): Promise<void> {
  const disable = (kind: 'plugins' | 'transports', word: string) =>
    `${kind}: { disable = "${UNUSED[kind].map((name) => `libjanus_${name}${word}.so`).join()}" }\n`
  const general = `general: { configs_folder = "${folder}", debug_level = 1 }\n`
  await writeFile(join(folder, 'janus.jcfg'), general + disable('plugins', '') + disable('transports', ''))
  const bridge = 'general: { local_ip = "127.0.0.1" }\n'
  await writeFile(join(folder, 'janus.plugin.audiobridge.jcfg'), bridge)
  await writeFile(
    join(folder, 'janus.transport.http.jcfg'),
    `general: { json = "compact", base_path = "/janus", http = true, port = ${port}, ip = "127.0.0.1", https = false }\n`,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
