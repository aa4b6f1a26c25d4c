import type { Storage, StoredObject } from '../aws/storage/storage.ts'
import { ffmpegVersion } from '../media/ffmpeg/ffmpeg-build.ts'
import type { Services } from '../services.ts'
import { keys } from '../show/state/keys.ts'
import { editionOf, type Json } from './editions.ts'
import { mediaOf } from './media-functions.ts'
import { type FileToPublish, type PublishedFile, publishFile } from './published-files.ts'

interface PublishInput {
  readonly archiveId: string
  /** ETag of the recording. */
  readonly etag: string
  readonly keepDays: number | null
}

interface Source {
  readonly key: string
  readonly etag: string
}

/** Everything beside the source that determines the bytes of a format. */
interface Recipe {
  /** Folder of the format's files, below the recording's. */
  readonly folder: string
  /** Is raised when the same source and parameters would give other bytes. */
  readonly version: number
  readonly parameters?: { readonly [name: string]: Json }
}

/** An edition of a format: its name, and where its files are published. */
interface Edition {
  readonly edition: string
  keyOf(file: string): string
  /** Stores a file of this edition and returns its row of the manifest. */
  publish(file: Omit<FileToPublish, 'key' | 'keepDays'> & { readonly name: string }): Promise<PublishedFile>
}

interface PublishTask extends Edition {
  readonly source: StoredObject
}

interface FfmpegEdition extends Edition {
  readonly ffmpegPath: string
  readonly ffmpeg: string
}

/** Names the edition that a recipe makes of a source. */
export function createEdition(
  { etag, archiveId, keepDays }: PublishInput,
  storage: Pick<Storage, 'put'>,
  { folder, version, parameters }: Recipe,
): Edition {
  const edition = editionOf({ etag, recipe: parameters ? { recipe: version, ...parameters } : version })
  const keyOf = (file: string) => keys.published(archiveId, folder, edition, file)
  return {
    edition,
    keyOf,
    publish: ({ name, ...file }) => publishFile(storage, { ...file, key: keyOf(name), keepDays }),
  }
}

/** Opens the source of a publishing task. @throws {@link StorageError} when the bucket fails */
export async function openTask(
  input: PublishInput & Source,
  { storage }: Pick<Services, 'storage'>,
  recipe: Recipe,
): Promise<PublishTask> {
  return { source: await storage.open(input.key, input.etag), ...createEdition(input, storage, recipe) }
}

/** Names an edition that is made with ffmpeg, whose version is a parameter of its recipe. */
export async function createFfmpegEdition(
  input: PublishInput,
  services: Pick<Services, 'storage' | 'variable' | 'media'>,
  { parameters, ...recipe }: Recipe,
): Promise<FfmpegEdition> {
  const { storage, variable } = services
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await mediaOf(services, { ffmpegVersion }).ffmpegVersion(ffmpegPath)
  return { ...createEdition(input, storage, { ...recipe, parameters: { ...parameters, ffmpeg } }), ffmpegPath, ffmpeg }
}

/** Opens the source of a publishing task that uses ffmpeg. */
export async function openFfmpegTask(
  input: PublishInput & Source,
  services: Pick<Services, 'storage' | 'variable' | 'media'>,
  recipe: Recipe,
): Promise<PublishTask & FfmpegEdition> {
  const edition = await createFfmpegEdition(input, services, recipe)
  return { source: await services.storage.open(input.key, input.etag), ...edition }
}
