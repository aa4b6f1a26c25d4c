import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../../lib/constructs/deploy/definition.ts'
import { MAX_SHOW_SECONDS } from '../../../../lib/show/document/duration.ts'
import { names } from '../../../../lib/show/document/fields/names.ts'
import { show } from '../../../../lib/show/document/show.ts'
import { ownRetries, retriesOf, THROTTLED, taskRetry } from '../../../../lib/tasks/retries.ts'
import { tasks } from '../../../../lib/tasks/tasks.ts'

type Scope = { States: Record<string, State> }
type State = Record<string, unknown> & { Branches?: Scope[]; ItemProcessor?: Scope }

/** Every state of a definition, those within others included. */
const statesOf = ({ States }: Scope): State[] =>
  Object.values(States).flatMap((state) => [
    state,
    ...(state.Branches ?? []).flatMap(statesOf),
    ...(state.ItemProcessor ? statesOf(state.ItemProcessor) : []),
  ])
const taskStates = (name: string) =>
  statesOf(JSON.parse(readDefinition(name).text)).filter(({ Resource }) => String(Resource).startsWith('${'))

const machines = ['show', 'audience', 'watch', 'rescue', 'notify', 'publish']

interface Definition {
  readonly TimeoutSeconds: number
  readonly States: Readonly<Record<string, { TimeoutSeconds?: number; Retry?: Readonly<Partial<Retrier>>[] }>>
}
type Retrier = Record<'IntervalSeconds' | 'BackoffRate' | 'MaxAttempts' | 'MaxDelaySeconds', number> & {
  readonly ErrorEquals: readonly string[]
  readonly JitterStrategy: string
}
const retrierFor = (error: string, retry: readonly Readonly<Partial<Retrier>>[] = []) =>
  retry.find(({ ErrorEquals }) => ErrorEquals?.includes(error)) ?? {}
const definitionOf = (name: string): Definition => JSON.parse(readDefinition(name).text)
const leastShow = { version: 1, name: 'Least', duration: 60, recordings: [{ name: 'program' }] }

