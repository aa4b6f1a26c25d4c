import { describeRules } from './examples.ts'
import { lowLatencyRules } from './low-latency-rules.ts'
import { parsePlaylist } from './parse.ts'

const DATE = '#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00Z'
const HINT = '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="hint.m4s"'
const CONTROL = 'CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1'
const INF = '#EXT-X-PART-INF:PART-TARGET=0.3'
const written = (control: string, inf: string, ...lines: string[]) =>
  parsePlaylist(
    ['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-SERVER-CONTROL:${control}`, inf, ...lines, ''].join('\n'),
  )
/** A playlist with parts of 0.3 s. */
const low = (...lines: string[]) => written(CONTROL, INF, DATE, ...lines)
const control = (attributes: string) => written(`${CONTROL},${attributes}`, INF, DATE, HINT)
const part = (duration: number, more = '') => `#EXT-X-PART:DURATION=${duration},URI="part.m4s"${more}`
const segments = (count: number, seconds = 2) =>
  Array.from({ length: count }, (_, index) => [`#EXTINF:${seconds},`, `${index}.m4s`]).flat()

const SKIPPING = 'CAN-SKIP-UNTIL=12'
const skipping = (...lines: string[]) => written(`${CONTROL},${SKIPPING}`, INF, DATE, ...lines)
const skip = (count: number) => `#EXT-X-SKIP:SKIPPED-SEGMENTS=${count}`

describeRules('rules of low latency', lowLatencyRules, [
  { holds: low(part(0.3), HINT), breaks: written(CONTROL, '', part(0.3), HINT) },
  { holds: control('CAN-SKIP-UNTIL=12.0'), breaks: control('CAN-SKIP-UNTIL=11.9') },
  { holds: control('CAN-SKIP-UNTIL=12,CAN-SKIP-DATERANGES=YES'), breaks: control('CAN-SKIP-DATERANGES=YES') },
  { holds: control('HOLD-BACK=6'), breaks: control('HOLD-BACK=5') },
  {
    holds: written('CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.9', INF, DATE, HINT),
    breaks: written('CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.8', INF, DATE, HINT),
  },
  { holds: low(part(0.3), HINT), breaks: low('#EXT-X-PART:DURATION=0.3', HINT) },
  { holds: low(part(0.3), HINT), breaks: low(part(0.31), HINT) },
  { holds: low(part(0.26), part(0.1), HINT), breaks: low(part(0.2), part(0.3), HINT) },
  { holds: low(part(0.3), HINT), breaks: low(part(0.3), DATE, HINT) },
  {
    holds: low(part(0.3, ',BYTERANGE="9@0"'), part(0.3, ',BYTERANGE="9"'), HINT),
    breaks: low(part(0.3, ',BYTERANGE="9"'), HINT),
  },
  {
    holds: low(part(0.3), part(0.3), '#EXTINF:0.6,', '0.m4s', HINT),
    breaks: low(part(0.3), '#EXTINF:0.6,', '0.m4s', HINT),
  },
  {
    holds: low(part(0.3), '#EXTINF:0.3,', 'a.m4s', ...segments(3), HINT),
    breaks: low(part(0.3), '#EXTINF:0.3,', 'a.m4s', ...segments(4), HINT),
  },
  {
    holds: skipping(skip(2), ...segments(6), HINT),
    breaks: skipping(...segments(6), skip(2), HINT),
  },
  {
    holds: skipping(skip(2), ...segments(6), HINT),
    breaks: low(skip(2), ...segments(6), HINT),
  },
  {
    holds: skipping(skip(2), ...segments(6), HINT),
    breaks: skipping(skip(2), ...segments(5), HINT),
  },
  { holds: low(HINT), breaks: low(HINT, HINT) },
  {
    holds: low(...segments(1), '#EXT-X-ENDLIST'),
    breaks: low(...segments(1), HINT, '#EXT-X-ENDLIST'),
  },
  {
    holds: low(HINT, '#EXT-X-RENDITION-REPORT:URI="../a.m3u8",LAST-MSN=1,LAST-PART=0'),
    breaks: low(HINT, '#EXT-X-RENDITION-REPORT:URI="https://example.com/a.m3u8",LAST-MSN=1,LAST-PART=0'),
  },
  {
    holds: low(HINT),
    breaks: low(),
  },
])
