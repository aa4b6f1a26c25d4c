import { credentialsOf, watchPath } from '../../../lib/api/watch-routes.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../../lib/services.ts'
import { joinedId } from '../../../lib/show/document/fields/names.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import type { ShowVisit } from './admit-to-show.ts'

/** A recording of a show that is over. */
export interface ShownRecording {
  readonly name: string
  /** Path of its watch page; undefined until it is published, and for a recording that the link does not open. */
  readonly path: string | undefined
  /** True while it may still be published. */
  readonly isAwaited: boolean
}

/** Milliseconds after the end of a show in which the page waits for recordings that are not there. */
const PUBLISHING_MS = 86_400_000

/** Returns the recordings of a show, each as one if its parts are joined. */
export async function recordingsOf(
  visit: ShowVisit,
  { recordings, endedAt }: ShowState,
  services: Pick<Services, 'records' | 'watchLinks' | 'clock'>,
): Promise<ShownRecording[]> {
  const isWaiting = endedAt === undefined || services.clock.now() < Date.parse(endedAt) + PUBLISHING_MS
  const names = [...new Set(recordings.map(({ name }) => name))]
  const shown = names.map(async (name) => {
    const archives = recordings.flatMap((one) => (one.name === name && one.archiveId ? one.archiveId : []))
    const [first] = archives
    const joined = archives.length > 1 && first ? await services.records.readManifest(joinedId(first)) : undefined
    if (joined) return [await show(name, joined)]
    const parts = archives.map(async (archiveId, index) => {
      const manifest = await services.records.readManifest(archiveId)
      return show(archives.length > 1 ? `${name}, part ${index + 1}` : name, manifest)
    })
    return Promise.all(parts)
  })
  return (await Promise.all(shown)).flat()

  async function show(name: string, manifest: Manifest | undefined): Promise<ShownRecording> {
    if (!manifest) return { name, path: undefined, isAwaited: isWaiting }
    return { name, path: await pathOf(manifest, visit, services), isAwaited: false }
  }
}

/** Returns the path of a recording's page. Links to a show lead to no recording that failed, or whose links were revoked. */
async function pathOf(
  { archiveId, status, access, epoch }: Manifest,
  { expires }: ShowVisit,
  { watchLinks }: Pick<Services, 'watchLinks'>,
): Promise<string | undefined> {
  if (status === 'failed') return undefined
  if (access === 'public') return watchPath(archiveId)
  if (epoch !== undefined || expires === undefined) return undefined
  return watchPath(archiveId, credentialsOf(await watchLinks.grantUntil(archiveId, expires)))
}
