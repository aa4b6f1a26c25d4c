import type { TaskRun } from '../../services.ts'
import type { RecordingState } from '../../show/state/resources.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import type { Manifest } from '../manifest/manifest.ts'

const nothing: TaskOutput<'findParts'> = { parts: [], pairs: [], message: null }

interface PublishedPart {
  readonly state: RecordingState
  readonly manifest: Manifest
}

/** Finds the parts of a recording that can be joined: the published ones, from the first to the first gap. */
export const findPublishedParts: TaskRun<'findParts', 'records'> = async ({ records }, { archiveId }) => {
  const { show } = (await records.readManifest(archiveId)) ?? {}
  const state = show && (await records.readState(show.showId))
  const listed = (state?.recordings ?? []).filter(({ name }) => name === show?.name).sort((a, b) => a.part - b.part)
  if (listed.length < 2) return nothing

  const found = await Promise.all(
    listed.map(async (state): Promise<PublishedPart | undefined> => {
      const manifest = state.archiveId ? await records.readManifest(state.archiveId) : undefined
      return manifest && isComplete(manifest) ? { state, manifest } : undefined
    }),
  )
  const gap = listed.findIndex((_, index) => listed[index]?.part !== index + 1 || !found[index])
  const parts = found.slice(0, gap < 0 ? found.length : gap).filter((part) => part !== undefined)
  const isMissing = gap >= 0 && found.slice(gap + 1).some((part) => part !== undefined)
  const message = isMissing ? `Part ${gap + 1} is not published, so the parts after it are not joined.` : null
  if (parts.length < 2) return { ...nothing, message }
  return {
    parts: parts.map(({ manifest }) => manifest.archiveId),
    pairs: parts.slice(1).map((later, index) => pairOf(parts[index] as PublishedPart, later)),
    message,
  }
}

const isComplete = ({ status, files }: Manifest) => status === 'complete' && files.some(({ role }) => role === 'hls')

function pairOf(earlier: PublishedPart, later: PublishedPart): TaskOutput<'findParts'>['pairs'][number] {
  const secondsFrom = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / 1000
  const createdAt = ({ state, manifest }: PublishedPart) => state.createdAt ?? manifest.createdAt
  const { stoppedAt } = earlier.state
  const { duration } = earlier.manifest
  const fromEnd = stoppedAt && duration !== null ? [duration - secondsFrom(createdAt(later), stoppedAt)] : []
  return {
    earlier: earlier.manifest.archiveId,
    later: later.manifest.archiveId,
    expected: [secondsFrom(createdAt(earlier), createdAt(later)), ...fromEnd],
  }
}