describe('readDefinition', () => {
  it('gives every task its function’s timeout with a margin, and its retries', () => {
    for (const machine of machines) {
      for (const { Resource, TimeoutSeconds, Retry } of taskStates(machine)) {
        const [name = '', task] =
          Object.entries(tasks).find(([name]) => Resource === `\${${names.substitution(name)}}`) ?? []
        expect(TimeoutSeconds).toBe((task?.timeout ?? 0) + 30)
        expect(Retry).toEqual(retriesOf(name))
      }
    }
  })

  it('adds its execution to the input of every task', () => {
    const sent = machines.flatMap(taskStates).map(({ Arguments }) => Arguments)
    expect(sent).not.toHaveLength(0)
    for (const given of sent) {
      const expression = typeof given === 'string' ? given : (given as { execution?: string }).execution
      expect(expression).toMatch(/^\{% .*\$states\.context\.Execution\.Id.* %\}$/)
    }
  })

  it('lets two items of a Map pass at once, or as many as it is configured to', () => {
    const most = (concurrency?: number) =>
      statesOf(JSON.parse(readDefinition('show', concurrency ? { concurrency } : {}).text))
        .filter(({ Type }) => Type === 'Map')
        .map(({ MaxConcurrency }) => MaxConcurrency)
    expect(most()).toEqual([2, 2, 2, 2])
    expect(most(5)).toEqual([5, 5, 5, 5])
  })

  it('gives all tasks the same retries but the one that calls an app, and those that look', () => {
    expect(taskStates('show')[0]?.Retry).toEqual(taskRetry)
    expect(taskStates('notify')[0]?.Retry).toEqual(ownRetries.notifyOwner)
    expect(ownRetries.notifyOwner[2].MaxAttempts).toBeGreaterThan(taskRetry[2].MaxAttempts)
    for (const child of ['audience', 'watch'])
      expect(taskStates(child).filter(({ Retry }) => Retry !== undefined)[0]?.Retry).toEqual(ownRetries.watchShow)
  })

  it('names the tasks a machine uses, each once; together, all but those that events and schedules call', () => {
    const used = machines.map((machine) => readDefinition(machine).tasks)
    for (const one of used) expect(one).toHaveLength(new Set(one).size)
    const called = [
      ...['startShow', 'sweepShows', 'startPublish', 'receiveCallback', 'handleCallback', 'recordUsage'],
      ...['rotateUploadKey', 'rotateProjectSecret', 'deleteUploadKeys', 'manageProject'],
    ]
    expect([...new Set(used.flat())].sort()).toEqual(
      Object.keys(tasks)
        .filter((task) => !called.includes(task))
        .sort(),
    )
  })

  it('does not change the state of a machine that is run as a child', () => {
    expect(readDefinition('show').text).toContain('"StateMachineArn":"${WatchMachine}"')
  })

  it('refuses a state that names a task that does not exist', () => {
    expect(() => readDefinition('../test/lib/constructs/unknown-task')).toThrow(
      'the state "Dance" names the task Dance, which does not exist.',
    )
  })

  it('is given time for the longest show: its wait for an audience, its live time, its uploads, and a day to spare', () => {
    const longest = 2 * 86_400 + MAX_SHOW_SECONDS // audienceWait and uploadWait are at most a day each
    expect(definitionOf('show').TimeoutSeconds).toBeGreaterThanOrEqual(longest + 86_400)
    expect(show.parse({ ...leastShow, audienceWait: 86_400, uploadWait: 86_400 })).toBeDefined()
    for (const wait of ['audienceWait', 'uploadWait'])
      expect(show.safeParse({ ...leastShow, [wait]: 86_401 }).success).toBe(false)
  })

  it('lets a child run for its hour, and its parent wait for it longer than it may run', () => {
    for (const [child, state] of [
      ['audience', 'Await audience'],
      ['watch', 'Watch'],
      ['rescue', 'Rescue archives'],
    ] as const) {
      expect(definitionOf(child).TimeoutSeconds).toBeGreaterThan(3_600)
      expect(definitionOf('show').States[state]?.TimeoutSeconds).toBeGreaterThan(definitionOf(child).TimeoutSeconds)
    }
  })

  it('never delays a poll for a rescue', () => {
    const { Resource, Next } = JSON.parse(readDefinition('watch').text).States['Rescue archives']
    expect([Resource, Next]).toEqual(['arn:aws:states:::states:startExecution', 'Await next look'])
    expect(readDefinition('watch').tasks).not.toContain('rescueArchive')
  })

  it('repeats polls for as long as a child may run, within its history', () => {
    for (const [child, state] of [
      ['audience', 'Check audience'],
      ['watch', 'Watch show'],
    ] as const) {
      const { TimeoutSeconds, States } = definitionOf(child)
      for (const name of [THROTTLED, 'StorageError']) {
        const { MaxAttempts = 0, MaxDelaySeconds = 0 } = retrierFor(name, States[state]?.Retry)
        expect((MaxAttempts * MaxDelaySeconds) / 2).toBeGreaterThan(TimeoutSeconds)
        expect(MaxDelaySeconds).toBeLessThanOrEqual(60)
        const events = 3 // of each attempt: it failed, is scheduled again, is started
        expect(MaxAttempts * events).toBeLessThan(2_000)
      }
    }
  })

  it('tries a callback for about a day, and has time for that', () => {
    const { TimeoutSeconds, States } = definitionOf('notify')
    const { Retry, TimeoutSeconds: attempt = 0 } = States['Notify owner'] ?? {}
    const retry = retrierFor('ServiceError', Retry)
    const waits = Array.from({ length: retry?.MaxAttempts ?? 0 }, (_, made) =>
      Math.min((retry?.IntervalSeconds ?? 0) * (retry?.BackoffRate ?? 0) ** made, retry?.MaxDelaySeconds ?? 0),
    )
    const longest = waits.reduce((sum, wait) => sum + wait, 0)
    expect(retry?.ErrorEquals).toContain('ServiceError')
    expect(retry?.JitterStrategy).toBe('FULL') // so that half of it is what is waited on average
    expect(longest / 2 / 3_600).toBeCloseTo(24.7, 1)
    const others = [THROTTLED, 'EventNotRecordedError'].map((error) => retrierFor(error, Retry))
    const most = others.reduce((sum, one) => sum + (one?.MaxAttempts ?? 0) * (one?.MaxDelaySeconds ?? 0), 0)
    expect(TimeoutSeconds).toBeGreaterThan(longest + (waits.length + 1) * attempt + most)
  })

  it('retries every task first of all when it is throttled, in publish for half an hour, in show for longer', () => {
    for (const machine of machines) {
      for (const { Retry, Resource } of taskStates(machine)) {
        const [first] = Retry as Retrier[]
        const { ErrorEquals, MaxAttempts = 0, MaxDelaySeconds = 0, JitterStrategy } = first ?? {}
        expect([Resource, ErrorEquals, JitterStrategy]).toEqual([
          Resource,
          [THROTTLED, 'PlatformThrottledError'],
          'FULL',
        ])
        const least = machine === 'publish' ? 1_800 : 3_600 // seconds; with full jitter half of each wait on average
        expect((MaxAttempts * MaxDelaySeconds) / 2).toBeGreaterThanOrEqual(least)
      }
    }
  })

  it('retries the start of every child that Step Functions throttles, with jitter for about an hour', () => {
    const starts = machines.flatMap((name) =>
      statesOf(JSON.parse(readDefinition(name).text)).filter(({ Resource }) =>
        /states:startExecution/.test(`${Resource}`),
      ),
    )
    expect(starts).toHaveLength(4)
    for (const { Retry } of starts) {
      const [throttled, failed] = Retry as Retrier[]
      expect(throttled?.ErrorEquals).toContain('StepFunctions.ThrottlingException')
      expect(throttled?.ErrorEquals).toContain('StepFunctions.ExecutionLimitExceeded')
      expect(throttled).toMatchObject({ JitterStrategy: 'FULL', MaxAttempts: 240, MaxDelaySeconds: 30 })
      expect(failed?.ErrorEquals).toEqual(['States.TaskFailed'])
    }
  })

  it('retries what Lambda’s own client could not say, and a lack of memory once', () => {
    for (const { Retry } of machines.flatMap(taskStates)) {
      for (const name of ['Lambda.ClientExecutionTimeoutException', 'Lambda.Unknown', 'Lambda.SdkClientException'])
        expect(retrierFor(name, Retry as Retrier[]).MaxAttempts).toBeGreaterThanOrEqual(1)
      expect(retrierFor('Runtime.OutOfMemory', Retry as Retrier[]).MaxAttempts).toBe(1)
    }
  })
})
