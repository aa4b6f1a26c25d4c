import type { ArchiveRecord } from '../state/records.ts'

/** One picture of all streams, or a file for each. */
export const outputModeOf = ({ layout }: Pick<ArchiveRecord, 'layout'>): 'composed' | 'individual' =>
  layout ? 'composed' : 'individual'

/** What an archive's file is called, in uploads and URLs, and what it is. */
export const fileOf = (archive: ArchiveRecord) =>
  outputModeOf(archive) === 'composed'
    ? { name: 'archive.mp4', type: 'video/mp4' }
    : { name: 'archive.zip', type: 'application/zip' }
