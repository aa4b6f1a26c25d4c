import { createReadStream, createWriteStream, type Dirent, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteRange, RecordedFile } from '../media/media.ts'
import { isUuid } from '../state/ids.ts'

/** The platform's own storage: finished files until they are uploaded, deleted or expired. */
export interface ArchiveStore {
  /** True if the files outlive the process. */
  readonly isLasting: boolean
  /** Moves a file into the store; it appears complete or not at all. */
  keep(archiveId: string, file: RecordedFile): Promise<void>
  has(archiveId: string): boolean
  /** @throws Error when there is no such file */
  open(archiveId: string, range?: ByteRange): Readable
  discard(archiveId: string): Promise<void>
  /** Deletes the files of all other archives, and incomplete files that a killed process left. */
  discardBut(archiveIds: ReadonlySet<string>): void
  /** Discards files that do not outlive the process. */
  close(): Promise<void>
}

/** Creates a store in `directory`, where files outlive the process. Without one, files stay where the media engine made them. */
export function createArchiveStore(directory?: string): ArchiveStore {
  return directory ? createFilesIn(directory) : createBorrowedFiles()
}

/** Suffix of incomplete files. */
const PART = '.part'
/** Returns true for a file of the store: the directory may hold files of the user, which are left alone. */
const isOurs = (entry: Dirent) => entry.isFile() && isUuid(basename(entry.name, PART))

function createFilesIn(directory: string): ArchiveStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const pathOf = (archiveId: string) => join(directory, archiveId)
  return {
    isLasting: true,
    async keep(archiveId, file) {
      if (file.path && (await move(file.path, pathOf(archiveId)))) return
      const part = pathOf(archiveId) + PART
      await pipeline(file.open(), createWriteStream(part, { mode: 0o600 }))
      await rename(part, pathOf(archiveId))
      await file.discard()
    },
    has: (archiveId) => existsSync(pathOf(archiveId)),
    open: (archiveId, range) => createReadStream(pathOf(archiveId), range),
    discard: (archiveId) => rm(pathOf(archiveId), { force: true }),
    discardBut(archiveIds) {
      const ours = readdirSync(directory, { withFileTypes: true }).filter(isOurs)
      for (const { name } of ours) if (!archiveIds.has(name)) rmSync(join(directory, name))
    },
    close: async () => {},
  }
}

/** Returns false if the file cannot be moved because it is in another file system. */
async function move(from: string, to: string): Promise<boolean> {
  await chmod(from, 0o600)
  return rename(from, to).then(
    () => true,
    () => false,
  )
}

function createBorrowedFiles(): ArchiveStore {
  const files = new Map<string, RecordedFile>()
  const discard = async (archiveId: string) => {
    const file = files.get(archiveId)
    files.delete(archiveId)
    await file?.discard()
  }
  return {
    isLasting: false,
    async keep(archiveId, file) {
      files.set(archiveId, file)
    },
    has: (archiveId) => files.has(archiveId),
    open(archiveId, range) {
      const file = files.get(archiveId)
      if (!file) throw new Error(`There is no file of archive ${archiveId}.`)
      return file.open(range)
    },
    discard,
    discardBut() {}, // an earlier process leaves nothing in memory
    async close() {
      for (const archiveId of [...files.keys()]) await discard(archiveId)
    },
  }
}
