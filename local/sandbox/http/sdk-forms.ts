import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { streamOperations } from '../../../lib/platform/contract/streams.ts'
import { uploadTargetOperations } from '../../../lib/platform/contract/upload-targets.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts the undocumented forms that official SDKs send to the documented ones, as the platform evidently does
 * (docs/platform/behavior.md#requests-of-server-sdks).
 */
export function toSpecifiedForm({ id }: Pick<Operation, 'id'>, body: unknown): unknown {
  const given = omitNulls(body)
  if (id === uploadTargetOperations.setUploadTarget.id) return withNull(body, given, 'fallback')
  if (id === streamOperations.muteSession.id && isFields(given)) return muteOf(given)
  return given
}

/** Removes nulls, which SDKs send for options that their caller left out. */
function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls)
  if (!isFields(value)) return value
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(given.map(([name, field]) => [name, omitNulls(field)]))
}

/** Keeps one null, whose default does harm: without a fallback an upload that fails loses its file. */
const withNull = (body: unknown, given: unknown, name: string) =>
  isFields(body) && isFields(given) && body[name] === null ? { ...given, [name]: null } : given

/**
 * Converts the body of muteSession. Ruby sends `active` as a string. Python, PHP and Ruby call the exclusions
 * `excludedStreams`, and Java 4.9 misspells them.
 */
function muteOf({ active, excludedStreams, excudedStreamIds = excludedStreams, ...given }: Fields): Fields {
  return {
    ...(excudedStreamIds !== undefined && { excludedStreamIds: excudedStreamIds }),
    ...given,
    ...(active !== undefined && { active: BOOLEANS.get(active) ?? active }),
  }
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
