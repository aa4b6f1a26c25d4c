import { limits } from '../../lib/platform/contract/limits.ts'
import { openPollHarness, type PollHarness } from './poll-harness.ts'
import type { TimedUsage } from './usage.ts'

export interface PolledShow {
  /** Seconds of the show. */
  readonly duration: number
  readonly recordings: number
  readonly broadcasts: number
}

/**
 * Runs a show by poll loops: each archive and broadcast has its own loop, which is restarted whenever its history is
 * full. When the platform ends an archive, its recording continues in another.
 */
export async function runPolled({ duration, recordings, broadcasts }: PolledShow): Promise<TimedUsage> {
  const began = performance.now()
  using harness = openPollHarness()
  const histories = await harness.drive(async () => {
    const sessionId = await harness.openSession()
    const end = harness.clock.now() + duration * 1000
    return Promise.all([
      ...names('recording', recordings).map((name) => pollRecording(harness, sessionId, name, end)),
      ...names('broadcast', broadcasts).map((name) => pollBroadcast(harness, sessionId, name, duration)),
    ])
  })
  return { ...harness.usage(), longest: Math.max(...histories), seconds: (performance.now() - began) / 1000 }
}

const names = (what: string, count: number) => Array.from({ length: count }, (_, index) => `${what}-${index}`)

async function pollRecording(harness: PollHarness, sessionId: string, name: string, end: number): Promise<number> {
  const { client, clock, poll } = harness
  const histories: number[] = []
  while (clock.now() < end) {
    const { id } = await client.startArchive({ sessionId, name, multiArchiveTag: `${name}/${histories.length}` })
    const stop = clock.at(end, () => void client.stopArchive({ archiveId: id }))
    histories.push(await poll({ kind: 'archive', id }))
    stop.cancel()
  }
  return Math.max(...histories)
}

async function pollBroadcast({ client, poll }: PollHarness, sessionId: string, name: string, duration: number) {
  const maxDuration = Math.min(duration, limits.broadcastDurationMax.value)
  const { id } = await client.startBroadcast({ sessionId, multiBroadcastTag: name, maxDuration, outputs: { hls: {} } })
  return poll({ kind: 'broadcast', id })
}
