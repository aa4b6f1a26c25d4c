import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { START_TIME } from '../../../support/world.ts'

export const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'

export const posterOf = (id: string) => keys.published(id, 'poster', 'e', 'poster.jpg')

export const manifest: Manifest = {
  version: 1,
  archiveId,
  createdAt: START_TIME,
  status: 'complete',
  access: 'signed',
  source: { key: keys.archive('1', archiveId), size: 1, sha256: null },
  duration: 1,
  video: null,
  audio: null,
  files: [{ role: 'poster', key: posterOf(archiveId), size: 1, sha256: null }],
}
