import { createHash } from 'node:crypto'
import type { Context } from 'aws-lambda'
import type { TaskHandler } from '../../lambdas/middleware/task.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { loadFunction } from '../../local/simulation/environment/handlers.ts'
import { BUCKET, functionArn, machineArn, type World } from './world.ts'

const PUBLISH = machineArn('publish')
const DEFAULT_ID = '00000000-0000-4000-8000-000000000000'
/** Milliseconds to advance at once while an execution waits: at most the longest retry delay. */
const PATIENCE_MS = 20_000

/** The facts of S3’s event that start a publish. */
export interface Arrived {
  readonly bucket: string
  readonly key: string
  readonly etag: string
}

export interface PublishingOptions {
  /** Runs between a state and its task. `run` runs the task’s function. */
  readonly around?: (task: string, run: () => Promise<unknown>) => Promise<unknown>
}

export type Publishing = Awaited<ReturnType<typeof publishIn>>

/**
 * Lets a world publish as a deployment does: the publish machine of `statemachines/`, with its retries and timeouts, calls the
 * real functions. What they write to their log is in `lines`. Time stands still while one of them works, and goes on to the
 * next try when none does.
 */
export async function publishIn(world: World, { around = (_task, run) => run() }: PublishingOptions = {}) {
  const { text, tasks } = readDefinition('publish')
  const lines: Record<string, unknown>[] = []
  const handlers = new Map<string, TaskHandler>()
  for (const task of tasks) handlers.set(functionArn(task), (await loadFunction(task)) as TaskHandler)
  const arns = Object.fromEntries(tasks.map((task) => [names.substitution(task), functionArn(task)]))
  const definition = text.replace(/\$\{(\w+?)(Machine)?\}/g, (_, name: string, isMachine) =>
    isMachine ? machineArn(name.toLowerCase()) : (arns[name] ?? name),
  )
  world.states.addMachine({ arn: PUBLISH, name: 'publish', definition })
  let working = 0
  world.machines.publish = async (input, arn) => {
    const write = (line: string) => void lines.push(JSON.parse(line))
    const run = async () => {
      const handle = handlers.get(arn)?.on(world.services, write)
      if (!handle) throw new Error(`The publish machine calls ${arn}, which is not one of its tasks.`)
      return overJson(await handle(overJson(input), { awsRequestId: 'publish' } as Context))
    }
    working += 1
    try {
      return await around(arn.split(':').at(-1) ?? '', run)
    } finally {
      working -= 1
    }
  }

  return {
    lines,
    /** Puts an archive where the platform puts them. */
    async put(bytes: Uint8Array, { archiveId = DEFAULT_ID, mode = 'composed' as 'composed' | 'individual' } = {}) {
      const key = keys.archive('1', archiveId, mode)
      await world.services.storage.put(key, bytes, mode === 'composed' ? 'video/mp4' : 'application/zip')
      return { bucket: BUCKET, key, etag: createHash('md5').update(bytes).digest('hex') } satisfies Arrived
    },
    /** Starts an execution of the machine, and gives its ARN. */
    start: (name: string, input: Arrived & { readonly formats?: readonly string[]; readonly clip?: object }) =>
      world.states.startExecution({ stateMachineArn: PUBLISH, name, input: JSON.stringify(input) }).executionArn,
    /** Waits until an execution is over and none of its tasks is at work any more; gives what it has come to. */
    async over(executionArn: string) {
      const { states, clock } = world
      for (;;) {
        const idle = await staysIdle(() => working === 0)
        if (idle && states.describeExecution({ executionArn }).status !== 'RUNNING') break
        if (idle) await clock.advance(Math.min(PATIENCE_MS, (clock.nextDue() ?? clock.now()) - clock.now()))
      }
      return states.describeExecution({ executionArn })
    },
  }
}

/** An execution goes from one task to the next within a few turns of the event loop. */
async function staysIdle(isIdle: () => boolean): Promise<boolean> {
  for (let turns = 0; turns < 20; turns++) {
    await new Promise((resolve) => setTimeout(resolve))
    if (!isIdle()) return false
  }
  return true
}

const overJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
