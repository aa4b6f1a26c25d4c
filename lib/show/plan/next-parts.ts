import { archiveReasons } from '../../platform/contract/archives.ts'
import type { PartsPlan } from '../../tasks/show-running.ts'
import type { Show } from '../document/show.ts'
import { runsAnything } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import {
  type PartSequence,
  partSequencesOf,
  type SeenBroadcast,
  type SequencedPart,
  TOGETHER,
} from './part-sequences.ts'

/** Seconds for which a part that broke is gone on with although nothing that runs shows that anybody is there. */
const GOING_ON = 300
/**
 * Seconds after its beginning before which a part that broke is not gone on with, by how many parts have begun within the
 * hour: one that breaks again and again is not to be cut to bits, so after as many there is none.
 */
const PAUSES = [0, 15, 60, 240, 960] as const
/** How many parts of one recording may begin within an hour because the one before broke. */
export const MAX_PARTS_PER_HOUR: number = PAUSES.length

/** What there is to do, and when (milliseconds). */
export interface PartStep {
  readonly kind: 'recordings' | 'broadcasts'
  readonly act: 'start' | 'stop'
  readonly name: string
  readonly part: number
  readonly at: number
}

export interface PartsSituation {
  readonly show: Show
  readonly state: ShowState
  /** Those just seen. */
  readonly broadcasts: readonly SeenBroadcast[]
  /** Whether the statuses in the state were seen just now: nothing is stopped on an older word. */
  readonly isFresh: boolean
  readonly now: number
}

/** Which parts have to begin or end now; null when there are none. */
export function planParts(situation: PartsSituation): PartsPlan | null {
  const { now } = situation
  const steps = stepsAhead(situation)
  if (!steps.some(({ at }) => at <= now)) return null
  const starts = steps.filter(({ act, at }) => act === 'start' && at <= now + TOGETHER * 1000)
  const isHandedOver = (stop: PartStep) =>
    starts.some(({ kind, name, at }) => kind === stop.kind && name === stop.name && at === stop.at)
  const stops = steps.filter((step) => step.act === 'stop' && (step.at <= now || isHandedOver(step)))
  const pick = (kind: PartStep['kind'], act: PartStep['act']) =>
    (act === 'start' ? starts : stops).filter((step) => step.kind === kind).map(({ name, part }) => ({ name, part }))
  return {
    recordings: { start: pick('recordings', 'start'), stop: pick('recordings', 'stop') },
    broadcasts: { start: pick('broadcasts', 'start'), stop: pick('broadcasts', 'stop') },
  }
}

/** Everything there is to do with parts as things stand, now and later. */
export function stepsAhead({ show, state, broadcasts, isFresh, now }: PartsSituation): PartStep[] {
  const { plannedEndAt, stopAskedAt, endedAt } = state
  if (!plannedEndAt || stopAskedAt || endedAt) return []
  const plannedEnd = Date.parse(plannedEndAt)
  const isSomebodyThere = runsAnything(state)
  const hasEverybodyLeft = !isSomebodyThere && state.recordings.some(({ reason }) => reason === LEFT)
  const mayGoOn = ({ kind, name }: PartSequence, link: SequencedPart) =>
    isSomebodyThere || (!hasEverybodyLeft && now < endNoticed(state, { kind, name, link }) + GOING_ON * 1000)

  return partSequencesOf(show, state, broadcasts, now).flatMap((chain) => {
    const start = nextStart(chain, plannedEnd, now, (link) => mayGoOn(chain, link))
    const starts = start && start.at < plannedEnd ? [start] : []
    const handedOver = chain.isExclusive ? starts.flatMap((step) => stopBefore(chain, step)) : []
    return [...starts, ...handedOver, ...(isFresh ? overlapped(chain) : [])]
  })
}

const LEFT = archiveReasons.sessionEnded

function nextStart(
  { kind, name, links }: PartSequence,
  plannedEnd: number,
  now: number,
  mayGoOn: (link: SequencedPart) => boolean,
): PartStep | undefined {
  const last = links.at(-1)
  if (!last) return undefined
  const step = (at: number): PartStep => ({ kind, act: 'start', name, part: last.part + 1, at })
  if (last.runs) return plannedEnd > last.endsAt ? step(last.dueAt) : undefined
  if (last.ranOut) return plannedEnd > last.endsAt && mayGoOn(last) ? step(last.dueAt) : undefined
  if (!last.broke || !mayGoOn(last)) return undefined
  const recent = links.filter(({ part, createdAt }) => part > 1 && createdAt > now - 3_600_000).length
  const pause = PAUSES[recent]
  return pause === undefined ? undefined : step(last.createdAt + pause * 1000)
}

/** An exclusive part ends as its successor begins. */
const stopBefore = ({ kind, name, links }: PartSequence, { part, at }: PartStep): PartStep[] =>
  links
    .filter((link) => link.runs && link.part < part)
    .map((link) => ({ kind, act: 'stop', name, part: link.part, at }))

/** Those whose successor runs, from when they have overlapped. */
const overlapped = ({ kind, name, links, overlap }: PartSequence): PartStep[] =>
  links.flatMap((link) => {
    const next = links.find(({ part, takesOver }) => part > link.part && takesOver)
    if (!next || !link.runs || link.wasStopped) return []
    return { kind, act: 'stop', name, part: link.part, at: next.createdAt + overlap * 1000 }
  })

/** When it was noticed that a part has ended. */
function endNoticed(
  { timeline }: ShowState,
  { kind, name, link }: { kind: PartStep['kind']; name: string; link: SequencedPart },
): number {
  const what = kind === 'recordings' ? 'recording.failed' : 'broadcast.failed'
  const entry = timeline.find((one) => one.what === what && !one.id && one.name === name && one.part === link.part)
  if (entry) return Date.parse(entry.at)
  return link.broke ? Number.POSITIVE_INFINITY : link.endsAt
}
