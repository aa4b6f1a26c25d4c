import { readStored } from '../../records/stored-documents.ts'
import type { Services } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { publishQueue, type QueuedPublish } from '../../show/state/publish-queue.ts'

/** A publish that waits, with its place in the queue. */
interface WaitingPublish extends Omit<QueuedPublish, 'executionName'> {
  /** From 1. */
  readonly place: number
  /** Bytes of the archives that wait before it. */
  readonly bytesAhead: number
}

/** Reads the publishes that wait, in the order in which they get their turn. */
export async function readWaiting({ storage }: Pick<Services, 'storage'>): Promise<WaitingPublish[]> {
  const { document } = (await readStored(storage, keys.publishQueue, publishQueue)) ?? {}
  let bytesAhead = 0
  return (document?.waiting ?? []).map(({ executionName: _, ...one }, index) => {
    const waiting = { place: index + 1, ...one, bytesAhead }
    bytesAhead += one.size
    return waiting
  })
}

/** Returns the place of an archive in the queue as an answer names it; nothing for one that does not wait. */
export function placeOf(archiveId: string | undefined, waiting: readonly WaitingPublish[]) {
  const found = waiting.find((one) => one.archiveId === archiveId)
  if (!found) return {}
  const { archiveId: _, ...publishing } = found
  return { publishing }
}
