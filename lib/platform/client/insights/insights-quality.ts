import { z } from 'zod'
import { insightsPage, meetingStream, streamStatistics } from '../../contract/insights/insights-answers.ts'
import { unexpectedAnswer } from './insights-errors.ts'
import {
  eachPage,
  type InsightsOptions,
  PAGE,
  type ProjectQuery,
  type RunQuery,
  selectionOf,
} from './insights-queries.ts'

export interface QualityRequest {
  readonly sessionIds: readonly string[]
  /** Published streams, or one stream per subscriber. @default 'publishers' */
  readonly of?: Side
}

export type Side = keyof typeof streamStatistics

/** A stream in a meeting, with its samples in order of time. */
export type StreamQuality<Of extends Side = Side> = z.output<typeof meetingStream> & {
  readonly sessionId: string
  readonly meetingId: string
  readonly statistics: readonly z.output<(typeof streamStatistics)[Of]>[]
}

/** Samples per page: far below the maximum size of an answer. */
const SAMPLES_PER_PAGE = 5_000

/** Iterates over the streams of sessions, meeting by meeting. Each stream takes at least one request. */
export async function* eachStream(
  runQuery: RunQuery,
  { sessionIds, of = 'publishers' }: QualityRequest,
  options?: InsightsOptions,
) {
  for (const sessionId of sessionIds)
    for await (const { meetingId } of eachMeeting(runQuery, sessionId, options))
      yield* streamsOf(runQuery, of, { sessionId, meetingId }, options)
}

function eachMeeting(runQuery: RunQuery, sessionId: string, options?: InsightsOptions) {
  const query = {
    declare: { after: 'String' },
    fields: `meetings(endCursor: $after) { ${PAGE} resources { meetingId } }`,
  }
  const meeting = z.object({ meetingId: z.string() })
  return eachPage((after) => queryMeetings(runQuery, meeting, query, { sessionId, after }, options))
}

/** Iterates over the streams of a meeting. Each page has one stream, so that the cursor of its samples is unambiguous. */
function streamsOf(
  runQuery: RunQuery,
  of: Side,
  meeting: { readonly sessionId: string; readonly meetingId: string },
  options?: InsightsOptions,
) {
  const { query, shape } = streamsQuery(of)
  const read = async (after: string | null, afterSample: string | null) => {
    const { resources } = await queryMeetings(runQuery, shape, query, { ...meeting, after, afterSample }, options)
    if (!resources[0]) throw unexpectedAnswer('the meeting is missing')
    return resources[0].list
  }
  return eachPage(async (after) => {
    const { pageInfo, resources } = await read(after, null)
    const [first] = resources
    if (!first) return { pageInfo, resources: [] }
    const { streamStatsCollection, ...stream } = first
    const samples = eachPage(async (afterSample) => {
      if (afterSample === null) return streamStatsCollection
      const [again] = (await read(after, afterSample)).resources
      if (!again) throw unexpectedAnswer('the stream is missing')
      return again.streamStatsCollection
    })
    return { pageInfo, resources: [{ ...stream, ...meeting, statistics: await Array.fromAsync(samples) }] }
  })
}

function streamsQuery(of: Side) {
  const sample: z.ZodObject = streamStatistics[of]
  const samples = `streamStatsCollection(first: ${SAMPLES_PER_PAGE}, endCursor: $afterSample) { ${PAGE} resources { ${selectionOf(sample)} } }`
  const list = `list: ${of}(first: 1, endCursor: $after) { ${PAGE} resources { ${selectionOf(meetingStream)} ${samples} } }`
  return {
    query: {
      declare: { meetingId: 'String!', after: 'String', afterSample: 'String' },
      fields: `meetings(meetingId: $meetingId) { ${PAGE} resources { ${list} } }`,
    },
    shape: z.object({ list: insightsPage(meetingStream.extend({ streamStatsCollection: insightsPage(sample) })) }),
  }
}

/** Returns one page of a session's meetings. */
async function queryMeetings<Meeting extends z.ZodType>(
  runQuery: RunQuery,
  meeting: Meeting,
  { declare, fields }: ProjectQuery,
  values: Readonly<Record<string, unknown>>,
  options?: InsightsOptions,
) {
  const resources = z.array(z.object({ meetings: insightsPage(meeting) }))
  const shape = z.object({ sessionData: z.object({ sessions: z.object({ resources }) }) })
  const query = {
    declare: { sessionId: 'String!', ...declare },
    fields: `sessionData { sessions(sessionIds: [$sessionId]) { resources { ${fields} } } }`,
  }
  const [session] = (await runQuery(shape, query, values, options)).sessionData.sessions.resources
  if (!session) throw unexpectedAnswer('the session is missing')
  return session.meetings
}
