import type { Evidence } from '../evidence.ts'

/** Checks that the platform keeps the file of an archive whose upload failed. Without the fallback of the target, the archive has failed. */
export function keptFiles({ statusChanges }: Pick<Evidence, 'statusChanges'>): string[] {
  const last = new Map<string, string>()
  return statusChanges.flatMap(({ kind, id, tag, status }) => {
    const before = last.get(id)
    last.set(id, status)
    return kind === 'archive' && status === 'failed' && before === 'stopped'
      ? [`the platform kept no file of the archive ${tag ?? id}, whose upload failed`]
      : []
  })
}
