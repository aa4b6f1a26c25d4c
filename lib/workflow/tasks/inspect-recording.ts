import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { orOther } from '../../platform/contract/open-values.ts'
import { mediaFacts, partOfShow, singleStream } from '../documents/manifest.ts'
import { rung } from '../ladder.ts'
import { publishingOrder } from '../orders/publishing.ts'
import { arrival, piece } from '../source.ts'
import type { Task } from './task.ts'

export const inspectRecording = {
  summary:
    'Read the file’s structure by ranges, compare it with the platform’s record, and find what its show asked to be made of it.',
  input: arrival.extend({
    /** Of one that is published once more; what its show asked for otherwise. */
    formats: publishingOrder.shape.formats.unwrap().optional(),
    /** The archive, where the object was composed of its streams. */
    composed: z.string().optional(),
  }),
  output: z.object({
    archiveId: z.string(),
    size: z.int(),
    /** Null for an archive of single streams (archive.zip). */
    facts: mediaFacts.nullable(),
    /** Of such an archive. */
    streams: z.array(singleStream),
    /** What was composed of them before, of which all is made; absent where nothing was, or where that is to be made. */
    composite: arrival.pick({ key: true, etag: true }).optional(),
    /** Null for an archive that no show started. */
    show: partOfShow.nullable(),
    /** What has to be made of it, as far as that can be. */
    formats: publishingOrder.shape.formats.unwrap(),
    access: publishingOrder.shape.access.unwrap(),
    /** What workers take side by side; none where it is not divided. */
    pieces: z.array(piece),
    /** Sizes that the recording may be made smaller to. */
    ladder: z.array(rung),
    /** Days after which it is deleted; null to keep it for ever. */
    keepDays: z.int().nullable(),
    /** What the platform says of it; absent when it does not know the archive. */
    record: z
      .object({
        status: orOther(archiveStatuses),
        size: z.int(),
        duration: z.int(),
        createdAt: z.iso.datetime(),
        /** Base64, where the platform sends it. */
        sha256sum: z.string().nullish(),
      })
      .optional(),
    /** What a person should know: where file and record differ, and what could not be made. */
    differences: z.array(z.string()),
  }),
  timeout: 120,
  memory: 512,
  needs: ['platform', 'showRequests', 'archives', 'publishedManifests', 'ladder'],
} as const satisfies Task
