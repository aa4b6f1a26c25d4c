import type { ArchiveRecord } from '../state/records.ts'

/** Returns `composed` for one picture of all streams, `individual` for a file per stream. */
export const outputModeOf = ({ layout }: Pick<ArchiveRecord, 'layout'>): 'composed' | 'individual' =>
  layout ? 'composed' : 'individual'

/** Returns the name of an archive's file in uploads and URLs, and its content type. */
export const fileOf = (archive: ArchiveRecord) =>
  outputModeOf(archive) === 'composed'
    ? { name: 'archive.mp4', type: 'video/mp4' }
    : { name: 'archive.zip', type: 'application/zip' }
