import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import type { Broadcast } from '../../../lib/platform/contract/broadcasts.ts'
import { listen } from '../../../local/cloud/server.ts'
import { measureLateness } from '../lateness.ts'
import { readPlaylist } from '../media/playlists.ts'
import { startSandboxProgram } from '../ready-program.ts'

/** The sandbox as its users start it, in real time, and what it tells of its broadcasts. */
export interface LiveSandbox {
  /** Broadcasts a session of its own with one participant. */
  broadcast(outputs: Outputs): Promise<LiveBroadcast>
  /** Ends it, and gives all that it has printed after its first line, which hands out credentials. */
  end(): Promise<string>
  close(): Promise<void>
}

export interface LiveBroadcast {
  /** URL of the playlist. */
  readonly playlist: string
  /** Returns when a segment of the playlist begins, in milliseconds since the epoch; a negative index counts from its end. */
  startOf(segment: number): Promise<number>
  /** Path of the playlist with all segments. */
  readonly file: string
  /** The statuses of its RTMP outputs by their ids, each as often as it has changed. */
  histories(): Record<string, string[]>
  /** Resolves, once a callback reports that an output is offline, with the time from the start and what of it was lateness. */
  offlineAfter(id: string): Promise<{ readonly ms: number; readonly late: number }>
  /** Waits for the RTMP outputs to have these statuses. */
  until(statuses: Record<string, string>): Promise<void>
  /** Waits until so many seconds more are in the playlist. */
  goOn(seconds: number): Promise<void>
  stop(): Promise<void>
}

interface Outputs {
  readonly dvr?: boolean
  readonly lowLatency?: boolean
  readonly resolution?: '640x480' | '1280x720'
  readonly rtmp?: { readonly id: string; readonly serverUrl: string; readonly streamName: string }[]
}

/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 300_000, interval: 100 }

export async function startLiveSandbox(
  environment: NodeJS.ProcessEnv,
  options: readonly string[] = [],
): Promise<LiveSandbox> {
  const sent: Broadcast[] = []
  const ear = await listen(async (request) => {
    const body = (await request.json()) as Broadcast & { event: string }
    if (body.event === 'broadcast') sent.push(body)
    return new Response()
  })
  const data = await mkdtemp(join(tmpdir(), 'showrunner-live-'))
  const program = await startSandboxProgram(['--data', data, ...options], environment)
  const { url, apiKey, apiSecret, controlToken } = program.ready
  const meter = measureLateness(program.child.pid)
  const platform = createPlatformClient({ baseUrl: url, apiKey, apiSecret, timeout: PATIENCE.timeout })
  const control = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${controlToken}` }
    const { status } = await fetch(`${url}/sandbox${path}`, { method, headers, body: JSON.stringify(body) })
    if (status >= 300) throw new Error(`The control interface answered ${status} to ${method} ${path}.`)
  }
  await control('PUT', `/projects/${apiKey}/callbacks`, { url: ear.url, secret: 'of the callbacks' })

  async function broadcast({ dvr = false, lowLatency = false, resolution, rtmp }: Outputs): Promise<LiveBroadcast> {
    const [session] = await platform.createSession()
    const sessionId = session?.session_id ?? ''
    await control('POST', `/sessions/${sessionId}/participants`, { name: 'Ada' })
    const { id, broadcastUrls, createdAt } = await platform.startBroadcast({
      sessionId,
      ...(resolution && { resolution }),
      outputs: { hls: { dvr, lowLatency }, rtmp },
    })
    const playlist = broadcastUrls?.hls ?? ''
    const length = async () => {
      const answer = await fetch(playlist)
      if (answer.status === 404) return 0 // until its first segment is whole
      const { sequence, segments } = readPlaylist(await answer.text())
      return sequence * 2 + segments.reduce((total, { seconds }) => total + seconds, 0)
    }
    const startOf = async (segment: number) => {
      const dates = (await (await fetch(playlist)).text()).matchAll(/^#EXT-X-PROGRAM-DATE-TIME:(.*)$/gm)
      return Date.parse([...dates].at(segment)?.[1] ?? '')
    }
    const updates = () => sent.filter((update) => update.id === id && update.broadcastUrls?.rtmp)
    const statusesIn = (update: Broadcast) =>
      Object.entries(update.broadcastUrls?.rtmp as Record<string, { status: string }>)
    return {
      ...{ playlist, startOf },
      file: join(data, 'media', id, 'index.m3u8'),
      histories() {
        const histories: Record<string, string[]> = {}
        for (const [output, { status }] of updates().flatMap(statusesIn)) {
          const history = histories[output] ?? []
          histories[output] = history.at(-1) === status ? history : [...history, status]
        }
        return histories
      },
      async offlineAfter(output) {
        const isOffline = (update: Broadcast) =>
          statusesIn(update).some(([name, { status }]) => name === output && status === 'offline')
        const { updatedAt } = await vi.waitUntil(() => updates().find(isOffline), PATIENCE)
        return { ms: updatedAt - createdAt, late: meter.between(createdAt, updatedAt) }
      },
      until: (statuses) =>
        vi.waitFor(async () => {
          const { broadcastUrls } = await platform.getBroadcast({ broadcastId: id })
          const outputs = broadcastUrls?.rtmp?.map((output) => [output.id, output.status]) ?? []
          expect(Object.fromEntries(outputs)).toEqual(statuses)
        }, PATIENCE),
      async goOn(seconds) {
        const end = (await length()) + seconds
        await vi.waitUntil(async () => (await length()) >= end, PATIENCE)
      },
      stop: async () => void (await platform.stopBroadcast({ broadcastId: id })),
    }
  }

  const end = async () => {
    meter.stop()
    const { stdout, stderr } = await program.stop()
    return stdout.replace(/^\{.+\}$/m, '') + stderr
  }
  return {
    broadcast,
    end,
    async close() {
      await end()
      await ear.close()
      await rm(data, { recursive: true })
    },
  }
}
