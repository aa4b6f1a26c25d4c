import type { Format } from '../../../../lib/show/document/publishing.ts'
import type { Evidence } from '../evidence.ts'
import { editsIn, type SeenEdit } from './edits-of.ts'

/** Returns the formats that rebuilds of a recording named, beside those of its show. */
export const rebuiltFormats = (evidence: Pick<Evidence, 'apiRequests'>, archiveId: string): Format[] =>
  editsIn(evidence).flatMap((edit) =>
    edit.archiveId === archiveId && edit.action === 'POST rebuild' ? formatsOf(edit) : [],
  )

/** Returns the formats that a rebuild names. */
export const formatsOf = ({ body }: Pick<SeenEdit, 'body'>): Format[] =>
  (JSON.parse(body || '{}') as { readonly formats?: Format[] }).formats ?? []
