import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** A request that changes a recording. */
export interface SeenEdit {
  readonly archiveId: string
  /** Method and route below the recording, such as `PUT captions`. */
  readonly action: string
  /** The rest of its path, such as a language. */
  readonly of: string
  readonly permanently: boolean
  /** Value of `Idempotency-Key`. */
  readonly key: string
  readonly body: string
  /** Undefined if no answer arrived. */
  readonly status: number | undefined
  readonly answer: string
  readonly askedAt: number
  readonly answeredAt: number
}

/** Matches a call that hides an object behind a delete marker. */
const HIDES = /s3 DeleteObject /
const PATH = /^\/recordings\/([^/?]+)(?:\/([a-z]+))?(?:\/([^?]+))?(?:\?(permanently=true))?$/

/** Lists the requests that change recordings, in the order of their answers. */
export const editsIn = ({ apiRequests }: Pick<Evidence, 'apiRequests'>): SeenEdit[] =>
  apiRequests.flatMap(({ method, path, ...request }) => {
    const [, archiveId, route, of = '', permanently] = PATH.exec(path) ?? []
    if (archiveId === undefined || method === 'GET') return []
    const action = route === undefined ? method : `${method} ${route}`
    return { ...request, archiveId, action, of, permanently: permanently !== undefined }
  })

export const isDone = ({ status = 500 }: Pick<SeenEdit, 'status'>): boolean => status < 300

/** Returns true for a request that may have had its effect although its answer does not say so. */
export const isUncertain = ({ status = 500 }: Pick<SeenEdit, 'status'>): boolean => status >= 500

/** Returns the last of some requests that had or may have had an effect; undefined for none. */
export const lastOf = (edits: readonly SeenEdit[]): SeenEdit | undefined =>
  edits.findLast((edit) => isDone(edit) || isUncertain(edit))

/** Returns the ids of the recordings that were deleted, or may be, and were not restored. */
export function deletedIn(evidence: Pick<Evidence, 'apiRequests' | 'trace'>): ReadonlySet<string> {
  const late = exceptionsIn(evidence.trace).filter(({ fault, line }) => fault === 'delayed' && HIDES.test(line))
  /** A call that hides an object may arrive after the restoration. */
  const mayBeHidden = (archiveId: string) => late.some(({ line }) => line.includes(archiveId))
  const byRecording = Map.groupBy(editsIn(evidence).filter(isOfDeletion), ({ archiveId }) => archiveId)
  return new Set(
    [...byRecording].flatMap(([archiveId, edits]) => {
      const last = lastOf(edits)
      return last === undefined || (last.action !== 'DELETE' && isDone(last) && !mayBeHidden(archiveId))
        ? []
        : archiveId
    }),
  )
}

export const isOfDeletion = ({ action }: SeenEdit): boolean => action === 'DELETE' || action === 'POST restore'

/** Returns true if a request concerns a recording itself, or as a part of a joined one. */
export const concerns = (
  edit: Pick<SeenEdit, 'archiveId'>,
  archiveId: string,
  parts: readonly string[] = [],
): boolean => edit.archiveId === archiveId || parts.includes(edit.archiveId) || joinedId(edit.archiveId) === archiveId
