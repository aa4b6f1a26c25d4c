import { z } from 'zod'
import { callbackKeySet } from '../events/owner-callbacks.ts'
import { deletion } from '../publish/manifest/deletion.ts'
import { manifest, publishedFile } from '../publish/manifest/manifest.ts'
import { show } from '../show/document/show.ts'
import { startOrder } from '../show/document/start.ts'
import { showQuality } from '../show/state/quality.ts'
import { broadcastState, dialInState } from '../show/state/resources.ts'
import { showResult } from '../show/state/result.ts'
import { showState } from '../show/state/state.ts'
import { timelineEntry } from '../show/state/timeline.ts'
import { dayUsage, showUsage } from '../show/state/usage.ts'
import { type ProblemType, problemTypes, problemUri } from './problem-types.ts'

/** Everything the API answers: what a schema does not name is not told. */

const list = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    cursor: z.string().optional().describe('Of the next page; absent on the last one.'),
  })

export const problem = z
  .object({
    type: z
      .enum(Object.keys(problemTypes).map((type) => problemUri(type as ProblemType)))
      .describe('The cause. The address explains it; the part after # is its name.'),
    title: z.string().describe('Title of the type.'),
    status: z.int(),
    detail: z.string().describe('Explanation of this occurrence, and what to do.'),
    problems: z
      .array(
        z.object({
          path: z.string().describe('Path in the body or the query, such as recordings[1].name.'),
          message: z.string().describe('Message that continues a sentence which begins with the path.'),
        }),
      )
      .optional()
      .describe('Every fault of the body or the query.'),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' })

/** What API Gateway itself answers, before the function is asked. */
export const gatewayRefusal = z
  .object({ message: z.string() })
  .meta({ id: 'GatewayRefusal', description: 'What API Gateway answers itself.' })

const accepted = z.object({ showId: z.string(), status: showState.shape.status })

const shownState = showState
  .omit({ version: true, controls: true, closings: true })
  .extend({
    broadcasts: z.array(broadcastState.omit({ order: true })),
    dialIns: z.array(dialInState.omit({ order: true, askedBy: true, tonesAskedBy: true })),
    start: startOrder.optional().describe('When it starts, while it is scheduled.'),
    result: showResult.optional().describe('How it ended, once it has.'),
    usage: showUsage.optional().describe('What was used, once Insights could tell it.'),
  })
  .meta({ id: 'Show', description: 'How far a show is, and what has become of it.' })

const shownFile = <File extends z.ZodObject>(file: File) =>
  file.extend({
    url: z.url().describe('Where it is read, without a token.'),
    expiresAt: z.iso
      .datetime()
      .optional()
      .describe(
        'Until when that works: an hour at most, and no longer than the credentials that it was signed with. Absent where it does not end.',
      ),
  })

const watch = z.object({
  url: z.url().describe('Of the watch page.'),
  expiresAt: z.iso.datetime().optional().describe('When that link ends; absent where it does not.'),
})

const recording = manifest
  .extend({ watch, source: shownFile(manifest.shape.source), files: z.array(shownFile(publishedFile)) })
  .meta({ id: 'Recording', description: 'What was published of an archive.' })

const deletedRecording = deletion
  .pick({ archiveId: true, deletedAt: true, deletedBy: true, createdAt: true, show: true, duration: true, size: true })
  .extend({ restorableUntil: z.iso.datetime().describe('It is deleted permanently then.') })
  .meta({ id: 'DeletedRecording', description: 'A recording that was deleted and can still be restored.' })

const publicRecording = manifest
  .pick({ version: true, archiveId: true, createdAt: true, status: true, duration: true, video: true, audio: true })
  .extend({
    watch: watch.pick({ url: true }),
    source: shownFile(manifest.shape.source.omit({ key: true })),
    files: z.array(shownFile(publishedFile.omit({ key: true }))),
  })

export const answers = {
  accepted,
  valid: z.object({ valid: z.literal(true), show: show.describe('With every default filled in.') }),
  shows: list(
    showState.pick({ showId: true, name: true, status: true, acceptedAt: true, liveAt: true, endedAt: true }),
  ),
  show: shownState,
  unscheduled: z.object({ showId: z.string(), status: z.literal('stopped') }),
  control: z.object({
    showId: z.string(),
    control: z.string().describe('Its id: the id of what it has left in the timeline.'),
    timeline: z.array(timelineEntry).describe('What was done.'),
  }),
  token: z.object({
    apiKey: z.string().describe('Of the platform project.'),
    sessionId: z.string(),
    token: z.string().describe('With which one participant connects.'),
  }),
  recordings: z.union([list(recording), list(deletedRecording)]),
  recording,
  publicRecording,
  callbackKeys: callbackKeySet,
  deleted: z.object({
    archiveId: z.string(),
    objects: z.int().describe('How many objects were deleted this time; where it is permanent, each version counted.'),
    restorableUntil: z.iso.datetime().optional().describe('Absent where it is deleted permanently.'),
  }),
  restored: z.object({ archiveId: z.string(), objects: z.int().describe('How many objects were restored this time.') }),
  captioned: z.object({
    archiveId: z.string(),
    captions: z.array(z.string()).describe('Languages that it has captions in, as BCP 47 writes them.'),
  }),
  judged: z.object({
    archiveId: z.string(),
    etag: z.string(),
    outcome: z
      .enum(['publishing', 'published', 'rejected'])
      .describe('What has become of the file: repeated calls get the same answer.'),
    executionName: z.string().optional().describe('Of the publish machine, while it is being published.'),
  }),
  revoked: z.object({
    archiveId: z.string(),
    revoked: z.array(z.string()).describe('Recordings whose links have ended: itself, and what joins it to others.'),
  }),
  rebuilding: z.object({ archiveId: z.string(), executionName: z.string().describe('Of the publish machine.') }),
  quality: showQuality.meta({ id: 'Quality', description: 'How the streams of a show were sent and received.' }),
  usage: z.object({ from: z.iso.date(), to: z.iso.date(), days: z.array(dayUsage) }),
} as const
