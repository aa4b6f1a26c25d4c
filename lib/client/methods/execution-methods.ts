// Generated from lib/api by `npm run docs`: change it there.
import type { Redrive } from '../documents.ts'
import type { KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of executions. */
export interface ExecutionMethods {
  /**
   * Redrives the interrupted execution of a show: resume it at the state that it had not left.
   *
   * For the newest execution of the show machine, if it was aborted, timed out or failed with an error of Step Functions in the last 14 days. It keeps its history, and the show continues. Redrive soon: within five minutes, the sweep starts an execution that closes the show, and that one is then the newest. An execution that ended in a `Fail` state would fail again, so it is refused, and so is that of a show that is over. The children of an execution are started again with it. An interrupted publish is started again automatically, or by a rebuild.
   *
   * `POST /shows/{id}/execution/redrive`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `unknown-execution` (404) {@link ShowrunnerError}: The show has no execution of this name, or it ended more than 90 days ago.
   * @throws `not-redrivable` (409) {@link ShowrunnerError}: The newest execution of the show runs, has succeeded, would fail again, or ended more than 14 days ago.
   * @example
   * ```ts
   * const answer = await showrunner.executions.redrive(showId)
   * ```
   */
  redrive(showId: string, options?: KeyedOptions): Promise<Redrive>
}
