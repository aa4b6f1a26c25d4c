import type { RecordedFile } from '../media/media.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord } from '../state/records.ts'
import type { ArchiveDelivery } from './archive-delivery.ts'
import { outputModeOf } from './archive-files.ts'

/** Completes stopped archives: their files are made, kept and delivered. */
export function createArchiveCompletion(
  parts: Pick<SandboxParts, 'store' | 'background' | 'media' | 'files'> & {
    delivery: ArchiveDelivery
    fail(id: string): void
  },
) {
  const { store, media, files, background, delivery, fail } = parts
  const filesInTheMaking = new Set<Promise<unknown>>()

  /** Updates the record first: a process that ends before the file is kept leaves the file where it was made. */
  async function makeAndKeep(id: string, make: () => Promise<RecordedFile | undefined>) {
    try {
      const file = await make()
      if (!file) throw new Error(`There is nothing of archive ${id}.`)
      const { size, seconds, sha256 } = file
      const finished = store.archives.update(id, { file: { size, seconds, sha256 } })
      await files.keep(id, file)
      return finished
    } catch {
      fail(id)
    }
  }

  /** Makes and keeps the file of a stopped archive. Resolves with undefined when that fails; the archive has failed then. */
  function makeFile(id: string, make: () => Promise<RecordedFile | undefined>): Promise<ArchiveRecord | undefined> {
    const made = makeAndKeep(id, make)
    filesInTheMaking.add(made)
    return made.finally(() => filesInTheMaking.delete(made))
  }

  /** Delivers an archive in the background, once its file is made. */
  function deliver(made: Promise<ArchiveRecord | undefined>): void {
    background.run(async () => {
      const archive = await made
      if (!archive) return
      try {
        await delivery.deliver(archive)
      } catch (error) {
        if (!background.signal.aborted) throw error // while closing: the next process delivers it, if there is a directory
      }
    })
  }

  /** Completes what an earlier process left: stopped archives are delivered, available ones expire in time. */
  function recover(): void {
    const withFiles = store.archives.find({ status: ['stopped', 'available'] })
    files.discardBut(new Set(withFiles.map(({ id }) => id)))
    for (const archive of store.archives.find({ status: 'stopped' })) {
      const isKept = archive.file && files.has(archive.id)
      const make = async () => media.recover?.({ ...archive, outputMode: outputModeOf(archive) })
      deliver(isKept ? Promise.resolve(archive) : makeFile(archive.id, make))
    }
    for (const archive of store.archives.find({ status: 'available' })) delivery.awaitExpiry(archive)
  }

  return {
    makeFile,
    deliver,
    recover,
    /** Resolves once no file is being made. */
    async settled(): Promise<void> {
      await Promise.all(filesInTheMaking)
    },
  }
}
