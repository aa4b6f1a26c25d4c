import type { Manifest } from '../../publish/manifest/manifest.ts'
import type { Services } from '../../services.ts'
import type { CountedUsage } from '../../show/plan/forecast/counted-cost.ts'
import { allSettledLimited } from '../../show/run/concurrency.ts'
import { publishedIdsOf } from '../../show/state/part-entries.ts'
import type { ShowState } from '../../show/state/state.ts'
import { type MemorySettings, memoryOf } from '../../tasks/memory.ts'
import { closingName } from '../../tasks/show-machines.ts'
import { type CountedTask, countExecutions, type NamedExecution } from '../executions/count-executions.ts'
import { type CountedMinutes, countMinutes } from './count-minutes.ts'

type Reach = Pick<Services, 'records' | 'usageRecords' | 'executionHistories' | 'clock' | 'variable'>

/** Usage of a show until now. */
export interface CountedShow {
  readonly usage: CountedUsage
  readonly minutes: CountedMinutes
  /** Number of its executions whose history is gone, so that they are not counted. */
  readonly missingExecutions: number
}

/** Counts what a show has used, from the histories of its executions and from its records. */
export async function countShow(services: Reach, state: ShowState): Promise<CountedShow> {
  const { records, usageRecords, clock, variable } = services
  const [result, usage, manifests] = await Promise.all([
    records.readResult(state.showId),
    usageRecords.readShow(state.showId),
    readManifests(services, state),
  ])
  const executions = [...executionsOf(state), ...manifests.flatMap(publishesOf)]
  const { transitions, tasks, missing } = await countExecutions(services, executions)
  const memory: MemorySettings = JSON.parse(variable('TASK_MEMORY'))
  const functions = {
    running: sumOf(tasks.filter(isRunning), memory),
    renditions: sumOf(tasks.filter(isEncoding), memory),
    publishing: sumOf(
      tasks.filter((one) => !isRunning(one) && !isEncoding(one)),
      memory,
    ),
  }
  return {
    usage: { transitions, functions, bytes: bytesOf(manifests) },
    minutes: countMinutes({ state, result, usage, manifests, now: clock.now() }),
    missingExecutions: missing,
  }
}

const isRunning = ({ machine }: CountedTask) => machine !== 'publish'
const isEncoding = ({ task }: CountedTask) => task === 'encodePiece'

function sumOf(tasks: readonly CountedTask[], memory: MemorySettings) {
  return tasks.reduce(
    (sum, { task, invocations, seconds }) => ({
      invocations: sum.invocations + invocations,
      gigabyteSeconds: sum.gigabyteSeconds + (seconds * memoryOf(task, memory)) / 1_024,
    }),
    { invocations: 0, gigabyteSeconds: 0 },
  )
}

/** Names the executions of the show machine. A show that was not started has none. */
function executionsOf({ showId, startedAt, executionName = showId, closings }: ShowState): NamedExecution[] {
  if (startedAt === undefined) return []
  const closers = Array.from({ length: closings }, (_, index) => closingName(showId, index + 1))
  return [executionName, ...closers].map((name) => ({ machine: 'show', name }))
}

const publishesOf = ({ publications = [] }: Manifest): NamedExecution[] =>
  publications.map(({ executionName }) => ({ machine: 'publish', name: executionName }))

/** Reads the manifests of the parts of recordings, and of the recordings that were joined from them. */
async function readManifests({ records }: Reach, { showId, recordings }: ShowState): Promise<Manifest[]> {
  const ids = publishedIdsOf({ recordings })
  const read = await allSettledLimited(ids.map((archiveId) => () => records.readManifestIfOwn(archiveId)))
  return read.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value?.show?.showId === showId ? [one.value] : []
  })
}

/** Returns the bytes of all files. A joined recording and its parts have files in common. */
function bytesOf(manifests: readonly Manifest[]): number {
  const files = manifests.flatMap((one) => [one.source, ...one.files])
  const sizes = new Map(files.map(({ key, size }) => [key, size]))
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}
