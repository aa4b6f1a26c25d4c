import { describeStateError } from '../tasks/state-errors.ts'
import type { TaskInput, TaskOutput } from '../tasks/tasks.ts'
import { type FileRole, type Manifest, type MissingFormat, rolesOf } from './manifest/manifest.ts'

type Input = TaskInput<'writeManifest'>

/** Facts that the manifest needs beside the results of the publishing tasks. */
export interface Findings extends Pick<TaskOutput<'inspectRecording'>, 'show' | 'access' | 'keepDays' | 'size'> {
  readonly now: string
  /** Absent when no show started the archive. */
  readonly page?: Manifest['page']
  /** Version of the source; undefined when it has been replaced. */
  readonly versionId: string | undefined
  readonly tools: Record<string, string>
}

/**
 * Returns the manifest of a recording from the results of its publishing tasks.
 * @param earlier the manifest of the same file, whose formats are kept where this publish does not replace them
 */
export function manifestOf(
  archiveId: string,
  earlier: Manifest | undefined,
  input: Input,
  { show, page, access, keepDays, now, size, versionId, tools }: Findings,
): Manifest {
  const { key, etag, stage, inspection, hashes, failure } = input
  const missing = missingOf(input, earlier)
  const sentences = failure
    ? [describeStateError(failure)]
    : [...differencesOf(input), ...missing.map(({ problem }) => problem)]
  const message = sentences.join(' ')
  const loudness = input.loudness ?? earlier?.loudness
  return {
    version: 1,
    archiveId,
    createdAt: inspection?.record?.createdAt ?? earlier?.createdAt ?? now,
    ...(show && { show }),
    ...(page && { page }),
    status: failure ? (earlier?.status === 'complete' ? 'complete' : 'failed') : stage,
    access,
    ...(keepDays && { keepDays }),
    ...(message && { message }),
    publications: publicationsOf(input, earlier, { at: now, ...(message && { message }) }),
    ...(missing.length > 0 && { missing }),
    source: {
      key,
      etag,
      ...(versionId && { versionId }),
      size,
      sha256: hashes?.sha256 ?? earlier?.source.sha256 ?? null,
    },
    ...factsOf(input, earlier),
    ...(loudness !== undefined && { loudness }),
    tools: { ...earlier?.tools, ...tools, ...(input.ffmpeg && { ffmpeg: input.ffmpeg }) },
    files: filesOf(input, earlier),
  }
}

/** Returns what is in the file. A failure, which may have inspected nothing, leaves the facts of the files that it leaves. */
function factsOf({ inspection, failure }: Input, earlier: Manifest | undefined) {
  const kept = failure ? earlier : undefined
  const streams = inspection && inspection.streams.length > 0 ? inspection.streams : kept?.streams
  const { duration = null, video = null, audio = null } = inspection?.facts ?? kept ?? {}
  return { ...(streams && { streams }), duration, video, audio }
}

/** Owners care about the latest; one execution adds at most two. */
const MAX_PUBLICATIONS = 20

type Publication = NonNullable<Manifest['publications']>[number]

const outcomeOf = ({ stage, failure }: Input): Publication['status'] => (failure ? 'failed' : stage)

/** Returns a predicate that finds the publication which this input adds. */
export const isPublicationOf = (input: Input) => (publication: Publication) =>
  publication.executionName === input.executionName && publication.status === outcomeOf(input)

function publicationsOf(
  input: Input,
  earlier: Manifest | undefined,
  entry: { readonly at: string; readonly message?: string },
) {
  const before = earlier?.publications ?? []
  if (before.some(isPublicationOf(input))) return before // a task that is repeated keeps the time of its first run
  const publication = { executionName: input.executionName, status: outcomeOf(input), ...entry }
  return [...before, publication].slice(-MAX_PUBLICATIONS)
}

/** The inspection compares everything but the hash, which is known last. */
function differencesOf({ inspection, hashes }: Input): string[] {
  const recorded = inspection?.record?.sha256sum
  const differs = recorded && hashes && Buffer.from(recorded, 'base64').toString('hex') !== hashes.sha256
  return [...(inspection?.differences ?? []), ...(differs ? [OTHER_HASH] : [])]
}

/** Message of a manifest for a file whose hash differs from the platform's record. */
export const OTHER_HASH = 'Its SHA-256 differs from the platform’s record.'

/** Returns the formats that could not be made now, and those that failed earlier and were not tried again. */
function missingOf({ inspection, failure, missing }: Input, earlier: Manifest | undefined): MissingFormat[] {
  const before = earlier?.missing ?? []
  if (failure) return before
  const wanted = inspection?.formats ?? []
  return [
    ...before.filter(({ format }) => !wanted.includes(format)),
    ...missing.filter(({ format }) => wanted.includes(format)),
  ]
}

/** Returns the earlier files with those of each format that was made now replaced; after a failure the earlier ones. */
function filesOf({ inspection, files, missing, hashes, failure }: Input, earlier: Manifest | undefined) {
  const before = earlier?.files ?? []
  if (failure) return before
  const made = inspection?.formats.filter((format) => !missing.some((one) => one.format === format)) ?? []
  const replaced = new Set<FileRole>([...made.flatMap((format) => rolesOf[format]), ...files.map(({ role }) => role)])
  /** A composite is its own faststart copy, so its hash is known already. */
  const shaOf = (key: string) =>
    [...files, ...before].find((file) => file.role === 'composite' && file.key === key)?.sha256
  const hashed = files.map((file) =>
    file.role === 'faststart' ? { ...file, sha256: shaOf(file.key) ?? hashes?.faststartSha256 ?? null } : file,
  )
  return [...before.filter(({ role }) => !replaced.has(role)), ...hashed]
}
