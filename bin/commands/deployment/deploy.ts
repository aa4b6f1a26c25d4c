import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { readSettings, type Settings } from '../../../lib/constructs/deploy/settings.ts'
import { interruptible } from '../../local/interruption.ts'
import { root } from '../../local/root.ts'
import { checkAws, holdsKey, lookAtAws } from '../../operations/deploy/aws.ts'
import { argumentsOf, runCdk, toCommand } from '../../operations/deploy/cdk.ts'
import { type Check, isReady, toLines } from '../../operations/deploy/check.ts'
import { checkLayer, type LayerFacts, lookAtLayer } from '../../operations/deploy/ffmpeg-layer.ts'
import { checkLimits, type LambdaLimits, lookAtLimits } from '../../operations/deploy/limits.ts'
import { checkSecrets, putProjectSecret } from '../../operations/deploy/secret-checks.ts'
import { checkAlarms, checkFfmpegSetting, checkIssuer, checkPlatform } from '../../operations/deploy/settings-checks.ts'
import { type Outputs, outputsFileOf, readOutputs } from '../../operations/outputs.ts'

interface Options {
  readonly stage?: string
  readonly settings: string
  readonly dryRun?: boolean
}

export const deployCommand = () =>
  new Command('deploy')
    .description('see what a deployment to AWS needs and, when nothing is missing, run `cdk deploy`')
    .argument('[cdk...]', 'after --, options of `cdk deploy`, which gets them as they are')
    .option('--stage <name>', 'in place of the one in the settings')
    .option('--settings <file>', 'JSON whose context.showrunner has the settings', join(root, 'cdk.json'))
    .option('--dry-run', 'tell what is missing and what would be run, and change nothing')
    .action((more: string[], options: Options) => interruptible((signal) => deploy(more, options, signal)))

async function deploy(more: readonly string[], options: Options, signal: AbortSignal): Promise<void> {
  const context = await readContext(options.settings)
  const own: Record<string, unknown> = {
    ...(context.showrunner as object),
    ...(options.stage && { stage: options.stage }),
  }
  const settings = validated(own)
  const qualifier = String(context['@aws-cdk/core:bootstrapQualifier'] ?? 'hnb659fds')
  const checks = await check(settings, qualifier)
  say([...toLines(checks), ''])
  signal.throwIfAborted()

  const ready = isReady(checks)
  if (!ready) process.exitCode = 1
  if (!(settings instanceof Error) && options.dryRun) {
    const words = `${ready ? 'It would be run' : 'Once nothing is missing, it is run'} as`
    return say([words, '', `  ${toCommand(argumentsOf({ stage: settings.stage, context: own, more }))}`])
  }
  if (settings instanceof Error || !ready)
    throw new Error('Nothing was deployed: see to what is marked ✗ and run it again (docs/deploy.md).')

  await mkdir(dirname(outputsFileOf(settings.stage)), { recursive: true })
  const code = await runCdk(argumentsOf({ stage: settings.stage, context: own, more }), signal)
  if (signal.aborted) return say(['Interrupted. What CloudFormation has begun goes on: its console shows it.'])
  if (code !== 0) throw new Error(`The CDK has ended with code ${code}: what it says stands above.`)
  say(nextSteps(settings, await readOutputs(settings.stage)))
}

/** The error is one thing on the list, and the rest of it is told as well. */
function validated(context: unknown): Settings | Error {
  try {
    return readSettings(context)
  } catch (error) {
    return error as Error
  }
}

const NO_CREDENTIALS = { problem: 'there are no credentials.' }

async function check(settings: Settings | Error, qualifier: string): Promise<Check[]> {
  const what = 'settings'
  if (settings instanceof Error) {
    return [...checkAws(await lookAtAws(), qualifier), { what, state: 'missing', words: settings.message }]
  }
  const facts = await lookAtAws(settings.region)
  const { region } = facts
  const outputs = await readOutputs(settings.stage).catch((): Outputs => ({})) // none before the first deployment
  const holds: typeof holdsKey = async (secret, region) =>
    facts.credentials === 'found' ? holdsKey(secret, region) : NO_CREDENTIALS
  const without: LambdaLimits = { concurrency: NO_CREDENTIALS, largest: NO_CREDENTIALS }
  const limits = facts.credentials === 'found' ? await lookAtLimits(region) : without
  const layer = async (): Promise<LayerFacts> =>
    facts.credentials === 'found' && region ? lookAtLayer(settings.ffmpegLayer ?? '', region) : NO_CREDENTIALS
  return [
    ...checkAws(facts, qualifier),
    { what, state: 'ok', words: `They are valid; the stage is ${settings.stage}.` },
    ...checkLimits(settings, limits),
    await checkPlatform(settings),
    ...(await checkSecrets(settings, { region, outputs, holds })),
    await checkIssuer(settings),
    checkFfmpegSetting(settings, region) ?? checkLayer(settings, await layer()),
    checkAlarms(settings),
  ]
}

/** @throws Error in one sentence when the file is not there or not JSON */
async function readContext(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')).context ?? {}
  } catch (cause) {
    throw new Error(`The settings cannot be read from ${path} (${(cause as Error).message}).`, { cause })
  }
}

function nextSteps({ stage, platform }: Settings, { ApiUrl = '', ProjectSecretArn = '' }: Outputs): string[] {
  return [
    '',
    `Deployed. The API: ${ApiUrl}`,
    ...(platform.project ? [] : ['Once, the project’s key and secret:', `  ${putProjectSecret(ProjectSecretArn)}`]),
    'With a token of your issuer in SHOWRUNNER_TOKEN:',
    `  npm run showrunner -- list --stage ${stage}`,
  ]
}

const say = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`)
