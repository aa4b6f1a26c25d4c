import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../lib/services.ts'
import type { RecordingState } from '../../lib/show/state/resources.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

const nothing: TaskOutput<'findParts'> = { parts: [], pairs: [], message: null }

/** A part of which all is published. */
interface Found {
  readonly state: RecordingState
  readonly manifest: Manifest
}

export async function findParts(
  { archiveId }: TaskInput<'findParts'>,
  { records }: Services,
): Promise<TaskOutput<'findParts'>> {
  const { show } = (await records.readManifest(archiveId)) ?? {}
  const state = show && (await records.readState(show.showId))
  const listed = (state?.recordings ?? []).filter(({ name }) => name === show?.name).sort((a, b) => a.part - b.part)
  if (listed.length < 2) return nothing

  const found = await Promise.all(
    listed.map(async (state): Promise<Found | undefined> => {
      const manifest = state.archiveId ? await records.readManifest(state.archiveId) : undefined
      return manifest && isWhole(manifest) ? { state, manifest } : undefined
    }),
  )
  const hole = listed.findIndex((_, index) => listed[index]?.part !== index + 1 || !found[index])
  const parts = found.slice(0, hole < 0 ? found.length : hole).filter((part) => part !== undefined)
  const isMissing = hole >= 0 && found.slice(hole + 1).some((part) => part !== undefined)
  const message = isMissing ? `Part ${hole + 1} is not published, so what follows it is not joined.` : null
  if (parts.length < 2) return { ...nothing, message }
  return {
    parts: parts.map(({ manifest }) => manifest.archiveId),
    pairs: parts.slice(1).map((later, index) => pairOf(parts[index] as Found, later)),
    message,
  }
}

const isWhole = ({ status, files }: Manifest) => status === 'complete' && files.some(({ role }) => role === 'hls')

function pairOf(earlier: Found, later: Found): TaskOutput<'findParts'>['pairs'][number] {
  const secondsFrom = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / 1000
  const createdAt = ({ state, manifest }: Found) => state.createdAt ?? manifest.createdAt
  const { stoppedAt } = earlier.state
  const { duration } = earlier.manifest
  const fromEnd = stoppedAt && duration !== null ? [duration - secondsFrom(createdAt(later), stoppedAt)] : []
  return {
    earlier: earlier.manifest.archiveId,
    later: later.manifest.archiveId,
    expected: [secondsFrom(createdAt(earlier), createdAt(later)), ...fromEnd],
  }
}

export const handler = taskHandler('findParts', findParts)
