import type { World } from '../world.ts'
import { pathIn, type WatchLink } from './visit-pages.ts'
import type { Visitor } from './visitor.ts'

const UNKNOWN_SHOW = '0'.repeat(40)
const UNKNOWN_RECORDING = '00000000-0000-4000-8000-000000000000'

/** A valid link that leads nowhere any more: its page, and the status and the problem of its data. */
interface Gone {
  readonly subject: string
  readonly path: string
  readonly expires: number
  readonly epoch?: number
  readonly page: string
  readonly data: readonly [name: string, status: number, problem: string]
}

/** Visits links that are signed and lead nowhere: they have expired, were revoked, or their recording or show is deleted. */
export async function visitGoneLinks(
  { get }: Visitor,
  { watchLinks, clock }: Pick<World['observer'], 'watchLinks' | 'clock'>,
  { recording, show }: Readonly<Record<'recording' | 'show', WatchLink | undefined>>,
): Promise<void> {
  const now = Math.floor(clock.now() / 1000)
  const [later, earlier] = [now + 3_600, now - 1]
  for (const one of [
    ...goneRecordings({ link: `/watch/${UNKNOWN_RECORDING}`, isPublic: false }, later, 'unknown-recording'),
    ...goneShows(`/watch/show/${UNKNOWN_SHOW}`, later, 'unknown-show'),
    ...(recording && !recording.isPublic
      ? [
          ...goneRecordings(recording, earlier, 'link-expired'),
          ...goneRecordings(recording, later, 'link-revoked').map((gone) => ({ ...gone, epoch: 1_000 })),
        ]
      : []),
    ...(show && !show.isPublic ? goneShows(show.link, earlier, 'link-expired') : []),
  ]) {
    const { subject, path, expires, epoch, page, data } = one
    const { signature } = await watchLinks.grantUntil(subject, expires, epoch)
    const query = new URLSearchParams({ expires: `${expires}`, ...(epoch && { epoch: `${epoch}` }), signature })
    const [name, status, problem] = data
    await get(`${path}?${query}`, { accept: 'text/html', expects: 410, says: page })
    await get(`${path}/embed?${query}`, { accept: 'text/html', expects: 410, says: page })
    await get(`${path}/${name}?${query}`, { expects: status, says: problem })
  }
}

const HEADINGS = {
  'link-expired': 'This link has expired',
  'link-revoked': 'This link was withdrawn',
  'unknown-recording': 'This recording is gone',
  'unknown-show': 'This show is gone',
} as const
type Problem = keyof typeof HEADINGS

/** Statuses of the problems (docs/problems.md). */
const statusOf = (problem: Problem) => (problem.startsWith('link') ? 403 : 404)

function goneRecordings({ link }: WatchLink, expires: number, problem: Problem): Gone[] {
  const [path = ''] = pathIn(link).split('?')
  const page = HEADINGS[problem]
  return [{ subject: lastOf(path), path, expires, page, data: ['recording', statusOf(problem), problem] }]
}

function goneShows(link: string, expires: number, problem: Problem): Gone[] {
  const [path = ''] = pathIn(link).split('?')
  const page = HEADINGS[problem]
  return [{ subject: `show/${lastOf(path)}`, path, expires, page, data: ['state', statusOf(problem), problem] }]
}

const lastOf = (path: string) => path.split('/').at(-1) ?? ''
