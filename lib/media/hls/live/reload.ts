import { PART_TARGET } from './live-playlist.ts'
import type { LiveTimeline } from './live-timeline.ts'

/** Delivery directives of a request for a playlist (RFC 8216bis, 6.2.5). */
export interface ReloadRequest {
  /** Media sequence number of `_HLS_msn`. */
  readonly segment?: number | undefined
  /** Part index of `_HLS_part`. */
  readonly part?: number | undefined
  /** True with `_HLS_skip`. */
  readonly skip: boolean
}

/** Segments behind the last one up to which a player may ask (RFC 8216bis, 6.2.5.2). */
const MAX_AHEAD = 2
/** Parts behind the last one up to which a player may ask: the Advance Part Limit (RFC 8216bis, 6.2.5.2). */
const MAX_PARTS_AHEAD = 3 / PART_TARGET

/** Reads the delivery directives of a query. Returns undefined if they are invalid. */
export function readReload(query: URLSearchParams): ReloadRequest | undefined {
  const [segment, part] = ['_HLS_msn', '_HLS_part'].map((name) => query.get(name))
  const skip = query.get('_HLS_skip')
  const isNumber = (text: string | null | undefined) => text == null || /^\d{1,9}$/.test(text)
  if (!isNumber(segment) || !isNumber(part) || (part != null && segment == null)) return undefined
  if (skip !== null && skip !== 'YES' && skip !== 'v2') return undefined
  const toNumber = (text: string | null | undefined) => (text == null ? undefined : Number(text))
  return { segment: toNumber(segment), part: toNumber(part), skip: skip !== null }
}

/**
 * Decides about a request for a playlist: answer it `now`, hold it until the next part (`wait`), or refuse it as too far
 * `ahead`. A part behind the last one of its segment means the first part of the next segment.
 */
export function judgeReload(
  { segments, current, hasEnded }: Pick<LiveTimeline, 'segments' | 'current' | 'hasEnded'>,
  { segment, part }: Pick<ReloadRequest, 'segment' | 'part'>,
): 'now' | 'wait' | 'ahead' {
  if (segment === undefined || hasEnded) return 'now'
  const open = segments.length
  const lastPart = segment === open ? current.length - 1 : -1
  const isFar = part !== undefined && part - lastPart > MAX_PARTS_AHEAD
  if (segment > open - 1 + MAX_AHEAD || (segment >= open && isFar)) return 'ahead'
  if (segment < open) {
    const parts = segments.at(segment)?.parts.length ?? 0
    const isBehindLast = segment === open - 1 && part !== undefined && parts > 0 && part >= parts
    return isBehindLast && current.length === 0 ? 'wait' : 'now'
  }
  return segment === open && part !== undefined && part < current.length ? 'now' : 'wait'
}
