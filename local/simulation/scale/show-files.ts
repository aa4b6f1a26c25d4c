import { keys } from '../../../lib/show/state/keys.ts'
import type { ExecutionDescription } from '../../cloud/states/execution/execution-description.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import { createSecretSearch, type SecretSearch } from '../environment/secret-search.ts'
import type { ExecutionsReader, FollowedExecution } from '../environment/watch-executions.ts'
import { boundedHistories } from '../invariants/bounded-histories.ts'
import type { Evidence } from '../invariants/evidence.ts'
import type { Broken } from '../invariants/invariants.ts'
import type { TraceEntry } from '../trace.ts'
import type { World } from '../world.ts'
import { createShowFile, readableEntry, type ShowFile } from './show-file.ts'

/** Collects what is observed of many shows into one file for each, and checks at once what need not be kept. */
export type ShowFiles = ReturnType<typeof createShowFiles>

export interface ShowFilesOptions {
  /** Called when an execution of a show has ended, and none of the show runs. */
  readonly onQuiet: (file: ShowFile) => void
  /** Called when a show has written often to the bucket since its former versions were taken. */
  readonly onManyWrites: (file: ShowFile) => void
  /** Called when a show has written the observation that all share. */
  readonly onObservation: () => void
  readonly onBroken: (broken: Broken) => void
}

export function createShowFiles({ onQuiet, onManyWrites, onObservation, onBroken }: ShowFilesOptions) {
  const files = new Map<string, ShowFile>()
  const bySession = new Map<string, ShowFile>()
  /** The show of each running execution. */
  const byExecution = new Map<string, ShowFile | undefined>()
  const events = new Map<string, number>()
  /** Faults that strike no show alone. */
  const worldFaults: TraceEntry[] = []
  let search = createSecretSearch([])
  const settled = new Set<string>()
  let largestHistory = 0
  let runningShows = 0
  let peakShows = 0
  let busEvents = 0

  /** Returns the file of a show. What is observed of a settled one is not kept. */
  const fileOf = (showId: string): ShowFile => {
    const file = files.get(showId) ?? createShowFile(showId)
    if (!settled.has(showId)) files.set(showId, file)
    return file
  }
  const note = (file: ShowFile, entry: TraceEntry) => {
    file.trace.push(entry)
    if (entry.call?.version && ++file.writes === MANY_WRITES) onManyWrites(file)
  }
  /** Texts of histories that were searched: an input is repeated by the events that follow. */
  const searched = new Set<string>()
  const findSecretsIn = (place: string, history: readonly HistoryEvent[]) => {
    for (const text of stringsIn(history)) {
      if (searched.has(text)) continue
      if (searched.size >= MAX_SEARCHED) searched.clear()
      searched.add(text)
      findSecrets(place, text)
    }
  }
  const findSecrets = (place: string, text: string) => {
    for (const name of search(text)) onBroken({ invariant: 'no secret shown', detail: `${place} shows ${name}` })
  }

  const reader: ExecutionsReader = {
    onEvents({ executionArn, machine }: FollowedExecution, history: readonly HistoryEvent[]) {
      if (!byExecution.has(executionArn)) {
        const file = startOf(history)
        byExecution.set(executionArn, file)
        if (file && file.running++ === 0) peakShows = Math.max(peakShows, ++runningShows)
      }
      const count = (events.get(executionArn) ?? 0) + history.length
      events.set(executionArn, count)
      largestHistory = Math.max(largestHistory, count)
      const name = executionArn.split(':').at(-1) ?? ''
      const part = { machine, name, history } as unknown as Evidence['executions'][number]
      for (const detail of boundedHistories({ executions: [part] } as unknown as Evidence))
        onBroken({ invariant: 'bounded histories', detail })
      findSecretsIn(`the history of ${machine} ${name}`, history)
    },
    onEnd(description: ExecutionDescription, machine: string) {
      const { executionArn, name } = description
      const count = events.get(executionArn) ?? 0
      if (count > MAX_EVENTS)
        onBroken({ invariant: 'bounded histories', detail: `the execution ${name} of ${machine} has ${count} events` })
      const file = byExecution.get(executionArn)
      byExecution.delete(executionArn)
      events.delete(executionArn)
      if (!file) return
      file.executions.push({ ...description, machine, history: [] })
      if (--file.running > 0) return
      runningShows--
      onQuiet(file)
    },
  }

  const startOf = ([first]: readonly HistoryEvent[]): ShowFile | undefined => {
    const { executionStartedEventDetails: details } = (first ?? {}) as {
      executionStartedEventDetails?: { input?: string }
    }
    const showId = /"showId":"([^"]+)"/.exec(details?.input ?? '')?.[1]
    return showId === undefined ? undefined : fileOf(showId)
  }

  return {
    reader,
    files,
    worldFaults,
    get figures() {
      return { largestHistory, peakShows, busEvents }
    },
    fileOf,
    /** Sets the search for secrets in histories and the log. */
    searchFor(secrets: SecretSearch) {
      search = secrets
      searched.clear()
    },
    /** Moves what was observed since the last call into the files. */
    collect({ trace, resources, faults, events: bus, platformEvents, callbacks, output }: Collected): void {
      for (const entry of trace.take()) {
        const readable = readableEntry(entry)
        if (!readable) continue
        const showId = entry.show ?? /shows\/([0-9a-f]{40})/.exec(entry.call?.name ?? '')?.[1]
        if (showId !== undefined) note(fileOf(showId), readable)
        else if (entry.fault !== undefined) worldFaults.push(readable)
        if (entry.call?.version && entry.call.name.endsWith(` ${keys.observation}`)) onObservation()
      }
      busEvents += bus.length
      for (const event of bus.splice(0)) {
        const { showId = '', sessionId } = event.detail as { showId?: string; sessionId?: string }
        const file = fileOf(showId)
        file.events.push(event)
        if (sessionId === undefined) continue
        file.sessions.add(sessionId)
        bySession.set(sessionId, file)
      }
      for (const event of platformEvents.splice(0))
        findSecrets(`the event ${event['detail-type']}`, JSON.stringify(event))
      for (const callback of callbacks.splice(0)) {
        const { showId = '' } = JSON.parse(callback.body) as { showId?: string }
        fileOf(showId).callbacks.push(callback)
      }
      for (const call of faults.failedCalls.splice(0))
        if (call.show !== undefined) fileOf(call.show).failedCalls.push(call)
      for (const change of resources.take()) {
        const showId = change.tag?.split('/')[0]
        const file = bySession.get(change.sessionId) ?? (showId === undefined ? undefined : files.get(showId))
        if (file) file.statusChanges.push(change)
        else onBroken({ invariant: 'one archive per part', detail: `the ${change.kind} ${change.id} is of no show` })
      }
      if (output.length > MAX_OUTPUT) findSecrets('the log', output.splice(0).join('\n'))
    },
    /** Frees the file of a show. */
    remove(file: ShowFile): void {
      settled.add(file.showId)
      files.delete(file.showId)
      for (const session of file.sessions) bySession.delete(session)
    },
  }
}

export type Collected = Pick<
  World,
  'trace' | 'resources' | 'faults' | 'events' | 'platformEvents' | 'callbacks' | 'output'
>

const MAX_EVENTS = 5_000
/** Writes of a show after which its former versions are taken out of the bucket. */
const MANY_WRITES = 8
/** Lines of the log that are kept before they are searched. */
const MAX_OUTPUT = 1_000

/** Maximum number of texts that are remembered. */
const MAX_SEARCHED = 10_000

/** Returns all strings of a value, at any depth. */
function stringsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value)
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) stringsIn(inner, found)
  return found
}
