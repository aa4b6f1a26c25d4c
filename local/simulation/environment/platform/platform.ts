import type { SteppedClock } from '../../../../lib/clock.ts'
import { createMemory } from '../../../sandbox/archives/memory.ts'
import type { StatusChange } from '../../../sandbox/callbacks/status-changes.ts'
import type { DirectRequest, DirectResponse } from '../../../sandbox/http/direct-answers.ts'
import type { LogLine } from '../../../sandbox/http/router.ts'
import { createMediaOff } from '../../../sandbox/media/media-off.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox.ts'
import { lostConnection } from '../../faults/fault-responses.ts'
import { addresses } from '../addresses.ts'
import { type Breaking, createBreakableMedia } from '../media/breakable-media.ts'
import { type ChosenStreams, noteStreams } from '../media/chosen-streams.ts'
import { type DrawnLayout, noteLayouts } from '../media/drawn-layouts.ts'
import { createLiveSegments } from '../media/live-segments.ts'
import { createFileDamage } from './file-damage.ts'
import { isForgotten, unknownBroadcast } from './forgotten-broadcasts.ts'

/** The video platform, whose process can be restarted. */
export type Platform = ReturnType<typeof createPlatform>

export interface PlatformOptions extends Pick<SandboxOptions, 'random' | 'uploadHandler' | 'callbackFetch'> {
  readonly clock: SteppedClock
  readonly onStatusChange: (change: StatusChange) => void
  readonly log: (line: LogLine) => void
  /** Upper bound of a composed archive, in bytes. @default that of media off */
  readonly maxFileBytes?: number | undefined
}

/** Players reach playlists by this name. */
const reach = { address: new URL(addresses.platform).hostname, publicUrl: () => addresses.platform }
const LISTS = ['listArchives', 'listBroadcasts', 'listComposers'] as const
/** More calls than any simulation makes. */
const ALWAYS = 1_000_000

export function createPlatform(options: PlatformOptions) {
  const { clock } = options
  const memory = createMemory()
  let lagging = 0
  let forgets = false
  let isUp = true
  let breaking: Breaking
  const damage = createFileDamage()
  const layouts: DrawnLayout[] = []
  const choices: ChosenStreams[] = []
  const segments = createLiveSegments(clock)

  const order = (sandbox: Sandbox) => {
    const fault = { type: 'listLag', ms: lagging * 1000 } as const
    for (const operation of LISTS) sandbox.faults.order({ operation, times: ALWAYS, fault })
  }
  const open = () => {
    const off = segments.addTo(createMediaOff(clock, { maxBytes: options.maxFileBytes }))
    const drawing = noteLayouts(off, clock.now, (drawn) => layouts.push(drawn))
    const media = noteStreams(drawing, clock.now, (chosen) => choices.push(chosen))
    const breakable = createBreakableMedia(media, damage.truncate)
    breaking = breakable.breaking
    const opened = createSandbox({ ...options, memory, media: breakable.media, ...reach })
    if (lagging > 0) order(opened)
    return opened
  }
  let sandbox = open()
  let projectKey = sandbox.project.apiKey

  return {
    /** Rejects while the process is down, and when it stops before it has answered. */
    async fetch(request: Request): Promise<Response> {
      if (!isUp) throw refusedConnection()
      const segment = segments.read(request)
      if (segment) return new Response(new Uint8Array(segment))
      const asked = sandbox
      const answer = await damage.apply(request, await asked.fetch(request))
      if (asked !== sandbox || !isUp) throw lostConnection() // the process that handled it has stopped
      if (!forgets) return answer
      const described = { status: answer.status, text: await answer.clone().text() }
      const { status, text } = unknownBroadcast
      return isForgotten(request, described) ? new Response(text, { status, headers: answer.headers }) : answer
    },
    /** Answers a call without HTTP, or returns undefined for one that needs it. Rejects as `fetch` does. */
    async answerDirectly(request: DirectRequest): Promise<DirectResponse | undefined> {
      if (!isUp) return undefined
      const asked = sandbox
      const answer = await asked.answerDirectly(request)
      if (asked !== sandbox || !isUp) throw lostConnection()
      return answer && forgets && isForgotten(request, answer) ? { ...answer, ...unknownBroadcast } : answer
    },
    /** The current or last process. */
    get sandbox(): Sandbox {
      return sandbox
    },
    /** Key of the project that Showrunner uses. */
    get projectKey(): string {
      return projectKey
    },
    /** Notes that Showrunner uses another project, which its deployment has created. */
    useProject(apiKey: string): void {
      projectKey = apiKey
    },
    get isUp(): boolean {
      return isUp
    },
    get breaking(): Breaking {
      return breaking
    },
    /** The recorded files of archives by their ids, as they were before their upload. */
    files: damage.files,
    /** Every layout that was drawn, in order, with the platform’s times. */
    layouts: layouts as readonly DrawnLayout[],
    /** Every choice of streams that an archive or a broadcast takes, in order. */
    choices: choices as readonly ChosenStreams[],
    /** Orders damage of files. */
    damage: damage.order,
    /** Stops the process. Its recordings and broadcasts are lost, and its clients disconnected. */
    async stop(): Promise<void> {
      isUp = false
      await sandbox.close()
    },
    /** Starts the process again with its stored records. */
    start(): void {
      sandbox = open()
      isUp = true
    },
    /** Lets lists miss new resources for some seconds, in this process and later ones. */
    lag(seconds: number): void {
      lagging = seconds
      sandbox.faults.clear()
      if (lagging > 0) order(sandbox)
    },
    /** Lets the platform know no broadcast that was stopped, as some deployments do. */
    forgetBroadcasts(): void {
      forgets = true
    },
    async close(): Promise<void> {
      await sandbox.close()
      await memory.close()
    },
  }
}

function refusedConnection(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  return new TypeError('fetch failed', { cause })
}
