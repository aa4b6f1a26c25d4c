import { limits } from '../../lib/platform/contract/limits.ts'
import { openPollStage, type PollStage } from './poll-stage.ts'
import type { Usage } from './usage.ts'

export interface PolledShow {
  /** Seconds. */
  readonly duration: number
  readonly recordings: number
  readonly broadcasts: number
}

export interface Polled extends Omit<Usage, 'longest'> {
  /** Events of all executions together that have polled the same resource. */
  readonly longest: number
  /** On this machine's clock. */
  readonly seconds: number
}

/**
 * Runs a show by poll loops: each archive and each broadcast has one of its own, which calls the sandbox by our client, and
 * is started again whenever its history is full. A recording goes on in another archive where the platform has ended one.
 */
export async function runPolled({ duration, recordings, broadcasts }: PolledShow): Promise<Polled> {
  const began = performance.now()
  const stage = openPollStage()
  try {
    const histories = await stage.drive(async () => {
      const sessionId = await stage.openSession()
      const end = stage.clock.now() + duration * 1000
      return Promise.all([
        ...names('recording', recordings).map((name) => pollRecording(stage, sessionId, name, end)),
        ...names('broadcast', broadcasts).map((name) => pollBroadcast(stage, sessionId, name, duration)),
      ])
    })
    return { ...stage.usage(), longest: Math.max(...histories), seconds: (performance.now() - began) / 1000 }
  } finally {
    stage.close()
  }
}

const names = (what: string, count: number) => Array.from({ length: count }, (_, index) => `${what}-${index}`)

async function pollRecording(stage: PollStage, sessionId: string, name: string, end: number): Promise<number> {
  const { client, clock, poll } = stage
  const histories: number[] = []
  while (clock.now() < end) {
    const { id } = await client.startArchive({ sessionId, name, multiArchiveTag: `${name}/${histories.length}` })
    const stop = clock.at(end, () => void client.stopArchive({ archiveId: id }))
    histories.push(await poll({ kind: 'archive', id }))
    stop.cancel()
  }
  return Math.max(...histories)
}

async function pollBroadcast({ client, poll }: PollStage, sessionId: string, name: string, duration: number) {
  const maxDuration = Math.min(duration, limits.broadcastDurationMax.value)
  const { id } = await client.startBroadcast({ sessionId, multiBroadcastTag: name, maxDuration, outputs: { hls: {} } })
  return poll({ kind: 'broadcast', id })
}
