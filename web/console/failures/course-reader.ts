import type { ExecutionAnswer, ListedDelivery, Show } from '../answers.ts'
import { listDeliveries, readExecution } from '../api.ts'
import { isBusy, isShowOver } from '../model.ts'

/** Milliseconds after which the course of a busy show is read again. */
const REFRESH_MS = 5_000

/** The executions of a running show, and the deliveries of its events. */
interface Course {
  readonly executions: readonly ExecutionAnswer[]
  readonly deliveries: readonly ListedDelivery[]
}

/** Creates the reader of the course of a show. It reads while the show is busy, and once after it. */
export function createCourseReader() {
  let course: Course = { executions: [], deliveries: [] }
  let readAt = Number.NEGATIVE_INFINITY
  let wasBusy = true
  async function read(show: Show): Promise<void> {
    // A reading that fails is shown by the page's own line, and the next one may succeed.
    const [executions, deliveries] = await Promise.all([
      isShowOver(show) ? [] : readExecutions(show.showId).catch(() => course.executions),
      show.document?.callback === undefined ? [] : listDeliveries(show.showId).catch(() => course.deliveries),
    ])
    course = { executions, deliveries }
  }
  return {
    /** Returns the course as it was read last, and reads it again if it is time. */
    latest(show: Show, now: number): Course {
      const isDue = show.status !== 'scheduled' && wasBusy && now - readAt >= REFRESH_MS
      if (isDue) {
        wasBusy = isBusy([show], now)
        readAt = now
        void read(show)
      }
      return course
    },
  }
}

/** Reads the execution of a show and its running children. */
async function readExecutions(showId: string): Promise<ExecutionAnswer[]> {
  const execution = await readExecution(showId)
  const running = execution.states.filter(({ status }) => status === 'running')
  const children = await Promise.all(running.flatMap(({ child }) => (child ? readExecution(showId, child) : [])))
  return [execution, ...children]
}
