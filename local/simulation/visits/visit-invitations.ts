import { createRandom } from '../scheduling/random.ts'
import type { World } from '../world.ts'
import type { Doors } from './guests.ts'
import { jsonOf, type Visitor } from './visitor.ts'

type Reach = Pick<World, 'guests' | 'observer' | 'clock' | 'until' | 'resources'>

/** Milliseconds from the post of a show at which a guest asks to join. Odd ones, at which nothing else happens. */
const FROM_POST = [3, 4_007, 61_013, 307_019] as const
/** Milliseconds from the first archive or broadcast, of a series from that of each of its shows. */
const FROM_LIVE = [1_003, 301_009] as const
/** Further times, which a seed draws between the post and a day later. */
const DRAWN = 2
const DAY = 86_400_000

/** The participant whom each invitation names. */
const INVITED = { role: 'publisher', data: 'Ada' } as const

/**
 * Lets a guest come by an invitation to a show or a series at several times: before it begins, while it is live, and after it. The
 * guest’s requests are not scheduled, so they change nothing of the show.
 */
export function scheduleInvitations(reach: Reach, showId: string, seed: number): void {
  const { clock, until, resources, observer } = reach
  const random = createRandom(seed, 'invitations')
  const operator = observer.variable('OPERATOR_ROLE')
  let invitation: string | undefined
  const come = async () => {
    const { visitor } = reach.guests
    if (invitation === undefined) {
      const invited = await visitor.post(`/shows/${showId}/invitations`, { as: operator, body: INVITED })
      invitation = jsonOf<{ invitation: string }>(invited)?.invitation
    }
    if (invitation !== undefined) await join(reach, showId, invitation)
  }
  const at = (time: number) => clock.at(time, () => void come())
  for (const after of FROM_POST) at(clock.now() + after)
  for (let index = 0; index < DRAWN; index++) at(clock.now() + 5 * random.below(DAY / 10) * 2 + 1)
  const known = new Set<string>()
  let read = 0
  const beginsAnother = () => {
    const before = known.size
    while (known.size === before && read < resources.changes.length) {
      const { kind, tag } = resources.changes[read++] ?? {}
      const [of = ''] = (tag ?? showId).split('/')
      if ((kind === 'archive' || kind === 'broadcast') && of.startsWith(showId)) known.add(of)
    }
    return known.size > before
  }
  const comeToEach = async (): Promise<void> => {
    await until(beginsAnother)
    for (const after of FROM_LIVE) at(clock.now() + after)
    await comeToEach()
  }
  void comeToEach()
}

/** Asks to join. What is recorded before and after it shows what the answer must be. */
async function join({ guests, observer }: Reach, showId: string, invitation: string): Promise<void> {
  const before = await readDoors(observer, showId)
  const { visitor } = guests
  const visit = await visitor.post('/public/join', { body: { invitation } })
  const after = await readDoors(observer, showId)
  if (JSON.stringify(before) === JSON.stringify(after)) guests.joins.push({ visit, showId, doors: before })
}

async function readDoors({ records }: World['observer'], showId: string): Promise<Doors> {
  const first = await records.readState(showId)
  const states = await Promise.all((first?.occurrences ?? []).map(records.readState))
  const shows = [first, ...states].flatMap((state) => state ?? [])
  return {
    shows: shows.map(({ showId: id, status, sessionId, endedAt, occurrences }) => ({
      ...{ showId: id, status },
      ...(sessionId !== undefined && { sessionId }),
      ...(endedAt !== undefined && { endedAt }),
      ...(occurrences && { occurrences }),
    })),
  }
}

/** Visits invitations of a world at rest: to a show that is over, changed, of another kind, expired and revoked ones. */
export async function visitInvitations({ guests, observer, clock }: Omit<Reach, 'until' | 'resources'>): Promise<void> {
  const { visitor } = guests
  const operator = observer.variable('OPERATOR_ROLE')
  const [one] = guests.joins
  if (!one) return
  const { showId, doors } = one
  const invited = { ...INVITED, showId, epoch: 0, expiresIn: 3_600, layoutClasses: [] }
  const now = Math.floor(clock.now() / 1000)
  const issue = (expires: number) => observer.invitations.issue({ ...invited, expires })
  const expired = await issue(now - 1)
  const valid = await issue(now + 60)
  const [content = '', signature = ''] = valid.split('.')
  const other = Buffer.from(content, 'base64url').toString().replace(showId, '0'.repeat(40))
  const { signature: ofPage } = await observer.watchLinks.grantUntil(showId, now + 60)
  for (const changed of [
    `${Buffer.from(other).toString('base64url')}.${signature}`,
    `${content}.${ofPage}`,
    content,
    `${valid}.more`,
  ])
    await refused(visitor, changed, 403, 'invalid-invitation')
  await refused(visitor, expired, 403, 'invitation-expired')
  const unknown = await observer.invitations.issue({ ...invited, showId: '0'.repeat(40), expires: now + 60 })
  await refused(visitor, unknown, 404, 'unknown-show')
  const state = await observer.records.readState(showId)
  const isOver = state?.endedAt !== undefined && !doors.shows[0]?.occurrences
  if (isOver && !state.invitationEpoch) await refused(visitor, valid, 410, 'show-over')
  const revoke = (id: string) => visitor.remove(`/shows/${id}/invitations`, { as: operator, expects: 200 })
  await revoke(showId)
  await refused(visitor, valid, 403, 'invitation-revoked')
  const occurrence = state?.occurrences?.at(-1)
  if (occurrence === undefined) return
  const { invitationEpoch: epoch = 0 } = (await observer.records.readState(showId)) ?? {}
  const ofSeries = await observer.invitations.issue({ ...invited, epoch, expires: now + 60 })
  await revoke(occurrence) // participants can join it with an invitation to its series
  await refused(visitor, ofSeries, 403, 'invitation-revoked')
}

const refused = ({ post }: Visitor, invitation: string, expects: number, says: string) =>
  post('/public/join', { body: { invitation }, expects, says })
