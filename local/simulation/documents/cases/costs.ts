import { accepted, type DocumentCase, recording } from '../document-case.ts'

/** List prices in US dollars, from docs/deploy.md. */
const TRANSITION = 0.025 / 1_000
const INVOCATION = 0.2 / 1_000_000
const GIGABYTE_SECOND = 0.0000133334
const WRITE = 0.005 / 1_000
const READ = 0.0004 / 1_000
const MILLIONTH = 1 / 1_000_000
const STORED = 0.023
const SENT = 0.09

const functions = (invocations: number, gigabyteSeconds: number) =>
  invocations * INVOCATION + gigabyteSeconds * GIGABYTE_SECOND

/** The shows of the table in docs/deploy.md: a broadcast and two recordings. */
const show = {
  recordings: [{ name: 'a' }, { name: 'b' }],
  broadcasts: [{ name: 'live', hls: {} }],
}
const HOUR = 3_600
const noRenditions = { publish: { formats: ['poster', 'faststart', 'hls', 'thumbnails', 'audio', 'chapters'] } }
const stored = (gigabytes: number) => ({ Storage: [`${gigabytes.toFixed(1)} GB`, gigabytes * STORED] as const })
const sent = (gigabytes: number) => ({ Viewers: [`${gigabytes.toFixed(1)} GB`, gigabytes * SENT] as const })

/** Costs of shows, by the table in docs/deploy.md. */
export const costs: readonly DocumentCase[] = [
  accepted(
    'the cost of two hours of audio',
    { duration: 2 * HOUR, ...recording({ hasVideo: false }) },
    {
      costs: { Storage: ['0.2 GB', 0.24 * STORED] },
    },
  ),
  accepted(
    'the cost of two hours of individual streams',
    { duration: 2 * HOUR, ...recording({ outputMode: 'individual' }) },
    {
      costs: stored(2),
    },
  ),
  accepted(
    'the cost of an hour',
    { duration: HOUR, ...show },
    {
      usd: 0.1187,
      costs: {
        'Step Functions': ['379 transitions', 379 * TRANSITION],
        'Lambda, running': ['96 invocations, 7 GB-s', functions(96, 7.2)],
        'Lambda, renditions': ['12 invocations, 7,050 GB-s', functions(12, 7_050)],
        'Lambda, the rest of publishing': ['44 invocations, 490 GB-s', functions(44, 490)],
        'S3, writes and lists': ['1,000 requests', 1_000 * WRITE],
        'S3, reads': ['4,500 requests', 4_500 * READ],
        'HTTP API': ['1,000 requests', 1_000 * MILLIONTH],
        'EventBridge and Scheduler': ['20 events', 20 * MILLIONTH],
        Logs: ['0.5 MB', 0.0005 * 0.5],
        'X-Ray': ['100 traces', 100 * 5 * MILLIONTH],
        ...stored(7.6),
        ...sent(2),
      },
    },
  ),
  accepted(
    'the cost of ten hours',
    { duration: 10 * HOUR, ...show },
    {
      usd: 1.1762,
      costs: {
        'Step Functions': ['2,767 transitions', 2_767 * TRANSITION],
        'Lambda, running': ['764 invocations, 57 GB-s', functions(764, 57.3)],
        'Lambda, renditions': ['120 invocations, 70,500 GB-s', functions(120, 70_500)],
        'Lambda, the rest of publishing': ['226 invocations, 5,452 GB-s', functions(226, 5_452)],
        'S3, writes and lists': ['11,700 requests', 11_700 * WRITE],
        'S3, reads': ['47,000 requests', 47_000 * READ],
        'HTTP API': ['10,000 requests', 10_000 * MILLIONTH],
        'EventBridge and Scheduler': ['60 events', 60 * MILLIONTH],
        Logs: ['4.0 MB', 0.004 * 0.5],
        'X-Ray': ['800 traces', 800 * 5 * MILLIONTH],
        ...stored(96.4),
        ...sent(20),
      },
    },
  ),
  accepted(
    'the cost of an hour without renditions',
    { duration: HOUR, ...show, ...noRenditions },
    {
      usd: 0.0241,
      costs: { 'Lambda, renditions': ['0 invocations, 0 GB-s', 0], ...stored(2 * 3.08) },
    },
  ),
  accepted(
    'the cost of an hour of audio',
    { duration: HOUR, ...recording({ hasVideo: false }) },
    {
      costs: {
        'Step Functions': [`${283 + 36} transitions`, (283 + 36) * TRANSITION],
        'Lambda, the rest of publishing': ['16 invocations, 0 GB-s', functions(16, 0)],
        Storage: ['0.1 GB', 0.12 * STORED],
        ...sent(0),
      },
    },
  ),
  accepted(
    'the cost of an hour of individual streams',
    { duration: HOUR, ...recording({ outputMode: 'individual' }) },
    {
      costs: { 'S3, reads': ['500 requests', 500 * READ], ...stored(1), ...sent(0) },
    },
  ),
  accepted(
    'the cost of an hour in 1080p',
    { duration: HOUR, ...recording({ resolution: '1920x1080' }) },
    {
      costs: { ...stored(4.9), ...sent(1) },
    },
  ),
  accepted(
    'the cost of an hour in 1080p upright',
    { duration: HOUR, ...recording({ resolution: '1080x1920' }) },
    {
      costs: stored(4.9),
    },
  ),
  accepted(
    'the cost of an hour in 1080p without renditions',
    { duration: HOUR, ...noRenditions, ...recording({ resolution: '1920x1080' }) },
    { costs: { Storage: ['3.1 GB', 3.08 * STORED] } },
  ),
  accepted(
    'the cost of an hour without formats',
    { duration: HOUR, publish: { formats: [] } },
    {
      costs: stored(1),
    },
  ),
  accepted(
    'the cost of an hour with audio and posters',
    { duration: HOUR, publish: { formats: ['audio', 'poster'] } },
    {
      costs: { Storage: ['1.1 GB', 1.06 * STORED] },
    },
  ),
  accepted(
    'the cost of parts without hls',
    { duration: 5 * HOUR, publish: { formats: ['faststart', 'thumbnails'] } },
    {
      costs: { Storage: ['10.1 GB', 5 * 2.02 * STORED], ...sent(5) },
    },
  ),
  accepted(
    'the cost of an hour between pauses',
    {
      duration: 2 * HOUR,
      ...recording({
        pauses: [
          { from: 1_800, to: 3_600 },
          { from: 4_500, to: 6_300 },
        ],
      }),
      publish: { formats: ['hls'] },
    },
    {
      // Three parts, of which two follow another: half an hour.
      costs: {
        'Lambda, the rest of publishing': ['53 invocations, 268 GB-s', functions(53, 268)],
        Storage: ['2.9 GB', (2 + 0.5 * 1.7) * STORED],
        ...sent(1),
      },
    },
  ),
  accepted('the cost of an open end', { duration: null, recordings: [{ name: 'a' }] }, { costs: sent(10) }),
]
