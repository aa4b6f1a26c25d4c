import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { broadcastStatuses, hlsStatuses, rtmpStatuses } from '../../platform/contract/broadcasts.ts'
import { composerStatuses } from '../../platform/contract/composers.ts'
import { orOther } from '../../platform/contract/open-values.ts'

const time = z.iso.datetime()

/** The resources that one list holds: the running ones of every show. `neededAt` is when a show that has some last listed them. */
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ neededAt: time, items: z.array(item) })

const tagged = {
  id: z.string(),
  sessionId: z.string(),
  tag: z.string(),
  /** Milliseconds since the epoch, on the platform's clock. */
  createdAt: z.int(),
}

const listedArchive = z.object({
  ...tagged,
  status: orOther(archiveStatuses),
  reason: z.string().optional(),
})

/** Without the servers and keys of its RTMP outputs. */
const listedBroadcast = z.object({
  ...tagged,
  status: orOther([...broadcastStatuses, 'live']),
  /** Seconds. */
  maxDuration: z.int().optional(),
  hls: z.string().optional(),
  hlsStatus: orOther(hlsStatuses).optional(),
  rtmp: z.array(z.object({ id: z.string(), status: orOther(rtmpStatuses) })),
})

/** Without its page, whose address may hold a secret. */
const listedComposer = z.object({
  id: z.string(),
  sessionId: z.string(),
  createdAt: z.int(),
  status: orOther(composerStatuses),
  reason: z.string().optional(),
  streamId: z.string().optional(),
})

/** `observation.json`: what runs in the platform project, as one show listed it for all live shows. */
export const sharedObservation = z.object({
  version: z.literal(1),
  /** The show that wrote it. */
  by: z.string(),
  /** The time after which it is as good as absent. */
  expiresAt: time,
  /** Until then another show is listing: the others need not. */
  claimedUntil: time.optional(),
  /** When the lists were asked for; absent if the writer was the only live show. */
  observedAt: time.optional(),
  /** Number of shows that ran anything. */
  shows: z.int().nonnegative(),
  archives: listOf(listedArchive).optional(),
  broadcasts: listOf(listedBroadcast).optional(),
  composers: listOf(listedComposer).optional(),
})
export type SharedObservation = z.output<typeof sharedObservation>

/** The lists that shows share. */
export const listedKinds = ['archives', 'broadcasts', 'composers'] as const
export type ListedKind = (typeof listedKinds)[number]
