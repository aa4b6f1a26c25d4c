import type { SteppedClock } from '../../../lib/clock.ts'
import { createMemory } from '../../sandbox/archives/memory.ts'
import type { StatusChange } from '../../sandbox/callbacks/status-changes.ts'
import type { LogLine } from '../../sandbox/http/router.ts'
import { createMediaOff } from '../../sandbox/media/media-off.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import { lostConnection } from '../faults/answers.ts'
import { addresses } from './addresses.ts'
import { type Breaking, createBreakableMedia } from './breakable-media.ts'

/** The video platform, whose process can end and come back. */
export interface Platform {
  /** Rejects while the process is not there, and when it ends before it has answered. */
  fetch(request: Request): Promise<Response>
  /** The process there is, or was last. */
  readonly sandbox: Sandbox
  readonly isUp: boolean
  readonly breaking: Breaking
  /** Ends the process; what it recorded and broadcast is lost, and its clients are gone. */
  stop(): Promise<void>
  /** Starts it again on the records that the last one has left. */
  start(): void
  /** Lists do not have what was created within so many seconds, in this process and those to come. */
  lag(seconds: number): void
  close(): Promise<void>
}

export interface PlatformOptions extends Pick<SandboxOptions, 'random' | 'uploadHandler' | 'callbackFetch'> {
  readonly clock: SteppedClock
  readonly onStatusChange: (change: StatusChange) => void
  readonly log: (line: LogLine) => void
}

const LISTS = ['listArchives', 'listBroadcasts', 'listComposers'] as const
/** More than any simulation calls. */
const ALWAYS = 1_000_000

export function createPlatform(options: PlatformOptions): Platform {
  const { clock } = options
  const memory = createMemory()
  let lagging = 0
  let isUp = true
  let breaking: Breaking

  const order = (sandbox: Sandbox) => {
    const fault = { type: 'listLag', ms: lagging * 1000 } as const
    for (const operation of LISTS) sandbox.faults.order({ operation, times: ALWAYS, fault })
  }
  const open = () => {
    const breakable = createBreakableMedia(createMediaOff(clock))
    breaking = breakable.breaking
    const opened = createSandbox({ ...options, memory, media: breakable.media, publicUrl: () => addresses.platform })
    if (lagging > 0) order(opened)
    return opened
  }
  let sandbox = open()

  return {
    async fetch(request) {
      if (!isUp) throw refusedConnection()
      const asked = sandbox
      const answer = await asked.fetch(request)
      if (asked !== sandbox || !isUp) throw lostConnection() // it waited in a process that is no more
      return answer
    },
    get sandbox() {
      return sandbox
    },
    get isUp() {
      return isUp
    },
    get breaking() {
      return breaking
    },
    async stop() {
      isUp = false
      await sandbox.close()
    },
    start() {
      sandbox = open()
      isUp = true
    },
    lag(seconds) {
      lagging = seconds
      sandbox.faults.clear()
      if (lagging > 0) order(sandbox)
    },
    async close() {
      await sandbox.close()
      await memory.close()
    },
  }
}

function refusedConnection(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  return new TypeError('fetch failed', { cause })
}
