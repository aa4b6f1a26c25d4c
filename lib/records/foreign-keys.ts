import type { Manifest } from '../publish/manifest/manifest.ts'
import { isJoinedId, joinedId } from '../show/document/fields/names.ts'
import { keys, parseArchiveKey } from '../show/state/keys.ts'
import { TaskInputError } from '../tasks/errors.ts'

/** The fields of a manifest that name keys. */
export type NamedKeys = Pick<Manifest, 'archiveId' | 'parts' | 'source' | 'files'>

/** Returns keys in a manifest that are not its recording's: the API signs links for all, so one would disclose a file. */
export function foreignKeysIn({ archiveId, parts = [], source, files }: NamedKeys): string[] {
  const isJoined = isJoinedId(archiveId)
  const first = isJoined ? parts.find((part) => joinedId(part) === archiveId) : archiveId
  const folders = (isJoined ? [archiveId, ...parts] : [archiveId]).map(keys.recording)
  const isOwnSource = first !== undefined && parseArchiveKey(source.key)?.archiveId === first
  const isOwnFile = (key: string) =>
    (isOwnSource && key === source.key) || folders.some((folder) => isFileIn(folder, key))
  const named = files.map(({ key }) => key).filter((key) => !isOwnFile(key))
  return isOwnSource ? named : [source.key, ...named]
}

/** Excludes segments that begin with a dot, with which a client would leave the folder. */
const FILE = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const isFileIn = (folder: string, key: string) => {
  const file = key.slice(folder.length)
  return key.startsWith(folder) && file !== 'manifest.json' && FILE.test(file)
}

/** Thrown for a manifest that names files of another recording or a show. Nothing of it is linked until it is repaired. */
export class ForeignKeysError extends TaskInputError {
  readonly archiveId: string

  constructor(archiveId: string, foreign: readonly string[]) {
    super(
      `The manifest of recording ${archiveId} names foreign keys (${foreign.slice(0, 3).join(', ')}): rebuild the recording.`,
    )
    this.archiveId = archiveId
  }
}
