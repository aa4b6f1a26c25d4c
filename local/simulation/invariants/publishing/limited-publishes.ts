import { parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import type { TaskOutput } from '../../../../lib/tasks/tasks.ts'
import { isReplaced } from '../../chaos/replace-file.ts'
import type { Evidence, ExecutionEvidence } from '../evidence.ts'

/** A request for a turn, in milliseconds since the epoch. */
interface Ask {
  readonly archiveId: string
  readonly executionName: string
  readonly stage: 'ready' | 'complete'
  readonly size: number
  readonly from: number
  readonly to: number
  readonly hasTurn: boolean
  /** When the execution asked next, or ended; infinite while neither has happened. */
  readonly until: number
}

const stages: Readonly<Record<string, Ask['stage']>> = { 'Take turn': 'ready', 'Take turn for the rest': 'complete' }

/** Milliseconds within which a free turn is taken: those that wait poll every ten minutes at least, and a fault may delay a poll. */
const IDLE = 1_800_000

type Seen = Pick<Evidence, 'executions' | 'objects' | 'files' | 'trace' | 'maxPublishes'>

/**
 * Checks that no more publishes had a turn at once than the deployment allows, that turns followed the priority, and that none waited while
 * every turn was free.
 */
export function limitedPublishes(evidence: Seen): string[] {
  const publishes = evidence.executions.filter(({ machine }) => machine === 'publish')
  const asks = publishes.flatMap((one) => asksOf(one, evidence))
  const turns = asks.filter(({ hasTurn }) => hasTurn)
  const { maxPublishes } = evidence
  const waits = asks.filter(({ hasTurn }) => !hasTurn)
  return [
    ...turns.flatMap((turn) => [
      ...problemOfNumber(
        turns.filter(({ to, until }) => to <= turn.to && turn.to < until),
        maxPublishes,
      ),
      ...problemOfOrder(turn, asks, maxPublishes),
      ...problemOfRest(turn, asks, maxPublishes),
    ]),
    ...[...Map.groupBy(waits, ({ executionName, stage }) => `${executionName} for ${stage}`)].flatMap(([who, same]) =>
      same.some((ask) => isIdle(ask, same, turns))
        ? [`${who} got no turn in ${IDLE / 60_000} minutes without another`]
        : [],
    ),
  ]
}

const problemOfNumber = (atOnce: readonly Ask[], max: number): string[] =>
  atOnce.length > max ? [`${atOnce.length} archives were published at once`] : []

/** Returns true if a publish got no turn although none had one for a long time. @param waits those of the same publish for the same turn */
function isIdle(ask: Ask, waits: readonly Ask[], turns: readonly Ask[]): boolean {
  const since = ask.from - IDLE
  const hasWaited = waits.some(({ to }) => to <= since)
  return hasWaited && !turns.some(({ to, until }) => to <= ask.to && until > since)
}

/** Those before it that waited all the time may take the other free turns, at most one fewer than there are. */
function problemOfOrder(turn: Ask, asks: readonly Ask[], max: number): string[] {
  const waited = asks.filter(({ hasTurn, to, until }) => !hasTurn && to < turn.from && until > turn.to)
  const ahead = waited.filter(({ stage, size }) =>
    stage === turn.stage ? size < turn.size : turn.stage === 'complete',
  )
  if (ahead.length < max) return []
  const others = ahead.map(({ archiveId, stage }) => `${stage} of ${archiveId}`).join(', ')
  return [`${turn.archiveId} got its turn for ${turn.stage} before ${others}`]
}

/** A turn for the rest leaves one to each archive that waited all the time and cannot be watched yet. */
function problemOfRest(turn: Ask, asks: readonly Ask[], max: number): string[] {
  if (turn.stage !== 'complete') return []
  const during = asks.filter(({ to, until }) => to < turn.from && until > turn.to)
  const waiting = during.filter(({ hasTurn, stage }) => !hasTurn && stage === 'ready')
  const free = max - during.filter(({ hasTurn }) => hasTurn).length
  return waiting.length === 0 || waiting.length < free
    ? []
    : [`${turn.archiveId} got its turn for complete, and left none of ${free} to ${waiting[0]?.archiveId}`]
}

/** Reads the requests for turns in the history of an execution. */
function asksOf(
  { name: executionName, history, input, stopDate }: ExecutionEvidence,
  { objects, files, trace }: Pick<Seen, 'objects' | 'files' | 'trace'>,
): Ask[] {
  const { key = '' } = JSON.parse(input) as { readonly key?: string }
  const { archiveId = '' } = parseArchiveKey(key) ?? {}
  // The object may have been replaced or deleted since.
  const { size = 0 } = (isReplaced(key, trace) ? undefined : objects.get(key)) ?? files.get(archiveId) ?? {}
  const entered = history.flatMap(({ id = 0, timestamp, stateEnteredEventDetails }) => {
    const name = String(stateEnteredEventDetails?.name ?? '')
    return name in stages ? [{ id, timestamp, name }] : []
  })
  return entered.flatMap(({ id, timestamp, name }, index) => {
    const exit = history.find((one) => (one.id ?? 0) > id && one.stateExitedEventDetails?.name === name)
    const next = entered[index + 1]?.timestamp ?? stopDate
    if (!exit) return []
    const { hasTurn } = JSON.parse(String(exit.stateExitedEventDetails?.output ?? '{}')) as TaskOutput<'takeTurn'>
    return {
      ...{ archiveId, executionName, size, hasTurn, stage: stages[name] ?? 'ready' },
      from: Number(timestamp),
      to: Number(exit.timestamp),
      until: Number(next ?? Number.POSITIVE_INFINITY),
    }
  })
}
