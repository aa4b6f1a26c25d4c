import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import type { World } from '../../../support/world.ts'

/** Writes the manifest of a recording that was published in two steps, a second after one another. */
export async function publishOf({ services, clock }: World, archiveId: string): Promise<void> {
  const after = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()
  const publications = [
    { executionName: 'one', status: 'ready', at: after(0) },
    { executionName: 'one', status: 'complete', at: after(1) },
  ]
  const first = archiveId.replace('-joined', '') // a joined recording plays files of its first part
  const manifest = {
    version: 1,
    archiveId,
    createdAt: after(0),
    show: { showId: 'a-show', name: 'program', part: 1 },
    status: 'complete',
    access: 'signed',
    duration: 20,
    video: null,
    audio: null,
    ...(first !== archiveId && { parts: [first, 'second'] }),
    source: { key: `100001/${first}/archive.mp4`, size: 1, etag: '9e107d9d372bb6826bd81d3542a419d6', sha256: null },
    files: [],
    publications,
  } as unknown as Manifest
  await services.records.writeManifest(manifest, async () => true)
}
