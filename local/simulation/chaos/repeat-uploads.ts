import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/** The platform uploads a file again if it does not learn that it has arrived. */
const REPEATED_UPLOAD = 'repeated upload'
/** Milliseconds after its publication at which a file is uploaded again. */
const AFTER = 60_000

/** Uploads the file of each complete recording again, once. The new version of a file has no tags. */
export function repeatUploads({ clock, scheduler, cloud, observer, faults }: ChaosTargets): void {
  const { records, storage } = observer
  const repeated = new Set<string>()
  const repeat = async (archiveId: string) => {
    const { key = '', etag } = (await records.readManifestIfOwn(archiveId))?.source ?? {}
    const source = await storage.open(key, etag ?? '')
    await storage.put(key, Buffer.from(await source.read(0, source.size)), 'video/mp4')
    faults.recordUnnoticed(REPEATED_UPLOAD, `the file ${key} is uploaded again`)
  }
  cloud.events.addRule({
    bus: observer.variable('EVENT_BUS'),
    pattern: { source: ['showrunner'], 'detail-type': ['recording.published'] },
    deliver({ detail }) {
      const { archiveId = '', status } = detail as OwnerEvent
      if (status !== 'complete' || repeated.has(archiveId)) return
      repeated.add(archiveId)
      clock.at(clock.now() + AFTER, () => void scheduler.pass(() => repeat(archiveId)).catch(() => {}))
    },
  })
}
