import type { Shows } from '../../records/shows.ts'
import { ShowStoppedError } from '../../tasks/errors.ts'
import type { ShowState } from '../state/state.ts'
import { isAlreadyEnded, onError } from './platform-errors.ts'

/** Returns whether a show is over or was asked to stop, so that nothing may be started in it. */
export const isStopped = ({ stopAskedAt, endedAt }: Pick<ShowState, 'stopAskedAt' | 'endedAt'>): boolean =>
  stopAskedAt !== undefined || endedAt !== undefined

interface Start<Resource> {
  /** Finds what an earlier attempt started. */
  find(): Promise<Resource | undefined>
  /** @param state as read before the start */
  start(state: ShowState): Promise<Resource>
  stop(resource: Resource): Promise<unknown>
  /** Returns whether it must not run for another reason. @default false */
  isRefused?(state: ShowState): boolean
}

/**
 * Starts a resource of a show, and stops it again if the show was stopped meanwhile. The state is read before and after the
 * start, so that a start and a stop at the same time cannot miss each other.
 * @throws {@link ShowStoppedError} when the show is over or was asked to stop
 */
export async function unlessStopped<Resource>(
  shows: Pick<Shows, 'state'>,
  showId: string,
  { find, start, stop, isRefused = () => false }: Start<Resource>,
): Promise<Resource> {
  const state = await shows.state(showId)
  const isOver = (latest: ShowState) => isStopped(latest) || isRefused(latest)
  const wasStopped = isOver(state)
  const resource = await (wasStopped ? find() : start(state))
  if (resource && !wasStopped && !isOver(await shows.state(showId))) return resource
  if (resource) await stop(resource).catch(onError(isAlreadyEnded, undefined))
  throw new ShowStoppedError('The show was stopped meanwhile.')
}
