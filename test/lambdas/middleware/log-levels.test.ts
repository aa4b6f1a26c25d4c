import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../lambdas/middleware/log.ts'
import type { StackResources } from '../../../lib/constructs/access/grants.ts'
import { bundleNothing } from '../../../lib/constructs/deploy/bundles.ts'
import { ShowrunnerFunction } from '../../../lib/constructs/showrunner-function.ts'
import { createServices } from '../../../lib/services.ts'
import { names } from '../../../lib/show/document/fields/names.ts'
import { type Measured, metrics } from '../../../lib/tasks/metrics.ts'

/** In Lambda's order ("Log-level filtering" of the Lambda developer guide). */
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']
const settable = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const

afterEach(() => vi.unstubAllEnvs())

/** The function's properties under this level, as the template states them. */
function propertiesAt(level: (typeof settable)[number]) {
  const stack = new Stack(new App(), 'Showrunner')
  new ShowrunnerFunction(stack, 'Function', {
    ...{ code: bundleNothing([])(''), description: 'Logs.', capabilities: [], timeout: 3 },
    settings: { stage: 'live', architecture: 'arm64', logs: { days: 30, level }, tracing: false } as never,
    resources: { parameters: '', environment: {} } as unknown as StackResources,
  })
  const [properties] = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'))
  return properties?.Properties
}

/** Lets a line pass as Lambda does: one without a level, or without a timestamp of RFC 3339, has the level INFO. */
function passesAt(least: string, line: string): boolean {
  const { level, timestamp } = JSON.parse(line) as Record<string, unknown>
  const isComplete =
    LEVELS.includes(String(level)) && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(String(timestamp))
  return LEVELS.indexOf(isComplete ? String(level) : 'INFO') >= LEVELS.indexOf(least)
}

/** What reaches CloudWatch of one invocation that measures everything and logs at each level. */
function delivered(level: (typeof settable)[number]) {
  const { LoggingConfig, Environment } = propertiesAt(level)
  const least: string = LoggingConfig.ApplicationLogLevel
  const variables = { ...Environment.Variables, AWS_LAMBDA_LOG_LEVEL: least, AWS_LAMBDA_LOG_FORMAT: 'JSON' }
  for (const [name, value] of Object.entries<string>(variables)) vi.stubEnv(name, value)
  const lines: string[] = []
  const { log, note, middleware } = createLog({
    ...{ name: 'api', services: createServices({}), write: (line) => void lines.push(line) },
  })
  middleware.before({ event: {}, context: { awsRequestId: 'request-1' } as never })
  note(Object.fromEntries(Object.keys(metrics).map((name) => [name, 1])) as Measured)
  for (const method of ['debug', 'info', 'warn', 'error'] as const) log[method](method)
  middleware.after()
  return lines.filter((line) => passesAt(least, line)).map((line) => JSON.parse(line))
}

describe('ShowrunnerFunction', () => {
  it.each(settable)('delivers every metric at %s', (level) => {
    const line = delivered(level).find(({ _aws }) => _aws)
    for (const name of Object.keys(metrics)) expect(line, name).toMatchObject({ [names.substitution(name)]: 1 })
  })

  it.each(settable)('delivers the lines of %s and above, and no others', (level) => {
    const written = delivered(level).flatMap((line) => line.level ?? [])
    const order = settable.slice(settable.indexOf(level))
    expect(new Set(written)).toEqual(new Set(order))
  })
})
