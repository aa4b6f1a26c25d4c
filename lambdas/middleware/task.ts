import middy, { type MiddyfiedHandler } from '@middy/core'
import type { Context } from 'aws-lambda'
import { createServices, type Services, type TaskRun } from '../../lib/services.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { Task } from '../../lib/tasks/task.ts'
import { type TaskInput, type TaskName, type TaskOutput, tasks } from '../../lib/tasks/tasks.ts'
import { createLog, toConsole, toStandardOutput } from './log.ts'
import { measureTask } from './measures.ts'
import type { WriteLine } from './written-logger.ts'

type Handler = MiddyfiedHandler<unknown, unknown, Error, Context>

/** The handler of a task. It validates the input, and reduces the output to the task's schema. */
export interface TaskHandler extends Handler {
  /** Creates the handler on other services, with the console as log. Simulations and tests use it. */
  readonly on: (services: Services, write?: WriteLine) => Handler
}

type Refuse<Name extends TaskName> = (
  event: unknown,
  error: TaskInputError,
  services: Services,
) => Promise<TaskOutput<Name>>

/**
 * Creates the handler of a task.
 * @param refuse answers an invalid event instead of failing, for callers that wait for an answer elsewhere
 */
export function taskHandler<Name extends TaskName>(name: Name, run: TaskRun<Name>, refuse?: Refuse<Name>): TaskHandler {
  const task: Task = tasks[name]
  const on = (services: Services, write: WriteLine = toConsole): Handler => {
    const { log, note, middleware } = createLog({ name, services, write })
    return middy<unknown, unknown, Error, Context>()
      .use(middleware)
      .after(async (request) => {
        request.response = task.output.parse(request.response)
      })
      .onError(async ({ error }) => {
        if (error) shorten(error)
      })
      .handler(async (event) => {
        const input = parse(name, task, event)
        if (input instanceof TaskInputError) {
          if (!refuse) throw input
          log.error('refused', { error: input })
          return refuse(event, input, services)
        }
        const result = await run(services, input as TaskInput<Name>, log)
        note(await measureTask(name, result, services).catch(() => ({}))) // a failed metric does not fail the task
        return result
      })
  }
  return Object.assign(on(createServices(process.env as Environment), toStandardOutput), { on })
}

/** Characters. The errors of fifty failed starts in one Map have to fit into one payload. */
const MAX_MESSAGE_LENGTH = 1_000

/** Shortens an error's message, and the stack that repeats it, because the execution stores both. */
function shorten(error: Error): void {
  const { message, stack } = error
  if (message.length <= MAX_MESSAGE_LENGTH) return
  error.message = `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…`
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}

function parse(name: TaskName, { input }: Task, event: unknown): unknown {
  const parsed = input.safeParse(event)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`)
  return new TaskInputError(`The input of ${name} is not valid. ${problems.join('; ')}.`)
}
