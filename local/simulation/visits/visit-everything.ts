import { createRandom } from '../scheduling/random.ts'
import type { World } from '../world.ts'
import { visitBadRequests } from './visit-bad-requests.ts'
import { visitCallbacks } from './visit-callbacks.ts'
import { visitInvitations } from './visit-invitations.ts'
import { visitRecordings } from './visit-recordings.ts'
import { visitRefusals } from './visit-refusals.ts'
import { type Roles, visitShow, visitShows } from './visit-shows.ts'
import { visitWatchPages } from './visit-watch-pages.ts'

type Visited = Pick<World, 'visitor' | 'observer'>
type Resting = Visited & Pick<World, 'guests' | 'clock' | 'cloud'>

const rolesOf = ({ observer: { variable } }: Visited): Roles => ({
  viewer: variable('VIEWER_ROLE'),
  operator: variable('OPERATOR_ROLE'),
  admin: variable('ADMIN_ROLE'),
})

/** Visits everything that the API and the watch pages show, in a world at rest. */
export async function visitEverything(world: Resting, seed: number): Promise<void> {
  const { visitor } = world
  const roles = rolesOf(world)
  const random = createRandom(seed, 'visits')
  const as = roles.viewer
  await visitShows(visitor, roles, random)
  await visitRecordings(world, roles, random)
  await visitor.get('/publishing', { as, expects: 200 })
  await visitor.get('/usage', { as, expects: 200 })
  await visitor.get('/.well-known/jwks.json', { expects: 200 })
  await visitRefusals(visitor, roles, random)
  await visitWatchPages(world)
  await visitInvitations(world)
  await visitBadRequests(world, roles, createRandom(seed, 'bad requests'))
  await visitCallbacks(world, createRandom(seed, 'forged callbacks'))
}

/** Visits a show while it runs. Faults may strike its answers. */
export const visitLiveShow = (world: Visited, showId: string): Promise<void> =>
  visitShow(world.visitor, showId, rolesOf(world))
